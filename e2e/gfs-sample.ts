import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { root } from "./server.ts";

const folder = path.resolve(root, process.env.SAMPLES_DIR ?? "../shared/samples");

/** The GFS forecast of 2011-01-10 12Z at 120 hours, 2.5°. */
export const gfsSample = path.join(folder, "grib2", "gfs.t12z.pgrbf120.2p5deg.grib2");

/** Its reference time and its valid time. */
export const GFS_NOW = "2011-01-10T12:00:00Z";
export const GFS_VALID = "2011-01-15T12:00:00Z";

export const hasGfsSample = existsSync(gfsSample);

/** Ingests the sample into a data folder with the command. */
export function ingestGfsSample(dataDir: string): void {
  execFileSync(process.execPath, ["server/cli.ts", "ingest", "gfs", "--from", gfsSample], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DATA_DIR: dataDir },
  });
}
