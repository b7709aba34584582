import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { EmbeddedCluster } from "#server/platform/embedded-cluster.ts";

/** A PostgreSQL server of its own, on a port of loopback, as an operator would have one. */
export interface ClusterDatabase {
  /** DATABASE_URL. */
  url: string;
  /** Starts it, and waits until it answers. */
  start(): Promise<void>;
  /** Disconnects all, as a restart by an operator does. */
  stop(): Promise<void>;
}

/** Two web and two workers have ten connections and a few sessions each. */
const SETTINGS = ["max_connections=200"];
const POLL_MS = 50;
const MAX_MS = 60_000;

/** @param folder Of its data; created. */
export async function startDatabase(folder: string, port: number): Promise<ClusterDatabase> {
  mkdirSync(folder, { recursive: true });
  const cluster = new EmbeddedCluster(folder, { loopback: true, settings: [...SETTINGS, `port=${port}`] });
  const pidFile = path.join(cluster.directory, "postmaster.pid");
  const pid = () => {
    try {
      return Number(readFileSync(pidFile, "utf8").split("\n")[0]);
    } catch {
      return undefined;
    }
  };
  let ended: Promise<unknown> = Promise.resolve();
  const database = {
    url: "",
    async start() {
      // It is not released: it ends with this process, from whatever cause.
      const { process, output } = await cluster.start();
      ended = new Promise((resolve) => process.once("exit", resolve));
      const deadline = performance.now() + MAX_MS;
      while (!(await answers(cluster))) {
        if (performance.now() > deadline) throw new Error(`PostgreSQL does not start:\n${output()}`);
        await delay(POLL_MS);
      }
    },
    async stop() {
      const running = pid();
      if (running) process.kill(running, "SIGINT");
      await ended;
    },
  };
  await database.start();
  const { user, host, password, database: name } = cluster.connection()!;
  database.url = `postgresql://${user}:${String(password)}@${host}:${port}/${name}`;
  return database;
}

async function answers(cluster: EmbeddedCluster): Promise<boolean> {
  const client = new Client({ ...cluster.connection(), connectionTimeoutMillis: 1000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
