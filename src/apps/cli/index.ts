/** Door of `cli`. */
export { main } from "./main.ts";
