import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Grid } from "@open-metocean/geo/grid";
import { ensembleQuantities } from "#lib/catalog/ensemble.ts";
import { storedSteps } from "#lib/catalog/map-fields.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { quantityOf } from "#lib/ensemble/step-statistics.ts";
import { chunkNames, chunkPart, wholePart } from "#lib/field/frame-chunks.ts";
import { HOUR_S } from "#lib/time.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { layoutOf, openField } from "#server/archive/field-writer.ts";
import { frameChunking, levelGrid } from "#server/archive/layout.ts";
import { makeFrame, openStoredFrames, packFrame } from "#server/archive/map-frames.ts";
import { type ArchiveReader, openReader } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { beginRun } from "#server/archive/writer.ts";
import { type ArrayLayout, shardKey } from "#server/archive/zarr-metadata.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { demoPool, demoStore } from "#server/demo/store.ts";
import { seeded } from "#test/seeded.ts";
import { median } from "./median.ts";
import { randomWaves } from "./weather-like.ts";

const MEMBERS = 31;
const START = 1_789_473_600;
const EAST = "eastward_wind_10m";
const NORTH = "northward_wind_10m";
const WIND = [EAST, NORTH] as const;
const [wind] = ensembleQuantities as [(typeof ensembleQuantities)[number]];
const never = new AbortController().signal;
const PLACES = 15;

const gridOf = (step: number): Grid => ({
  latitude: { start: -90, step, count: 180 / step + 1 },
  longitude: { start: -180, step, count: 360 / step },
});
const timesOf = (count: number) => Array.from({ length: count }, (_, step) => START + step * 6 * HOUR_S);

