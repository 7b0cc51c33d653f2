/** Door of `daemon`: the processes that run in a cluster. */
export {};
