/**
 * Where text goes: standard output for data, standard error for talk. Text is gathered and written in large pieces; a
 * reader that has gone away (`| head`) ends the writing quietly.
 */
import { errorCode } from "./read-fault.ts";

export type Output = {
  readonly isTty: boolean;
  /** Width of the terminal; 80 where there is none. */
  readonly columns: number;
  readonly write: (text: string) => void;
  /** Hands on what was gathered and waits until the reader has room again. */
  readonly flush: () => Promise<void>;
  /** The reader went away; more text is of no use. */
  readonly closed: () => boolean;
};

const GATHERED_UNITS = 64 * 1024;

/** @param stream a terminal's talk is written at once, so that it stands in order with what others write */
export function createOutput(stream: NodeJS.WriteStream): Output {
  let gathered = "";
  let closed = false;
  let full = false;
  stream.on("error", (error) => {
    closed = true;
    if (errorCode(error) !== "EPIPE") throw error;
  });
  function send(): void {
    if (gathered === "" || closed) return;
    full = !stream.write(gathered);
    gathered = "";
  }
  return {
    isTty: stream.isTTY,
    columns: stream.columns > 0 ? stream.columns : 80,
    closed: () => closed,
    write(text) {
      gathered += text;
      if (gathered.length >= GATHERED_UNITS) send();
    },
    async flush() {
      send();
      if (!full || closed) return;
      await new Promise<void>((resolve) => {
        stream.once("drain", resolve);
        stream.once("close", resolve);
        stream.once("error", () => resolve());
      });
      full = false;
    },
  };
}
