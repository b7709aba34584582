import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Sent } from "#bench/full-size/store.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { coordinates } from "#lib/field/grid.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Profile } from "#server/ingest/feeds/field-feed.ts";
import { stamp } from "#server/ingest/feeds/field-feed.ts";
import { gfsFeed } from "#server/ingest/sources/gfs.ts";
import { columnsOf } from "#test/archive.ts";
import { type AnalyticField, analyticValue } from "#test/feeds-mirror/analytic.ts";
import { type Logged, startMirror } from "#test/feeds-mirror/mirror.ts";
import type { Resolution } from "#test/feeds-mirror/planet.ts";
import { labOptions } from "#test/lab-options.ts";
import { seeded } from "#test/seeded.ts";
import { countTwice, startFeedStore } from "./feed-store.ts";

/** Of the eight requests that a host is sent at once: what is in their sockets, and a block of each. */
const MAX_TWICE_A_KILL = 8 * 131_072;
const MAX_SHARE_TWICE = 0.02;
/** Packing of the archive and of the mirror's GRIB2; what the message is called, and the unit of the file in the catalog's. */
const COMPARED = {
  eastward_wind_10m: { tolerance: 0.03, words: "UGRD:10 m above ground", factor: 1 },
  air_pressure_at_mean_sea_level: { tolerance: 0.1, words: "PRMSL:mean sea level", factor: 0.01 },
} as const;

const given = labOptions(
  `Kills the process that fetches GFS with kill −9 at random moments, and lets the last one finish. Wrong is more bytes fetched
again than a request may lose at a kill, times the requests that run together (at 0.25° more than 2 %), a published number
that is not the mirror's, and parts that are left on disk.`,
  {
    kills: [30, "of the process"],
    seed: [1, "of the moments"],
    grid: [1, "0.25, 1 or 2.5 degrees; at 0.25 from a store with messages in their real sizes"],
    rate: [5, "MB a second that the store sends"],
    profile: ["lite", "lite, standard or full"],
  },
);
const { kills, rate } = given;
const random = seeded(given.seed);
const resolution = given.grid as Resolution;
const root = path.resolve(import.meta.dirname, "../..");
const dataDir = mkdtempSync(path.join(os.tmpdir(), "metocean-feeds-"));
// Seven hours after a base time: all steps of its cycle are there.
const now = Date.UTC(2026, 8, 1, 7) / 1000;
const profile = given.profile as Profile;
const wantedSteps = gfsFeed.parts(now - 7 * 3600, profile).length;
const mirror =
  resolution === 0.25 ? undefined : await startMirror({ now: () => now, planet: { resolution } });
const store = mirror ? undefined : await startFeedStore(rate, root);
const sentBytes = async (): Promise<Sent[]> => store?.requests() ?? sentBy(mirror!.log);
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  METOCEAN_NOW: new Date(now * 1000).toISOString().replace(".000", ""),
  FEED_MIRROR: (mirror ?? store!).url,
  FEEDS: `${profile},gfs`,
  LOG_LEVEL: "warn",
};

