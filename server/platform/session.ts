import { setTimeout as wait } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";

/** A connection that is opened again whenever it breaks. */
export interface Session {
  /** Resolves when it has begun, or could not at the first attempt. */
  attempted: Promise<void>;
  close(): Promise<void>;
}

/** Pause before the connection is opened again: doubled with each failure, and shortened at random by up to a half. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/**
 * Keeps a connection of its own to PostgreSQL, which is idle most of the time: the database notices at once when this
 * process ends.
 *
 * @param begin Called with each new connection. If it rejects, the connection is opened again.
 */
export function keepSession(config: ClientConfig, begin: (client: Client) => Promise<void>): Session {
  const closing = new AbortController();
  const { signal } = closing;
  const { promise: attempted, resolve: onAttempt } = Promise.withResolvers<void>();
  const closed = (async () => {
    let pauseMs = MIN_PAUSE_MS;
    while (!signal.aborted) {
      const client = new Client({ ...config, connectionTimeoutMillis: 10_000, keepAlive: true });
      const ended = new Promise<void>((resolve) => {
        client.once("end", resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      // A connection that breaks also ends.
      client.on("error", () => {});
      try {
        await client.connect();
        await Promise.race([begin(client), ended]);
        pauseMs = MIN_PAUSE_MS;
        onAttempt();
        await ended;
      } catch {
        // The database is unavailable, which /readyz reports.
        onAttempt();
      }
      await client.end().catch(() => {});
      await wait(pauseMs * (1 - Math.random() / 2), undefined, { signal }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
    onAttempt();
  })();
  return {
    attempted,
    close() {
      closing.abort();
      return closed;
    },
  };
}
