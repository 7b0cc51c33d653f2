/** What is refused in night A, by whoever judges: objects with this label, in these words. */
export const refusedLabel = "night-a.postern.dev/refuse";

export const refusal = "the label says so";