/**
 * @param killAfterMs Counted from its first request: before it, the database is opened.
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
  const requests = async () => (await sentBytes()).length;
  for (const before = await requests(); isRunning && (await requests()) === before; ) await delay(20);
  await Promise.race([ended, delay(killAfterMs)]);
  // What the store still holds was never fetched. What the kernel has taken for the process was, and is lost with it.
  child.kill("SIGSTOP");
  await store?.cut();
  child.kill("SIGKILL");
  return ended;
}

let killed = 0;
process.stdout.write(`Killing ${kills} times …\n`);
for (; killed < kills; killed++) {
  const before = countTwice(await sentBytes());
  const code = await fetchUntil(3000 * random() ** 2);
  const after = countTwice(await sentBytes());
  const kB = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
  process.stdout.write(
    `${killed + 1}: ${kB(after.fetched - before.fetched)}, ${kB(after.twice - before.twice)} of them again${code === null ? "" : ", ended"}\n`,
  );
}
const code = await fetchUntil(undefined);

const { fetched, twice } = countTwice(await sentBytes());
const share = twice / fetched;
process.stdout.write(
  `${kills} kills: ${fetched} bytes, ${twice} of them again (${(100 * share).toFixed(2)} %, ${Math.round(twice / kills / 1000)} kB a kill)\n`,
);
const { wrong, checked, steps } = await checkNumbers();
process.stdout.write(`${steps} steps published, ${checked} numbers compared, ${wrong} wrong\n`);
const parts = path.join(dataDir, "feeds", "parts", "gfs");
const left = readdirSync(parts).length;
await mirror?.close();
store?.close();
rmSync(dataDir, { recursive: true, force: true });
const complaints = [
  code !== 0 && `the last one ended with status ${code}`,
  mirror && twice > kills * MAX_TWICE_A_KILL && "too much was fetched again for each kill",
  store && share > MAX_SHARE_TWICE && `more than ${100 * MAX_SHARE_TWICE} % was fetched again`,
  (wrong > 0 || checked === 0) && "numbers are wrong, or none was compared",
  steps !== wantedSteps && `${wantedSteps} steps were to be published`,
  left > 0 && `${left} parts are left on disk`,
].filter((complaint) => complaint !== false && complaint !== undefined);
for (const complaint of complaints) process.stdout.write(`Not as it should be: ${complaint}\n`);
process.exit(complaints.length === 0 ? 0 : 1);

/** What the mirror sent of ranges. */
function sentBy(log: readonly Logged[]): Sent[] {
  return log.flatMap(({ url, range, sent }) => {
    const [, from] = /bytes=(\d+)-/.exec(range ?? "") ?? [];
    return from === undefined ? [] : [{ object: url, from: Number(from), sent }];
  });
}

async function checkNumbers(): Promise<{ wrong: number; checked: number; steps: number }> {
  const archive = path.join(dataDir, "archive");
  const { runs } = await readManifest(archive);
  const reader = openReader(directoryStore(archive), { cacheBytes: 1 << 26 });
  let [wrong, checked] = [0, 0];
  for (const run of runs) {
    const [latitudes, longitudes] = [coordinates(run.grid.latitude), coordinates(run.grid.longitude)];
    for (const [name, { tolerance, words, factor }] of Object.entries(COMPARED)) {
      const field = name as FieldName & AnalyticField;
      const rows = run.times.flatMap((time) =>
        Array.from({ length: 50 }, () => {
          const latitude = latitudes[Math.floor(random() * latitudes.length)]!;
          return [latitude, longitudes[Math.floor(random() * longitudes.length)]!, time] as const;
        }),
      );
      const out = new Float64Array(rows.length);
      await reader.valuesAt(run, field, columnsOf(rows), undefined, out, new AbortController().signal);
      const messages = new Map<number, Float32Array>();
      for (const time of store ? run.times : [])
        messages.set(time, await store!.message(objectOf(run.referenceTime, time), words));
      for (const [i, [latitude, longitude, time]] of rows.entries()) {
        checked++;
        const message = messages.get(time);
        const node = latitudes.indexOf(latitude) * longitudes.length + longitudes.indexOf(longitude);
        const expected = message ? message[node]! * factor : analyticValue(field, latitude, longitude, time);
        if (!(Math.abs(out[i]! - expected) <= tolerance)) wrong++;
      }
    }
  }
  return { wrong, checked, steps: new Set(runs.flatMap(({ times }) => times)).size };
}

/** The path of a step, with its host. */
function objectOf(cycle: number, time: number): string {
  const { day, hour } = stamp(cycle);
  const lead = String((time - cycle) / 3600).padStart(3, "0");
  return `/noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.${day}/${hour}/atmos/gfs.t${hour}z.pgrb2.0p25.f${lead}`;
}