/** Compares layouts of members at 1°, then measures the chosen one, statistics and the demo. */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-ensemble-"));
  try {
    await compareLayouts(folder);
    await measureArchive(folder);
    await measureDemo(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Members of a wind component: they share their waves, and part from them as a forecast of ten days does. Few perturbations
 * are computed, and each member has one of them, turned around the globe.
 */
function memberWinds(grid: Grid, seed: number) {
  const shared = randomWaves(grid, 1.2, 6, seed);
  const apart = [1, 2, 3, 4].map((one) => randomWaves(grid, 1, 6, 100 * seed + one));
  const columns = grid.longitude.count;
  const nodes = grid.latitude.count * columns;
  return (step: number): Float32Array => {
    const hour = 6 * step;
    const [base, waves] = [shared(hour), apart.map((one) => one(hour))];
    const amplitude = 0.4 + 3.6 * (hour / 240);
    const out = new Float32Array(MEMBERS * nodes);
    for (let member = 0; member < MEMBERS; member++) {
      const own = waves[member % waves.length]!;
      const turn = 11 * member;
      const [sign, first] = [member % 8 < 4 ? 1 : -1, member * nodes];
      for (let node = 0; node < nodes; node++) {
        const column = node % columns;
        out[first + node] =
          7 * base[node]! + sign * amplitude * own[node - column + ((column + turn) % columns)]!;
      }
    }
    return out;
  };
}

const SERIES = 41;

/** A way to store members: the chunk of an array of all of them, or undefined for a run a member. */
const shapes: readonly (readonly [number, number, number] | undefined)[] = [
  undefined,
  [1, 4, 4],
  [2, 2, 4],
  [4, 2, 2],
  [8, 1, 2],
];

async function compareLayouts(folder: string): Promise<void> {
  const grid = gridOf(1);
  const times = timesOf(SERIES);
  const nodes = grid.latitude.count * grid.longitude.count;
  const whole = layoutOf(grid, SERIES, MEMBERS);
  const layouts = shapes.map((chunk, i): { name: string; runs: Run[]; layout: ArrayLayout } => ({
    name: chunk
      ? `members within chunks of ${chunk[0]}×${whole.members!.places}×${chunk[1]}×${chunk[2]}`
      : "a run a member",
    layout: chunk ? { ...whole, chunk } : layoutOf(grid, SERIES),
    runs: Array.from({ length: chunk ? 1 : MEMBERS }, (_, member) =>
      runAt(`layout-${i}-${member}`, grid, times, !!chunk),
    ),
  }));
  const fields = await Promise.all(
    WIND.flatMap((name) =>
      layouts.map(async ({ runs, layout }) => ({
        name,
        fields: await Promise.all(
          runs.map(async (run) => {
            await mkdir(path.join(folder, run.path, "points"), { recursive: true });
            return openField({ folder: path.join(folder, run.path), layout }, name, undefined);
          }),
        ),
        ms: 0,
      })),
    ),
  );
  for (const [seed, name] of WIND.entries()) {
    const winds = memberWinds(grid, seed + 1);
    for (let step = 0; step < SERIES; step++) {
      const values = winds(step);
      for (const writing of fields.filter((one) => one.name === name)) {
        writing.ms += await processorTime(async () => {
          if (writing.fields.length === 1) await writing.fields[0]!.add(step, values);
          else
            for (const [member, field] of writing.fields.entries())
              await field.add(step, values.subarray(member * nodes, (member + 1) * nodes));
        });
      }
    }
  }
  for (const { fields: written } of fields) for (const field of written) await field.end();

  console.log("wind of 31 members, 41 steps, 1°; milliseconds of processor time, medians of 15 places");
  console.log(
    "layout".padEnd(36),
    ["bytes/value", "write s", "first", "point", "series", "step", "again"]
      .map((head) => head.padStart(11))
      .join(""),
  );
  const random = seeded(3);
  const places = Array.from({ length: PLACES }, () => [-70 + 140 * random(), -180 + 360 * random()] as const);
  for (const [i, { name, runs, layout }] of layouts.entries()) {
    const bytes = await bytesOf(folder, runs, layout);
    const one = times.slice(20, 21);
    const read = (reader: ArchiveReader, [lat, lon]: readonly [number, number], when: readonly number[]) =>
      readMembers(reader, runs, lat, lon, when);
    const first: number[] = [];
    const [point, series, again]: number[][] = [[], [], []];
    for (const place of places) {
      const reader = openReader(directoryStore(folder), { cacheBytes: 64e6 });
      first.push(await processorTime(() => read(reader, place, one)));
      const other = [-place[0], place[1]] as const;
      point!.push(await processorTime(() => read(reader, other, one)));
      series!.push(await processorTime(() => read(reader, [place[0] / 2, -place[1]], times)));
      again!.push(await processorTime(() => read(reader, [place[0] / 2, -place[1]], times)));
    }
    const reader = openReader(directoryStore(folder), { cacheBytes: 64e6 });
    const steps: number[] = [];
    for (let step = 18; step < 23; step++)
      steps.push(
        await processorTime(async () => {
          for (const field of WIND)
            if (runs.length === 1) await reader.memberSteps(runs[0]!, field, step, never);
            else for (const run of runs) await reader.mapStep(run, field, step, 1, never);
        }),
      );
    const ms = fields.filter((_, at) => at % layouts.length === i).reduce((sum, field) => sum + field.ms, 0);
    const values = 2 * MEMBERS * SERIES * nodes;
    const cells = [
      bytes / values,
      ms / 1000,
      median(first),
      median(point!),
      median(series!),
      median(steps),
      median(again!),
    ];
    console.log(name.padEnd(36), cells.map((value) => value.toFixed(2).padStart(11)).join(""));
  }
}

function runAt(id: string, grid: Grid, times: number[], hasMembers: boolean): Run {
  return {
    id,
    path: `runs/${id}`,
    dataset: "Forecast",
    source: "bench",
    model: "bench",
    referenceTime: START,
    grid,
    times,
    levels: [1],
    fields: Object.fromEntries(WIND.map((name) => [name, hasMembers ? { members: true as const } : {}])),
    ...(hasMembers && { ensemble: { members: [...Array(MEMBERS).keys()], size: MEMBERS } }),
  };
}

async function bytesOf(folder: string, runs: readonly Run[], layout: ArrayLayout): Promise<number> {
  let bytes = 0;
  for (const run of runs)
    for (const name of WIND)
      bytes += (await stat(path.join(folder, run.path, "points", name, shardKey(layout)))).size;
  return bytes;
}

/** Milliseconds that pass. */
async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Milliseconds of processor time of all threads, which other programs on the machine change less. */
async function processorTime(work: () => unknown): Promise<number> {
  const started = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** Reads the wind of all members at a place. @param runs One run with all of them, or a run a member. */
async function readMembers(
  reader: ArchiveReader,
  runs: readonly Run[],
  latitude: number,
  longitude: number,
  times: readonly number[],
): Promise<void> {
  const count = times.length;
  const points = {
    count,
    latitude: new Float64Array(count).fill(latitude),
    longitude: new Float64Array(count).fill(longitude),
    time: Float64Array.from(times),
  };
  const out = new Float64Array(count);
  for (let member = 0; member < MEMBERS; member++) {
    const run = runs.length === 1 ? { ...runs[0]!, member } : runs[member]!;
    for (const field of WIND) await reader.valuesAt(run, field, points, undefined, out, never);
  }
}

/** Steps of the run of which statistics are made: three days, so that each span is in it. */
const STATISTIC_STEPS = 13;

async function measureArchive(folder: string): Promise<void> {
  const grid = gridOf(0.5);
  const nodes = grid.latitude.count * grid.longitude.count;
  const root = path.join(folder, "archive");
  const components = WIND.map((_, i) => memberWinds(grid, i + 1));
  const ensemble = { members: [...Array(MEMBERS).keys()], size: MEMBERS };
  const described = {
    dataset: "Forecast",
    source: "bench",
    model: "bench",
    referenceTime: START,
    grid,
    ensemble,
  } as const;
  console.log("\n31 members at 0.5°; processor time");

  const keeps = await beginRun(root, { ...described, times: timesOf(SERIES) });
  for (const [i, name] of WIND.entries())
    await keeps.writeMembers(name, {}, async (step) => components[i]!(step));
  const run = await keeps.publish();
  const random = seeded(4);
  const [cold, other, warm]: number[][] = [[], [], []];
  for (let i = 0; i < PLACES; i++) {
    const reader = openReader(directoryStore(root), { cacheBytes: 64e6 });
    const [latitude, longitude] = [-70 + 140 * random(), -180 + 360 * random()];
    cold!.push(await processorTime(() => readMembers(reader, [run], latitude, longitude, run.times)));
    other!.push(await processorTime(() => readMembers(reader, [run], -latitude, longitude, run.times)));
    warm!.push(await processorTime(() => readMembers(reader, [run], latitude, longitude, run.times)));
  }
  console.log(
    `wind of a point, all members, ${SERIES} steps: first of a run ${median(cold!).toFixed(1)} ms,`,
  );
  console.log(`  elsewhere ${median(other!).toFixed(1)} ms, again ${median(warm!).toFixed(1)} ms`);

  const makes = await beginRun(root, { ...described, source: "statistics", times: timesOf(STATISTIC_STEPS) });
  let made = 0;
  let names: readonly StoredName[] = [];
  const written = await processorTime(async () => {
    names = await makes.writeStatistics(wind, {}, async (step) => {
      const parts: Float32Array[] = [];
      made += await processorTime(() => parts.push(...components.map((component) => component(step))));
      return quantityOf(wind, parts);
    });
  });
  const framed = await processorTime(() => makes.writeFrames());
  const statistics = await makes.publish();
  const values = names.reduce(
    (sum, name) => sum + nodes * (statistics.fields[name]!.steps?.length ?? STATISTIC_STEPS),
    0,
  );
  let [points, frames] = [0, 0];
  const sizeOf = async (...parts: string[]) => (await stat(path.join(root, statistics.path, ...parts))).size;
  for (const name of names) {
    points += await sizeOf("points", name, shardKey({}));
    for (const level of statistics.levels) frames += await sizeOf("frames", String(level), `${name}.br`);
  }
  console.log(
    `${names.length} statistics of wind: ${((written - made) / STATISTIC_STEPS / 1000).toFixed(2)} s a step, frames ${(framed / STATISTIC_STEPS / 1000).toFixed(2)} s a step;`,
  );
  console.log(
    `  ${(points / values).toFixed(2)} bytes a value of points, ${(frames / values).toFixed(2)} of frames, all levels together`,
  );
  await measureMap(root, statistics);
}

/** A frame of a probability, as it was stored, and made of the points. */
async function measureMap(root: string, run: Run): Promise<void> {
  const name = "wind_speed_over_22kn";
  const { bands } = storedSteps.find((layer) => layer.name === name)!;
  const store = directoryStore(root);
  const stored = openStoredFrames(store, { onDamage: console.error });
  for (const stride of run.levels) {
    const grid = levelGrid(run, stride);
    const chunking = frameChunking(grid);
    let [ms, largest, all] = [0, 0, 0];
    const chunks = chunkNames(grid, chunking);
    for (const chunk of chunks)
      ms += await processorTime(async () => {
        const { length } = (await stored({ run, variable: name, step: 6, stride, chunk }, never))!;
        largest = Math.max(largest, length);
        all += length;
      });
    console.log(
      `probability map, ${grid.latitude.step}°: ${chunks.length} frames in ${ms.toFixed(1)} ms, the largest ${(largest / 1000).toFixed(0)} kB, together ${(all / 1000).toFixed(0)} kB`,
    );
  }
  const unframed = { ...run, storedFrames: [] };
  const reader = openReader(store, { cacheBytes: 64e6 });
  const stride = run.levels.at(-1)!;
  const grid = levelGrid(run, stride);
  const part = chunkPart(grid, frameChunking(grid), chunkNames(grid, frameChunking(grid))[0]!)!;
  const ms = await processorTime(async () =>
    packFrame(
      await makeFrame({ run: unframed, bands, step: 6, stride, part }, (band) =>
        reader.mapStep(unframed, band, 6, stride, never, part),
      ),
      "br",
    ),
  );
  console.log(`  made of the points, ${grid.latitude.step}°: ${ms.toFixed(0)} ms`);
}

async function measureDemo(folder: string): Promise<void> {
  const pool = demoPool({ seed: 1, folder: path.join(folder, "demo") });
  try {
    await pool.warm();
    const reader = openReader(demoStore(pool), { cacheBytes: 64e6 });
    const [run] = demoManifest(START).ensembles!;
    console.log("\nthe demo's ensemble");
    const both = async (work: () => unknown) => {
      let ms = 0;
      const used = await processorTime(async () => {
        ms = await timed(work);
      });
      return `${ms.toFixed(0)} ms (${used.toFixed(0)} of processors)`;
    };
    const frame = (name: (typeof statisticsOfDemo)[number], step: number) =>
      both(() => reader.mapStep(run!, name, step, 1, never));
    for (const name of statisticsOfDemo) {
      const first = await frame(name, 12);
      const next = await frame(name, 13);
      const content = { run: run!, bands: [name], step: 12, stride: 1, part: wholePart(run!.grid) };
      const plain = await makeFrame(content, (band) => reader.mapStep(run!, band, 12, 1, never));
      const kilobytes = (await packFrame(plain, "br")).length / 1000;
      console.log(`${name}: first ${first}, next step ${next}, a frame ${kilobytes.toFixed(0)} kB`);
    }
    const point = await both(() => readMembers(reader, [run!], 47.3, -20.4, run!.times));
    const again = await both(() => readMembers(reader, [run!], 47.3, -20.4, run!.times));
    console.log(`wind of a point, all members, all steps: ${point}, again ${again}`);
  } finally {
    await pool.close();
  }
}

const statisticsOfDemo = [
  "wind_speed_over_34kn",
  "wind_speed_spread",
  "wind_speed_over_34kn_within_24h",
  "wind_speed_over_34kn_within_72h",
  "sea_surface_wave_significant_height_over_4m_within_72h",
] as const;
