import { type DestinationStream, type Logger, pino } from "pino";
import { realClock } from "./clock.ts";

export type { Logger } from "pino";

/** Matches an API key anywhere in a line. */
const KEY = /mo_[A-Za-z0-9]+_[A-Za-z0-9]{16,}/g;

/**
 * Creates the log, which has one JSON line for each event.
 *
 * It never contains a key: fields and headers that carry one are redacted, and every line is searched for API keys and
 * for `secrets`.
 *
 * @param secrets Further texts that must not be written, such as keys from the environment.
 * @param pid Number of this process, where several write to one output.
 */
export function createLogger(
  level: string,
  secrets: readonly string[],
  destination: DestinationStream,
  pid?: number,
): Logger {
  const options = {
    level,
    base: pid === undefined ? null : { pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...named, ...named.map((path) => `*${path}`), ...named.map((p) => `*.*${p}`)] },
    hooks: { streamWrite: withoutKeys(secrets) },
  };
  return pino(options, destination);
}

/**
 * Standard output, written in blocks, because one system call for each line would cost a tenth of a small request. A
 * line waits at most a quarter of a second. A fatal line and the end of the process flush at once.
 *
 * @param isShared Whether other processes write to the same output.
 */
export function standardOutput(isShared = false): DestinationStream {
  const blocks = isShared
    ? { minLength: SHARED_BLOCK / 2, maxWrite: SHARED_BLOCK }
    : { minLength: 4096, maxWrite: BLOCK };
  return pino.destination({ dest: 1, sync: false, periodicFlush: 250, ...blocks });
}

/** Bytes that a pipe accepts in one piece, so that lines of several processes do not mix. */
const SHARED_BLOCK = 4096;

/** Returns a function that replaces API keys and secrets in lines of JSON. */
function withoutKeys(secrets: readonly string[]): (lines: string) => string {
  // Secrets are searched for in the form that JSON gives them.
  const written = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  return (lines) => {
    let clean = lines.replace(KEY, "[key]");
    for (const secret of written) clean = clean.replaceAll(secret, "[key]");
    return clean;
  };
}

/** The access log, one line for each request. */
export interface RequestLog {
  info(fields: object, message: string): void;
  /** Writes buffered lines; call it before the process ends. */
  flush(): void;
}

/** Most characters of one write, and longest time that a line waits for others. */
const BLOCK = 65_536;
const WAIT_MS = 200;

/**
 * Creates the access log in the format of `createLogger`. Lines are cleaned and written in blocks: one by one they took
 * a third of the time of a small request. No field is redacted by name, because all fields are known.
 */
export function requestLog(
  level: string,
  secrets: readonly string[],
  destination: { write(lines: string): void },
  pid?: number,
): RequestLog {
  if (pino.levels.values[level] === undefined || pino.levels.values[level] > INFO) {
    return { info: () => {}, flush: () => {} };
  }
  const clean = withoutKeys(secrets);
  const of = pid === undefined ? "" : `"pid":${pid},`;
  const block = pid === undefined ? BLOCK : SHARED_BLOCK;
  let lines = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines === "") return;
    const block = lines;
    lines = "";
    destination.write(clean(block));
  };
  return {
    info(fields, message) {
      const time = new Date(realClock.now() * 1000).toISOString();
      const rest = JSON.stringify({ ...fields, msg: message }).slice(1);
      const line = `{"level":${INFO},"time":"${time}",${of}${rest}\n`;
      if (lines.length + line.length > block) flush();
      lines += line;
      if (lines.length >= block) flush();
      else timer ??= setTimeout(flush, WAIT_MS).unref();
    },
    flush,
  };
}

const INFO = 30;

const named = ["x-api-key", "authorization", "cookie", "apiKey", "api_key", "password"].map(
  (name) => `["${name}"]`,
);
