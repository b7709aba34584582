import path from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { type Client, type ClientConfig, Pool, type PoolConfig } from "pg";
import { PrismaClient } from "#prisma/generated/client.ts";
import { openEmbeddedPostgres } from "./embedded-postgres.ts";
import { ConfigError, type Env } from "./env.ts";
import { applyMigrations, readSchemaState } from "./migrate.ts";
import { forgetSchemaOf, recordSchemaOf, refuseUnknownFiles } from "./schema-of-files.ts";
import {
  type Leadership,
  type Listener,
  listenNotify,
  type NotificationHandler,
  newClient,
  takeLead,
} from "./session.ts";

/** An open, migrated database. */
export interface Database {
  prisma: PrismaClient;
  kind: "postgresql" | "embedded";
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  /**
   * Takes an advisory lock if nobody has it, so that one of several processes leads.
   *
   * @param space,id The two numbers of the lock, 32 bits each.
   * @returns undefined if another process has it.
   */
  lead(space: number, id: number): Promise<Leadership | undefined>;
  /** Listens to a channel, until it is closed: before the database. */
  listen(channel: string, handler: NotificationHandler): Listener;
  /** Opens a separate connection for long transactions; the caller ends it before the database is closed. */
  connect(): Promise<Client>;
  close(): Promise<void>;
}

export class DatabaseUnreachableError extends Error {
  override readonly name = "DatabaseUnreachableError";
}

/**
 * Opens the database of the service and migrates it: PostgreSQL of DATABASE_URL, otherwise the embedded PostgreSQL of the
 * data directory, which any number of processes use together.
 *
 * @param only Applies these migrations alone. Default: all of this version.
 * @throws DatabaseUnreachableError, UnknownSchemaError, MigrationError, EmbeddedDatabaseError, LockedError.
 */
export async function openDatabase(
  env: Pick<Env, "dataDir"> & Partial<Pick<Env, "databaseUrl" | "processes">>,
  only?: readonly string[],
): Promise<Database> {
  const max = Math.max(MIN_POOL, Math.min(MAX_POOL, Math.floor(POOLED / (env.processes ?? 1))));
  if (env.databaseUrl !== undefined) {
    const config = { connectionString: env.databaseUrl, max };
    return openPostgres(config, { kind: "postgresql", release: async () => {}, only });
  }
  const embedded = await openEmbeddedPostgres(env.dataDir, { examine: refuseUnknownFiles });
  try {
    const { connection, close: release } = embedded;
    const directory = path.join(env.dataDir, "postgres");
    return await openPostgres({ ...connection, max }, { kind: "embedded", release, directory, only });
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

/** Connections of a pool, and of all pools of the processes of a machine. */
const MIN_POOL = 3;
const MAX_POOL = 10;
const POOLED = 40;

/** Arbitrary number of the lock that all replicas take before they migrate. */
const MIGRATION_LOCK = 7_263_541_290;

interface Opening {
  kind: Database["kind"];
  release: () => Promise<void>;
  /** Folder with the files of the embedded database. */
  directory?: string;
  only: readonly string[] | undefined;
}

async function openPostgres(config: PoolConfig, opening: Opening): Promise<Database> {
  await migrate(config, opening);
  const { kind, release } = opening;
  const pool = new Pool({
    connectionTimeoutMillis: 10_000,
    // The driver reads and writes times as UTC and relies on the session to do the same. Not an option of the start, which
    // poolers refuse.
    onConnect: async (client) => {
      await client.query("set time zone 'UTC'");
    },
    ...config,
  });
  // The pool replaces a connection that breaks while idle; if that fails, the next query throws.
  pool.on("error", () => {});
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  let closing: Promise<void> | undefined;
  return {
    prisma,
    kind,
    ping: async () => void (await prisma.$queryRaw`select 1`),
    lead: (space, id) => takeLead(config, space, id),
    listen: (channel, handler) => listenNotify(config, channel, handler),
    connect: async () => {
      const client = newClient(config);
      await client.connect();
      return client;
    },
    close: () => {
      closing ??= prisma
        .$disconnect()
        .then(() => pool.end())
        .then(release);
      return closing;
    },
  };
}

/** Processes that start together migrate one after the other; only the first finds something to do. */
async function migrate(config: PoolConfig, { kind, directory, only }: Opening): Promise<void> {
  const client = newClient(config);
  try {
    await client.connect().catch((cause: Error) => {
      throw new DatabaseUnreachableError(`The database of DATABASE_URL does not answer: ${cause.message}`, {
        cause,
      });
    });
    if (kind === "postgresql") await refuseSharedConnections(client, config);
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await applyMigrations(client, {
      only,
      beforeWriting: async () => void (directory && (await forgetSchemaOf(directory))),
    });
    if (directory !== undefined) await recordSchemaOf(directory, await readSchemaState(client));
  } finally {
    // Ending the session always releases the lock.
    await client.end();
  }
}

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
 * Refuses such a pooler: through it a lock belongs to the next client, and notifications reach nobody, without any
 * error.
 *
 * @param client Connected.
 * @throws ConfigError
 */
export async function refuseSharedConnections(client: Client, config: ClientConfig): Promise<void> {
  const second = newClient(config);
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
