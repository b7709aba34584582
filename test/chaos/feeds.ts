/**
 * Kills the process that fetches a feed with kill −9 at random moments, and lets the last one finish:
 * `npm run chaos:feeds [kills] [seed] [2.5|1|0.25]`. The feed comes from the mirror on loopback. Prints how many bytes were fetched
 * more than once; exits 1 if that is more than a request may lose at a kill, times the requests that run together, if a published number is not that of the mirror's planet, or if parts
 * are left on disk.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FieldName } from "#lib/catalog/fields.ts";
import { coordinates } from "#lib/field/grid.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import { columnsOf } from "#test/archive.ts";
import { type AnalyticField, analyticValue } from "#test/feeds-mirror/analytic.ts";
import { type Logged, startMirror } from "#test/feeds-mirror/mirror.ts";
import type { Resolution } from "#test/feeds-mirror/planet.ts";
import { seeded } from "#test/seeded.ts";

/** Three parts at once, eight requests at once, 64 KiB each: server/platform/fetching/partial-file.ts. */
const MAX_TWICE_A_KILL = 3 * 8 * 65_536;
/** Packing of the archive and of the mirror's GRIB2. */
const TOLERANCE: Partial<Record<FieldName, number>> = {
  eastward_wind_10m: 0.03,
  air_pressure_at_mean_sea_level: 0.1,
};

const kills = Number(process.argv[2] ?? 30);
const random = seeded(Number(process.argv[3] ?? 1));
const resolution = Number(process.argv[4] ?? 1) as Resolution;
const root = path.resolve(import.meta.dirname, "../..");
const dataDir = mkdtempSync(path.join(os.tmpdir(), "metocean-feeds-"));
// Seven hours after a base time: all steps of its cycle are there.
const now = Date.UTC(2026, 8, 1, 7) / 1000;
const mirror = await startMirror({ now: () => now, planet: { resolution, packing: "real" } });
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  METOCEAN_NOW: new Date(now * 1000).toISOString().replace(".000", ""),
  FEED_MIRROR: mirror.url,
  FEEDS: "lite,gfs",
  LOG_LEVEL: "warn",
};

/**
 * @param killAfterMs Counted from its first request: before it, the database is opened.
 * @returns Exit code; null where it was killed.
 */
async function fetchUntil(killAfterMs: number | undefined): Promise<number | null> {
  const child = spawn(process.execPath, ["server/cli.ts", "feeds", "now"], {
    cwd: root,
    env,
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (killAfterMs === undefined) return ended;
  let isRunning = true;
  void ended.finally(() => {
    isRunning = false;
  });
  for (const before = mirror.log.length; isRunning && mirror.log.length === before; ) await delay(20);
  await Promise.race([ended, delay(killAfterMs)]);
  child.kill("SIGKILL");
  return ended;
}

let killed = 0;
process.stdout.write(`Killing ${kills} times …\n`);
for (; killed < kills; killed++) {
  const before = mirror.log.length;
  const code = await fetchUntil(3000 * random() ** 2);
  process.stdout.write(
    `${killed + 1}: ${mirror.log.length - before} requests${code === null ? "" : ", ended"}\n`,
  );
}
const code = await fetchUntil(undefined);

const { fetched, twice } = countBytes(mirror.log);
const share = twice / fetched;
process.stdout.write(
  `${kills} kills: ${fetched} bytes, ${twice} of them again (${(100 * share).toFixed(2)} %, ${Math.round(twice / kills / 1000)} kB a kill)\n`,
);
const { wrong, checked, steps } = await checkNumbers();
process.stdout.write(`${steps} steps published, ${checked} numbers compared, ${wrong} wrong\n`);
const parts = path.join(dataDir, "feeds", "parts", "gfs");
const left = readdirSync(parts).length;
await mirror.close();
rmSync(dataDir, { recursive: true, force: true });
process.exit(
  code === 0 && twice <= kills * MAX_TWICE_A_KILL && wrong === 0 && checked > 0 && steps === 41 && left === 0
    ? 0
    : 1,
);

/** Bytes of complete answers with ranges, and those of them that had been fetched before. */
function countBytes(log: readonly Logged[]): { fetched: number; twice: number } {
  const seen = new Map<string, Set<number>>();
  let [fetched, twice] = [0, 0];
  for (const { url, range, status } of log) {
    const match = /bytes=(\d+)-(\d+)/.exec(range ?? "");
    if (!match || status !== 206) continue;
    const known = seen.get(url) ?? new Set();
    seen.set(url, known);
    // In units of 64 bytes: ranges begin anywhere.
    for (let block = Math.floor(Number(match[1]) / 64); block < Math.floor(Number(match[2]) / 64); block++) {
      fetched += 64;
      if (known.has(block)) twice += 64;
      known.add(block);
    }
  }
  return { fetched, twice };
}

async function checkNumbers(): Promise<{ wrong: number; checked: number; steps: number }> {
  const archive = path.join(dataDir, "archive");
  const { runs } = await readManifest(archive);
  const reader = openReader(directoryStore(archive), { cacheBytes: 1 << 26 });
  let [wrong, checked] = [0, 0];
  for (const run of runs) {
    const [latitudes, longitudes] = [coordinates(run.grid.latitude), coordinates(run.grid.longitude)];
    for (const [name, tolerance] of Object.entries(TOLERANCE) as [FieldName, number][]) {
      const rows = run.times.flatMap((time) =>
        Array.from({ length: 50 }, () => {
          const latitude = latitudes[Math.floor(random() * latitudes.length)]!;
          return [latitude, longitudes[Math.floor(random() * longitudes.length)]!, time] as const;
        }),
      );
      const out = new Float64Array(rows.length);
      await reader.valuesAt(run, name, columnsOf(rows), undefined, out, new AbortController().signal);
      for (const [i, [latitude, longitude, time]] of rows.entries()) {
        checked++;
        const expected = analyticValue(name as AnalyticField, latitude, longitude, time);
        if (!(Math.abs(out[i]! - expected) <= tolerance)) wrong++;
      }
    }
  }
  return { wrong, checked, steps: new Set(runs.flatMap(({ times }) => times)).size };
}
