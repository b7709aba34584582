import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientConfig, escapeLiteral } from "pg";
import { monotonicMs } from "./clock.ts";
import { type ClusterOptions, EmbeddedCluster, EmbeddedDatabaseError } from "./embedded-cluster.ts";
import { ConfigError } from "./env.ts";
import { acquireLock, type Lock, LockedError } from "./lock.ts";
import { commandLine } from "./process-identity.ts";
import { prepareFolder } from "./usable-folder.ts";

/** The running embedded PostgreSQL. This process counts as a user until `close`. */
export interface EmbeddedPostgres {
  connection: ClientConfig;
  /** Stops counting as a user. The last user of all processes stops the server. */
  close(): Promise<void>;
}

export interface EmbeddedOptions extends ClusterOptions {
  /**
   * Called with PostgreSQL's data directory before a server starts on it and before its owner changes. If it throws,
   * the opening fails and nothing is changed.
   */
  examine?: (directory: string) => Promise<void>;
}

/**
 * Longest path of the data folder, bytes. PostgreSQL's programs read paths of up to 1,023 bytes, including files inside
 * the folder.
 */
const MAX_PATH = 900;

/** Keys of advisory locks. Every user holds the first one shared; the watching session holds the second. */
const USERS = 726_354_129;
const WATCH = 726_354_130;

/** How often the watching session looks for users, seconds. */
const WATCH_S = 3;

/**
 * A process that is starting in another container or on another machine counts as dead after this long without a
 * heartbeat.
 */
const SILENCE_MS = 15_000;

/** Longest wait for another process that is starting or stopping the server. */
const MAX_WAIT_MS = 60_000;

