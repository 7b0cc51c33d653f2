/** Door of `jmespath`. */
export {};
