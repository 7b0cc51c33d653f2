/** Door of `platform`: the machine that a command runs on. */
export { systemClock, wait } from "./clock.ts";
export { DocumentCutter, readDocumentTexts } from "./document-stream.ts";
export { runToExit } from "./exit.ts";
export { isExternalAddress, resolvesExternally } from "./external-address.ts";
export { findFiles } from "./find-files.ts";
export { listeningPort } from "./listening-port.ts";
export { STDIN, readText, readTextChunks, sizeOf } from "./text-source.ts";
export { readFault } from "./read-fault.ts";
export { expectShortWork } from "./short-work.ts";
export { createWorld } from "./world.ts";
export type { Clock } from "./clock.ts";
export type { DocumentText } from "./document-stream.ts";
export type { FindOptions } from "./find-files.ts";
export type { Output } from "./output.ts";
export type { World } from "./world.ts";
