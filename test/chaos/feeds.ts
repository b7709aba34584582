import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { coordinates } from "@open-metocean/geo/grid";
import type { FieldName } from "#lib/catalog/fields.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { NAMES_FILE } from "#server/ingest/feeds/part-store.ts";
import { columnsOf } from "#test/archive.ts";
import { type AnalyticField, analyticValue } from "#test/feeds-mirror/analytic.ts";
import { type Logged, startMirror } from "#test/feeds-mirror/mirror.ts";
import type { Resolution } from "#test/feeds-mirror/planet.ts";
import { feedNamed } from "#test/feeds-week/short-feed.ts";
import { labOptions } from "#test/lab-options.ts";
import { seeded } from "#test/seeded.ts";

/** Most bytes fetched twice per kill: for each of the eight parallel requests, the data in its socket and one block. */
const MAX_TWICE_A_KILL = 8 * 131_072;
/** Tolerances for packing in the archive and in the mirror's GRIB2. */
const tolerances = { eastward_wind_10m: 0.03, air_pressure_at_mean_sea_level: 0.1 } as const;

const given = labOptions(
  `Kills the process that fetches GFS with kill −9 at random moments, and lets the last one finish. Wrong is more bytes fetched
again than a request may lose at a kill, times the requests that run together, a published number that is not the mirror's,
and parts that are left on disk.`,
  {
    kills: [30, "of the process"],
    seed: [1, "of the moments"],
    grid: [1, "0.25, 1 or 2.5 degrees"],
    profile: ["lite", "lite, standard or full"],
  },
);
const { kills } = given;
const random = seeded(given.seed);
const root = path.resolve(import.meta.dirname, "../..");
const dataDir = mkdtempSync(path.join(os.tmpdir(), "metocean-feeds-"));
// Seven hours after a base time, all steps of its cycle are available.
const now = Date.UTC(2026, 8, 1, 7) / 1000;
const profile = given.profile as Profile;
const wantedSteps = feedNamed("gfs").parts(now - 7 * 3600, profile).length;
const mirror = await startMirror({ now: () => now, planet: { resolution: given.grid as Resolution } });
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  METOCEAN_NOW: new Date(now * 1000).toISOString().replace(".000", ""),
  FEED_MIRROR: mirror.url,
  FEEDS: `${profile},gfs`,
  LOG_LEVEL: "warn",
};

/**
 * @param killAfterMs Milliseconds after its first request; before it, the database is opened.
 * @returns Exit code; null where it was killed.
 */
async function fetchUntil(killAfterMs: number | undefined): Promise<number | null> {
  const child = spawn(process.execPath, ["server/cli.ts", "feeds", "now", "gfs"], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (killAfterMs === undefined) return ended;
  let isRunning = true;
  void ended.finally(() => {
    isRunning = false;
  });
  const before = mirror.log.length;
  while (isRunning && mirror.log.length === before) await delay(20);
  await Promise.race([ended, delay(killAfterMs)]);
  child.kill("SIGKILL");
  return ended;
}

let killed = 0;
process.stdout.write(`Killing ${kills} times …\n`);
for (; killed < kills; killed++) {
  const before = countTwice(mirror.log);
  const code = await fetchUntil(3000 * random() ** 2);
  const after = countTwice(mirror.log);
  const kB = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
  process.stdout.write(
    `${killed + 1}: ${kB(after.fetched - before.fetched)}, ${kB(after.twice - before.twice)} of them again${code === null ? "" : ", ended"}\n`,
  );
}
const code = await fetchUntil(undefined);

const { fetched, twice } = countTwice(mirror.log);
process.stdout.write(
  `${kills} kills: ${fetched} bytes, ${twice} of them again (${Math.round(twice / kills / 1000)} kB a kill)\n`,
);
const { wrong, checked, steps } = await checkNumbers();
process.stdout.write(`${steps} steps published, ${checked} numbers compared, ${wrong} wrong\n`);
const parts = path.join(dataDir, "feeds", "parts", "gfs");
const left = readdirSync(parts, { recursive: true, withFileTypes: true }).filter(
  (entry) => entry.isFile() && entry.name !== NAMES_FILE,
).length;
await mirror.close();
rmSync(dataDir, { recursive: true, force: true });
const complaints = [
  code !== 0 && `the last one ended with status ${code}`,
  twice > kills * MAX_TWICE_A_KILL && "too much was fetched again for each kill",
  (wrong > 0 || checked === 0) && "numbers are wrong, or none was compared",
  steps !== wantedSteps && `${wantedSteps} steps were to be published`,
  left > 0 && `${left} files of parts are left on disk`,
].filter((complaint) => complaint !== false);
for (const complaint of complaints) process.stdout.write(`Not as it should be: ${complaint}\n`);
process.exit(complaints.length === 0 ? 0 : 1);

/** Bytes of all ranges, and of those that had been sent before. */
function countTwice(requests: readonly Logged[]): { fetched: number; twice: number } {
  const known = new Map<string, [from: number, to: number][]>();
  let [fetched, twice] = [0, 0];
  for (const { url: object, range, sent } of requests) {
    const from = Number(/bytes=(\d+)-/.exec(range ?? "")?.[1] ?? Number.NaN);
    if (Number.isNaN(from)) continue;
    const to = from + sent;
    fetched += sent;
    let fresh = [[from, to] as [number, number]];
    for (const [start, end] of known.get(object) ?? [])
      fresh = fresh.flatMap(([a, b]) =>
        (
          [
            [a, Math.min(b, start)],
            [Math.max(a, end), b],
          ] as [number, number][]
        ).filter(([x, y]) => x < y),
      );
    twice += sent - fresh.reduce((sum, [a, b]) => sum + b - a, 0);
    known.set(object, [...(known.get(object) ?? []), ...fresh]);
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
    for (const [name, tolerance] of Object.entries(tolerances)) {
      const field = name as FieldName & AnalyticField;
      const rows = run.times.flatMap((time) =>
        Array.from({ length: 50 }, () => {
          const latitude = latitudes[Math.floor(random() * latitudes.length)]!;
          return [latitude, longitudes[Math.floor(random() * longitudes.length)]!, time] as const;
        }),
      );
      const out = new Float64Array(rows.length);
      await reader.valuesAt(run, field, columnsOf(rows), undefined, out, new AbortController().signal);
      for (const [i, [latitude, longitude, time]] of rows.entries()) {
        checked++;
        const expected = analyticValue(field, latitude, longitude, time);
        if (!(Math.abs(out[i]! - expected) <= tolerance)) wrong++;
      }
    }
  }
  return { wrong, checked, steps: new Set(runs.flatMap(({ times }) => times)).size };
}
