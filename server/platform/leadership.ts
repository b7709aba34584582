import { Client, type ClientConfig } from "pg";

/** An advisory lock that this process has. */
export interface Leadership {
  /** Aborts when the connection breaks: another process may lead from then on. */
  lost: AbortSignal;
  close(): Promise<void>;
}

/**
 * Takes an advisory lock on a connection of its own, if nobody has it. It ends at the latest with this process.
 *
 * @param space,id The two numbers of the lock, 32 bits each.
 * @returns undefined if another process has it.
 */
export async function takeLead(
  config: ClientConfig,
  space: number,
  id: number,
): Promise<Leadership | undefined> {
  const client = new Client({ ...config, connectionTimeoutMillis: 10_000, keepAlive: true });
  const lost = new AbortController();
  // A connection that breaks also ends.
  client.on("error", () => {});
  client.once("end", () => lost.abort(new Error("the connection to the database broke")));
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>(
    "select pg_try_advisory_lock($1::int, $2::int) as taken",
    [space, id],
  );
  if (!rows[0]?.taken) {
    await client.end();
    return undefined;
  }
  return { lost: lost.signal, close: () => client.end() };
}
