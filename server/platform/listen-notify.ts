import { setTimeout as wait } from "node:timers/promises";
import { Client, type ClientConfig, escapeIdentifier } from "pg";

/** What a listener is told. */
export interface NotificationHandler {
  notified(payload: string): void;
  /** It listens from now on, for the first time or again: notifications sent before did not arrive. */
  connected(): void;
}

export interface Listener {
  close(): Promise<void>;
}

/** Pause before the connection is opened again: doubled with each failure, and shortened at random by up to a half. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/**
 * Listens to a channel of PostgreSQL (LISTEN) on a connection of its own, which is opened again whenever it breaks. A
 * notification may be lost, also unnoticed, as behind a pooler that shares sessions: who listens has to look as well.
 */
export function listenNotify(
  config: ClientConfig,
  channel: string,
  { notified, connected }: NotificationHandler,
): Listener {
  const closing = new AbortController();
  const { signal } = closing;
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
      client.on("notification", ({ payload = "" }) => notified(payload));
      try {
        await client.connect();
        await client.query(`listen ${escapeIdentifier(channel)}`);
        pauseMs = MIN_PAUSE_MS;
        if (!signal.aborted) connected();
        await ended;
      } catch {
        // The database is unavailable, which /readyz reports.
      }
      await client.end().catch(() => {});
      await wait(pauseMs * (1 - Math.random() / 2), undefined, { signal }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  })();
  return {
    close() {
      closing.abort();
      return closed;
    },
  };
}
