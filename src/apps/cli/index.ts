/** Door of `cli`. */
export { main } from "./main.ts";
export { answerTestFile, findTestFiles, runTestFile } from "./offline.ts";
export type { Answer, TestRow } from "./commands/test/rows.ts";