/**
 * Connects to the embedded PostgreSQL of a data directory. Starts the server, and creates its files, if necessary.
 *
 * Any number of processes use one server, and each holds an advisory lock shared. Whoever gets the lock exclusively may
 * stop the server: the last user when it closes or, if the last user was killed with kill −9, a session inside the
 * server that watches for this. The server therefore stops only when nobody uses it, and does not outlive its last
 * user.
 *
 * @throws EmbeddedDatabaseError, LockedError, and what `examine` throws
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  { examine = async () => {}, ...options }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  if (Buffer.byteLength(dataDir) > MAX_PATH)
    throw new EmbeddedDatabaseError(
      `DATA_DIR=${dataDir} cannot be used: its path has more than ${MAX_PATH} bytes, which PostgreSQL does not read.`,
    );
  await prepareFolder(dataDir, `DATA_DIR=${dataDir}`);
  const cluster = new EmbeddedCluster(dataDir, options);
  const member = new Member(cluster, examine);
  try {
    await member.join();
  } catch (error) {
    await member.close();
    throw error;
  }
  return { connection: cluster.connection()!, close: () => member.close() };
}

class Member {
  readonly #cluster: EmbeddedCluster;
  readonly #examine: (directory: string) => Promise<void>;
  #isExamined = false;
  #closing = false;
  #client: Client | undefined;
  #watch: Client | undefined;
  #rejoining: Promise<void> | undefined;
  /**
   * The lock that is required to start a server. The first user keeps it, so that another machine, which cannot see the
   * server's process, does not start a second one on a shared disk.
   */
  #lock: Lock | undefined;

  constructor(cluster: EmbeddedCluster, examine: (directory: string) => Promise<void>) {
    this.#cluster = cluster;
    this.#examine = examine;
  }

  async join(): Promise<void> {
    const client = await this.#enterOrStart();
    this.#client = client;
    client.once("end", () => this.#lost(client));
    if (!this.#lock) await this.#tryLock();
    this.#watch = await watch(this.#cluster);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#rejoining;
    if (this.#client) await this.#leave(this.#client);
    await Promise.all([end(this.#client), end(this.#watch)]);
    this.#cluster.close();
    await this.#lock?.release();
  }

  /** Stops the server unless another process uses it. */
  async #leave(client: Client): Promise<void> {
    try {
      const { rows } = await client.query(`select pg_try_advisory_lock(${USERS}) as last`);
      if (!rows[0].last) return;
    } catch (error) {
      if (isGone(error)) return;
      throw error;
    }
    // The server ends this statement, and the program with it, when it stops.
    await client
      .query(`copy (select) to program ${escapeLiteral(this.#cluster.stopCommand)}`)
      .catch(() => {});
    const deadline = monotonicMs() + MAX_WAIT_MS;
    // The server removes this record as its last action.
    while (this.#cluster.isRecorded && monotonicMs() < deadline) await delay(5);
  }

  /**
   * Reconnects after the server was killed or restarted. Connection pools replace their other connections once it runs
   * again.
   */
  #lost(client: Client): void {
    if (this.#closing || client !== this.#client) return;
    this.#client = undefined;
    this.#rejoining = this.#rejoin();
  }

  async #rejoin(): Promise<void> {
    await end(this.#watch);
    while (!this.#closing) {
      try {
        return await this.join();
      } catch {
        const client = this.#client;
        this.#client = undefined;
        await end(client);
        // Requests fail meanwhile and /readyz says so; the reason is in postgres.log.
        await delay(1000);
      }
    }
  }

  async #enterOrStart(): Promise<Client> {
    let deadline = monotonicMs() + MAX_WAIT_MS;
    let started: Awaited<ReturnType<EmbeddedCluster["start"]>> | undefined;
    let output = "";
    for (;;) {
      const entered = await enter(this.#cluster);
      if (entered instanceof Client) return entered;
      // Recovery after a crash has no time limit.
      if (entered === "not ready") deadline = monotonicMs() + MAX_WAIT_MS;
      // A server that this process started is joined in any case, so that it is also stopped.
      if (monotonicMs() > deadline || (this.#closing && !started)) {
        throw new Error(`The embedded PostgreSQL does not answer:\n${started?.output() || output}`);
      }
      const exited = started && (started.process.exitCode ?? started.process.signalCode) !== null;
      if (started && exited && !MAY_BE_TEMPORARY.test(started.output())) {
        throw new Error(`The embedded PostgreSQL does not start:\n${started.output()}`);
      }
      if (entered === undefined && (!started || exited)) {
        await this.#examineFiles();
        const locked = await this.#tryLock();
        if (!locked) {
          output = started?.output() ?? "";
          started = await this.#cluster.start();
        } else if (monotonicMs() > deadline - RETRY_MS) throw locked;
        else await delay(RETRY_MS);
      }
      await delay(10);
    }
  }

  /** Examines the files before the lock is taken, because taking it replaces the lock of a process that was killed. */
  async #examineFiles(): Promise<void> {
    if (this.#isExamined || !existsSync(this.#cluster.directory)) return;
    try {
      await this.#examine(this.#cluster.directory);
    } catch (error) {
      // Another process has started a server meanwhile; the server is asked instead of the files.
      if (error instanceof ConfigError || !this.#cluster.isRecorded) throw error;
      return;
    }
    this.#isExamined = true;
  }

  /** @returns The error that says who has the lock; undefined when this process has it now. */
  async #tryLock(): Promise<LockedError | undefined> {
    try {
      this.#lock ??= await acquireLock(path.join(this.#cluster.dataDir, "postgres.lock"), {
        silenceMs: SILENCE_MS,
      });
      return undefined;
    } catch (error) {
      if (error instanceof LockedError) return error;
      throw error;
    }
  }
}

const RETRY_MS = 100;

/**
 * Errors that may pass: another server is still running or just starting, or processes of a killed one are still
 * ending.
 */
const MAY_BE_TEMPORARY =
  /lock file "\S+" already exists|lock file "\S+" is empty|bogus data in lock file|shared memory block .* is still in use/;

/** @returns A connection that counts as a user; undefined where no server listens. */
async function enter(cluster: EmbeddedCluster): Promise<Client | "not ready" | undefined> {
  const config = cluster.connection();
  if (!config) return undefined;
  const client = new Client({ ...config, connectionTimeoutMillis: 10_000, application_name: userName() });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(`select pg_advisory_lock_shared(${USERS})`);
    return client;
  } catch (error) {
    await end(client);
    if ((error as { code?: string }).code === CANNOT_CONNECT_NOW) return "not ready";
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** The name of the connection, which `doctor` shows. PostgreSQL cuts it after 63 bytes. */
function userName(): string {
  return `${USER_PREFIX}process ${process.pid} on ${os.hostname()}, ${commandLine()}`;
}

export const USER_PREFIX = "user: ";

/**
 * Starts the session that stops the server when it has no users, unless there is one already. The session outlives its
 * client: PostgreSQL notices a dead client only when it has something to send.
 */
async function watch(cluster: EmbeddedCluster): Promise<Client> {
  const client = new Client({ ...cluster.connection(), application_name: "watch for users" });
  client.on("error", () => {});
  await client.connect();
  // The query resolves when another session watches already, and rejects when the server stops.
  client
    .query(
      `do $$ begin
        if not pg_try_advisory_lock(${WATCH}) then return; end if;
        loop
          commit;
          perform pg_sleep(${WATCH_S});
          exit when pg_try_advisory_lock(${USERS});
        end loop;
        copy (select) to program ${escapeLiteral(cluster.stopCommand)};
        perform pg_sleep(60);
      end $$`,
    )
    .catch(() => {})
    .then(() => end(client));
  return client;
}

const CANNOT_CONNECT_NOW = "57P03";
const GONE = new Set(["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE", "57P01", "57P02"]);

/** Whether a connection failed because the server is not running (any longer). */
function isGone(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return (
    (code !== undefined && GONE.has(code)) || /^Connection terminated|^Client has encountered/.test(message)
  );
}

async function end(client: Client | undefined): Promise<void> {
  await client?.end().catch(() => {});
}
