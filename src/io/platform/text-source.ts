/**
 * Text from files and standard input, a piece at a time. What cannot be read is a `Fault` with the reason in plain
 * words. Encodings are told by the byte order mark, as editors do: UTF-8, and the UTF-16 that some Windows shells write.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { TextDecoder } from "node:util";
import { Fault } from "#diag";
import { readFault } from "./read-fault.ts";

/** Bytes asked for at once: large enough that the calls do not count, small enough that memory stays flat. */
const CHUNK_BYTES = 256 * 1024;

/** The name under which standard input is listed, read and reported. */
export const STDIN = "-";

/**
 * The pieces of a file's text in order; `-` is standard input.
 * @throws Fault `file/unreadable`
 */
export async function* readTextChunks(file: string): AsyncGenerator<string> {
  yield* file === STDIN ? readStdinChunks() : readFileChunks(file);
}

function* readFileChunks(file: string): Generator<string> {
  const descriptor = openFile(file);
  try {
    const decoder = new ChunkDecoder(file);
    // One byte more than the file has: the next read then says that it ended. Devices and pipes say 0.
    const size = fstatSync(descriptor).size;
    const buffer = new Uint8Array(size === 0 ? CHUNK_BYTES : Math.min(CHUNK_BYTES, size + 1));
    for (;;) {
      const bytes = readChunk(file, descriptor, buffer);
      if (bytes === 0) break;
      yield decoder.decode(buffer.subarray(0, bytes));
    }
    yield decoder.end();
  } finally {
    closeSync(descriptor);
  }
}

async function* readStdinChunks(): AsyncGenerator<string> {
  const decoder = new ChunkDecoder(STDIN);
  try {
    for await (const chunk of process.stdin) {
      yield decoder.decode(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
    }
  } catch (error) {
    throw readFault(STDIN, error);
  }
  yield decoder.end();
}

/**
 * A file's whole text, for documents that are kept (policies, values). Resources are streamed instead.
 * @param maxBytes larger files are refused before they are in memory
 * @throws Fault `file/unreadable`, `file/too-large`
 */
export async function readText(file: string, maxBytes: number): Promise<string> {
  let text = "";
  for await (const chunk of readTextChunks(file)) {
    text += chunk;
    if (text.length <= maxBytes) continue;
    throw new Fault("file/too-large", `\`${file}\` is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB`);
  }
  return text;
}

/** Size in bytes where it is known beforehand; 0 for standard input and for what cannot be read. */
export function sizeOf(file: string): number {
  if (file === STDIN) return 0;
  try {
    const descriptor = openSync(file, "r");
    try {
      return fstatSync(descriptor).size;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Reading it will say what is wrong.
    return 0;
  }
}

function openFile(file: string): number {
  try {
    return openSync(file, "r");
  } catch (error) {
    throw readFault(file, error);
  }
}

function readChunk(file: string, descriptor: number, buffer: Uint8Array): number {
  try {
    return readSync(descriptor, buffer, 0, buffer.length, null);
  } catch (error) {
    throw readFault(file, error);
  }
}

/**
 * Bytes to text. A carriage return alone ends a line, as YAML has it: it becomes a line feed, in its place. A byte order
 * mark at the start of a line was the start of a file once, before files were put together: it is no text.
 */
class ChunkDecoder {
  readonly #file: string;
  #decoder: TextDecoder | undefined;
  /** A carriage return whose next character has not come yet. */
  #held = "";

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws Fault `file/unreadable` where the bytes are no text */
  decode(bytes: Uint8Array): string {
    this.#decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    const text = this.#held + this.#read(bytes);
    this.#held = text.endsWith("\r") ? "\r" : "";
    return unifyLineEnds(this.#held === "" ? text : text.slice(0, -1));
  }

  end(): string {
    return unifyLineEnds(this.#held + this.#read());
  }

  #read(bytes?: Uint8Array): string {
    try {
      if (bytes === undefined) return this.#decoder?.decode() ?? "";
      return this.#decoder?.decode(bytes, { stream: true }) ?? "";
    } catch (cause) {
      throw new Fault("file/unreadable", `\`${this.#file}\` is not UTF-8 text`, { cause });
    }
  }
}

function unifyLineEnds(text: string): string {
  const lines = text.includes("\r") ? text.replaceAll(/\r(?!\n)/g, "\n") : text;
  return lines.includes("\ufeff") ? lines.replaceAll(/^\ufeff/gm, "") : lines;
}

function encodingOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}
