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

/** @param open gives the stream when it is first needed */
export function createOutput(open: () => NodeJS.WriteStream): Output {
  let opened: NodeJS.WriteStream | undefined;
  let gathered = "";
  let closed = false;
  let full = false;
  function stream(): NodeJS.WriteStream {
    if (opened !== undefined) return opened;
    opened = open();
    opened.on("error", (error) => {
      closed = true;
      if (errorCode(error) !== "EPIPE") throw error;
    });
    return opened;
  }
  function send(): void {
    if (gathered === "" || closed) return;
    full = !stream().write(gathered);
    gathered = "";
  }
  return {
    get isTty() {
      // Node leaves it out where there is no terminal, whatever its types say.
      return "isTTY" in stream() && stream().isTTY;
    },
    get columns() {
      return stream().columns > 0 ? stream().columns : 80;
    },
    closed: () => closed,
    write(text) {
      gathered += text;
      if (gathered.length >= GATHERED_UNITS) send();
    },
    async flush() {
      send();
      if (!full || closed) return;
      await untilRoom(stream());
      full = false;
    },
  };
}

async function untilRoom(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    stream.once("drain", resolve);
    stream.once("close", resolve);
    stream.once("error", () => resolve());
  });
}
