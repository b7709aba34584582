import { setTimeout as wait } from "node:timers/promises";
import { Client, type ClientConfig, escapeIdentifier } from "pg";

/** A connection that is still to be opened. One that breaks ends, and fails its query. */
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

/** How long a database that vanished keeps the end of a connection waiting, milliseconds. */
const END_MS = 3_000;

/** Ends a connection, and never rejects. */
async function end(client: Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), END_MS);
  await client.end().catch(() => {});
  clearTimeout(timer);
}

/**
 * Connects, and has the database end the session, and its locks, 20 s after this machine vanished: by itself it would
 * after two hours. Where it cannot, it does without. Through a pooler this is about the pooler's connection.
 */
async function connect(client: Client): Promise<void> {
  await client.connect();
  await client
    .query(
      "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 20000",
    )
    .catch(() => {});
}

/** An advisory lock that this process has. */
export interface Leadership {
  /** Aborts when the connection breaks: another process may lead from then on. */
  lost: AbortSignal;
  close(): Promise<void>;
}

/**
 * Takes an advisory lock on a connection of its own, if nobody has it. It ends at the latest with this process, or
 * 20 s after its machine vanished.
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

/** What a listener is told. */
export interface NotificationHandler {
  notified(payload: string): void;
  /** It listens from now on, for the first time or again: notifications sent before did not arrive. */
  connected(): void;
}

export interface Listener {
  /** Resolves when its connection has ended. */
  close(): Promise<void>;
}

/** Pause before the connection is opened again: doubled with each failure, and shortened at random by up to a half. */
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

/**
 * Listens to a channel of PostgreSQL (LISTEN) on a connection of its own, which is opened again whenever it breaks. A
 * notification may be lost, also unnoticed: who listens has to look as well.
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
        // A database that stands still does not keep `close` waiting.
        await Promise.race([client.query(`listen ${escapeIdentifier(channel)}`), ended]);
        pauseMs = MIN_PAUSE_MS;
        if (!signal.aborted) connected();
        await ended;
      } catch {
        // The database is unavailable, which /readyz reports.
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
