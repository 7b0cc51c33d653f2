/**
 * The log: JSON lines on standard output, written as they come. A process that is killed in the night has said what it
 * had to say; a line costs some microseconds, and there is one for a denial or a fault and none for an allow.
 */
import { destination, pino } from "pino";

export type Log = {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};

export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = "debug" | "info" | "warn" | "error";

/** @param write takes whole lines; standard output where absent, written at once */
export function createLog(level: LogLevel, write?: (line: string) => void): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    write === undefined ? destination({ dest: 1, sync: true }) : { write },
  );
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      logger[name](fields, message);
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
