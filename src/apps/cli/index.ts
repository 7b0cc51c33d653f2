/** Door of `cli`. */
export { describeCommands } from "./describe-commands.ts";
export { main } from "./main.ts";
export { answerTestFile, findTestFiles, runTestFile } from "./offline.ts";
export type { Answer, TestRow } from "./commands/test/rows.ts";
export type { DescribedCommand } from "./describe-commands.ts";
export type { AnsweredTest } from "./commands/test/run-file.ts";
