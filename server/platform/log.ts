import { type DestinationStream, type Logger, pino } from "pino";

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
    hooks: {
      streamWrite: (line: string) => {
        let clean = line.replace(KEY, "[key]");
        // A line is JSON, so a secret stands in it as JSON writes it.
        for (const secret of secrets) clean = clean.replaceAll(JSON.stringify(secret).slice(1, -1), "[key]");
        return clean;
      },
    },
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

/** For lines whose fields are all ours, such as one a request: looking for what to redact costs more than the line. */
export function withoutRedaction(log: Logger): Logger {
  return log.child({}, { redact: [] });
}

const named = [
  '["x-api-key"]',
  '["authorization"]',
  '["cookie"]',
  '["apiKey"]',
  '["api_key"]',
  '["password"]',
];
