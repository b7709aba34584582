import { Client, type ClientConfig } from "pg";
import { ConfigError } from "./env.ts";

type Asked = Pick<Client, "query">;

/** Which of two connections asks. However a pooler chooses, one of them changes, or both have the same. */
const ORDER = [0, 1, 1, 0, 1, 0, 0, 1] as const;

/** Whether a pooler gives a connection of PostgreSQL to another client as soon as a transaction has ended. */
export async function sharesConnections(clients: readonly [Asked, Asked]): Promise<boolean> {
  const seen = [new Set<number>(), new Set<number>()] as const;
  for (const which of ORDER) {
    const { rows } = await clients[which].query("select pg_backend_pid() as pid");
    seen[which].add(rows[0].pid);
  }
  return seen.some(({ size }) => size > 1) || [...seen[0]].some((pid) => seen[1].has(pid));
}

/**
 * Through such a pooler a lock belongs to whoever comes next, and notifications reach nobody. Nothing would say so.
 *
 * @param client Connected.
 * @throws ConfigError
 */
export async function refuseSharedConnections(client: Client, config: ClientConfig): Promise<void> {
  const second = new Client(config);
  // A connection that breaks fails its query too.
  second.on("error", () => {});
  try {
    await second.connect();
    if (!(await sharesConnections([client, second]))) return;
  } finally {
    await second.end();
  }
  throw new ConfigError(
    "DATABASE_URL leads to a pooler that shares connections between transactions (pool_mode=transaction or statement of " +
      "pgbouncer). Locks and notifications need sessions: use pool_mode=session, or PostgreSQL's own port.",
  );
}
