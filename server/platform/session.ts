import { setTimeout as wait } from "node:timers/promises";
import { Client, type ClientConfig, escapeIdentifier } from "pg";

/** Creates a connection that is not open yet. When it breaks, it ends and its query fails. */
export function newClient(config: ClientConfig): Client {
  const client = new Client({
    ...config,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  });
  client.on("error", () => {});
  return client;
}

/** Longest wait for the end of a connection when the database has vanished, milliseconds. */
const END_MS = 3_000;

/** Ends a connection, and never rejects. */
async function end(client: Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), END_MS);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

/**
 * Connects. The database then ends the session and its locks 20 s after this machine vanishes, instead of after two
 * hours. If the setting is not possible, the session works without it. Through a pooler the setting concerns the
 * pooler's connection.
 */
async function connect(client: Client): Promise<void> {
  await client.connect();
  await client
    .query(
      "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 20000",
    )
    .catch(() => {});
}

/** An advisory lock that this process holds. */
export interface Leadership {
  /** Aborts when the connection breaks, because another process may lead from then on. */
  lost: AbortSignal;
  close(): Promise<void>;
}

/**
 * Takes an advisory lock on a connection of its own, if no other process has it. The lock ends with this process at the
 * latest, or 20 s after its machine vanished.
 *
 * @param space,id The two numbers of the lock, 32 bits each.
 * @returns undefined if another process has it.
 */
export async function takeLead(
  config: ClientConfig,
  space: number,
  id: number,
): Promise<Leadership | undefined> {
  const client = newClient(config);
  const lost = new AbortController();
  client.once("end", () => lost.abort(new Error("the connection to the database broke")));
  let isTaken = false;
  try {
    await connect(client);
    const { rows } = await client.query<{ taken: boolean }>(
      "select pg_try_advisory_lock($1::int, $2::int) as taken",
      [space, id],
    );
    isTaken = rows[0]?.taken === true;
  } finally {
    if (!isTaken) await end(client);
  }
  return isTaken ? { lost: lost.signal, close: () => end(client) } : undefined;
}

export interface NotificationHandler {
  notified(payload: string): void;
  /** Called when listening begins, initially or after a break. Notifications sent before did not arrive. */
  connected(): void;
}

export interface Listener {
  /** Resolves when its connection has ended. */
  close(): Promise<void>;
}

/**
 * Pause before the connection is opened again. It doubles with each failure and is shortened at random by up to a half.
 */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/**
 * Listens to a channel of PostgreSQL (LISTEN) on a connection of its own, which is reopened whenever it breaks.
 * Notifications may be lost unnoticed, so the listener must poll as well.
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
      const client = newClient(config);
      client.on("notification", ({ payload = "" }) => notified(payload));
      const ended = new Promise<void>((resolve) => {
        client.once("end", resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      try {
        await connect(client);
        // `close` does not wait for a database that does not respond.
        await Promise.race([client.query(`listen ${escapeIdentifier(channel)}`), ended]);
        pauseMs = MIN_PAUSE_MS;
        if (!signal.aborted) connected();
        await ended;
      } catch {
        // The database is unavailable, and /readyz reports it.
      }
      await end(client);
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
