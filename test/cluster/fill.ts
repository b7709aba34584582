import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { baseEnv, here } from "./replicas.ts";
import { ARCHIVE_URL } from "./store.ts";

export interface FillOptions {
  /** Data directory of the single machine. */
  dataDir: string;
  /** Address of the hosts of feeds. */
  mirror: string;
  /** How the store is reached. */
  storeEnv: Readonly<Record<string, string>>;
  /** Weather clock, which stands still, ISO. */
  now: string;
}

/** Feeds of fields and storms that the cluster fetches. */
export const FEEDS = "lite,gfs,jtwc";

/** Lets a single machine fetch all feeds, and pushes its archive into the store. */
export async function fillStore({ dataDir, mirror, storeEnv, now }: FillOptions): Promise<void> {
  const env = {
    ...baseEnv(),
    ...storeEnv,
    DATA_DIR: dataDir,
    FEEDS,
    FEED_MIRROR: mirror,
    LOG_LEVEL: "warn",
    METOCEAN_NOW: now,
  };
  await metocean(["feeds", "now"], env);
  await metocean(["archive", "push", ARCHIVE_URL], env);
}

async function metocean(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const cli = path.join(here, "server/cli.ts");
  await promisify(execFile)(process.execPath, [cli, ...args], { cwd: here, env });
}
