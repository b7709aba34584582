import { type DestinationStream, type Logger, pino } from "pino";
import { realClock } from "./clock.ts";

export type { Logger } from "pino";

/** A key of ours, wherever it stands in a line. */
const KEY = /mo_[A-Za-z0-9]+_[A-Za-z0-9]{16,}/g;

/**
 * The log, one JSON line an event.
 *
 * A key never reaches it: header and field names that hold one are redacted, and every finished line is searched for
 * keys of our form and for the `secrets` given.
 *
 * @param secrets Texts of another form that must not be written, such as keys from the environment.
 * @param destination Standard output where absent.
 */
export function createLogger(
  level: string,
  secrets: readonly string[] = [],
  destination?: DestinationStream,
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...named, ...named.map((path) => `*${path}`), ...named.map((p) => `*.*${p}`)] },
    hooks: { streamWrite: withoutKeys(secrets) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Standard output, written in blocks: a system call a line would be a tenth of a small request. Lines wait a quarter of
 * a second at most; a fatal one, and the end of the process, wait for nothing.
 */
export function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 250 });
}

/** Takes keys of our form, and the secrets given, out of lines of JSON. */
function withoutKeys(secrets: readonly string[]): (lines: string) => string {
  // A line is JSON, so a secret stands in it as JSON writes it.
  const written = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  return (lines) => {
    let clean = lines.replace(KEY, "[key]");
    for (const secret of written) clean = clean.replaceAll(secret, "[key]");
    return clean;
  };
}

/** The log of requests: one line each, of fields that are all ours. */
export interface RequestLog {
  info(fields: object, message: string): void;
  /** Writes what waits; to be called before the process ends. */
  flush(): void;
}

/** Characters that are cleaned and written at once, and how long a line waits for others. */
const BLOCK = 8192;
const WAIT_MS = 200;

/**
 * Lines in the form of `createLogger`, written in blocks: cleaning and writing them one by one was a third of a small
 * request. Nothing is redacted by name, because the fields are few and known.
 */
export function requestLog(
  level: string,
  secrets: readonly string[],
  destination: { write(lines: string): void },
): RequestLog {
  if (pino.levels.values[level] === undefined || pino.levels.values[level] > INFO) {
    return { info: () => {}, flush: () => {} };
  }
  const clean = withoutKeys(secrets);
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
      lines += `{"level":${INFO},"time":"${time}",${rest}\n`;
      if (lines.length >= BLOCK) flush();
      else timer ??= setTimeout(flush, WAIT_MS).unref();
    },
    flush,
  };
}

const INFO = 30;

const named = [
  '["x-api-key"]',
  '["authorization"]',
  '["cookie"]',
  '["apiKey"]',
  '["api_key"]',
  '["password"]',
];
