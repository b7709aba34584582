import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { FieldName } from "#lib/catalog/fields.ts";
import { mapFields, storedSteps } from "#lib/catalog/map-fields.ts";
import { windHeights } from "#lib/catalog/wind.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import type { Grid } from "#lib/field/grid.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import type { WriterOptions } from "#server/archive/publication.ts";
import { openReader, type PointColumns } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";
import { beginRun } from "#server/archive/writer.ts";
import { seeded } from "#test/seeded.ts";
import { median } from "./median.ts";
import { randomPoints } from "./random-points.ts";
import { randomWaves, type WeatherLike, weatherLike } from "./weather-like.ts";

const FIRST = Date.UTC(2026, 0, 1) / 1000;
const STEPS = 12;
const POINTS = 10_000;
const ROUNDS = 9;
const grid: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};
const NODES = 721 * 1440;
const { signal } = new AbortController();
const FIELD = "eastward_wind_10m";
const COMPONENTS = [FIELD, "northward_wind_10m"] as const;
const BOX = { row: 480, rows: 81, column: 500, columns: 81 };

/**
 * Forms of the archive. The first is that of version 0.2, but for the frames as gzip, which it had beside those as brotli;
 * the second that of decision 0117.
 */
const steps0117 = {
  wind_speed_of_gust: { scale: 0.005, offset: 0 },
  air_pressure_at_mean_sea_level: { scale: 0.005, offset: 980 },
  cloud_area_fraction: { scale: 0.002, offset: 50 },
  sea_surface_wave_significant_height: { scale: 0.002, offset: 0 },
  sea_surface_swell_wave_significant_height: { scale: 0.002, offset: 0 },
  sea_surface_wave_from_direction_x: { scale: 0.0001, offset: 0 },
  sea_surface_wave_from_direction_y: { scale: 0.0001, offset: 0 },
  sea_surface_swell_wave_from_direction_x: { scale: 0.0001, offset: 0 },
};
const forms: Record<string, WriterOptions["forms"]> = {
  "0.2": { points: "plain", maps: "zstd", mapsOfAll: true, packing: steps0117 },
  "0117": { maps: "bytes", packing: steps0117 },
  now: {},
};

/** Milliseconds of processor time of this process. */
const busy = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000;

/**
 * Bytes a value and times of the archive, of fields with the spectrum and the packing of real ones, in both forms, in turn:
 * written with their frames, then read. Times are of the processor; files are in the page cache.
 *
 * @param wanted Part of the names of fields; all of them by default, which takes minutes.
 */
export async function bench(wanted = process.argv[3] ?? ""): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "metocean-archive-"));
  try {
    const chosen = weatherLike.filter(({ name }) => name.includes(wanted));
    const steps = await made(chosen);
    const land = randomWaves(grid, 0.7, 1, 99)(0).map((deviate) => (deviate > 0.5 ? 1 : 0));
    const runs: [string, Run][] = [];
    for (const [form, options] of Object.entries(forms)) {
      const began = busy();
      const run = await written(join(root, form), chosen, steps, land, options);
      const ms = (busy() - began) / STEPS / chosen.length;
      console.log(`${form}: ${ms.toFixed(0)} ms of the processor for a step of a field, with its frames`);
      printSizes(join(root, form, run.path), chosen, options?.mapsOfAll);
      runs.push([form, run]);
    }
    if (chosen.some(({ name }) => name === FIELD)) await times(root, runs);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

type MadeSteps = Map<FieldName, (hour: number) => Float32Array>;

async function made(chosen: readonly WeatherLike[]): Promise<MadeSteps> {
  return new Map(
    chosen.map(({ name, slope, hours }) => {
      // Components of one vector share their waves: sine and cosine of one bearing.
      const seed = [...name.replace(/_[xy]$/, "")].reduce(
        (sum, letter) => (Math.imul(31, sum) + letter.charCodeAt(0)) >>> 0,
        0,
      );
      return [name, randomWaves(grid, slope, hours, seed)];
    }),
  );
}

async function written(
  root: string,
  chosen: readonly WeatherLike[],
  steps: MadeSteps,
  land: Float32Array,
  options: WriterOptions["forms"],
): Promise<Run> {
  const times = Array.from({ length: STEPS }, (_, hour) => FIRST + 3600 * hour);
  const origin = { dataset: "Forecast", source: "bench", model: "0.25°", referenceTime: FIRST } as const;
  const writer = await beginRun(root, { ...origin, grid, times }, { forms: options });
  for (const { name, value, precision, ocean } of chosen)
    await writer.writeField(name, {}, async (hour) => {
      const values = steps.get(name)!(hour);
      for (let i = 0; i < NODES; i++) {
        const exact = value(values[i]!);
        values[i] =
          ocean && land[i] === 1
            ? Number.NaN
            : precision === 0
              ? exact
              : precision * Math.round(exact / precision);
      }
      return values;
    });
  await writer.writeFrames();
  return writer.publish();
}

function printSizes(folder: string, chosen: readonly WeatherLike[], mapsOfAll = false): void {
  const values = STEPS * NODES;
  const perField = new Map(
    chosen.map(({ name }) => [
      name,
      {
        points: bytesBelow(join(folder, "points", name)) / values,
        maps: bytesOfLevels(folder, "maps", name) / values,
        frames: 0,
      },
    ]),
  );
  // The frame of several fields is divided among them.
  for (const { name, bands } of storedSteps) {
    const bytes = bytesOfLevels(folder, "frames", `${name}.br`) / values / bands.length;
    for (const band of bands) if (perField.has(band)) perField.get(band)!.frames += bytes;
  }
  console.log(`  ${"bytes a value".padEnd(44)} points   maps frames    all`);
  const line = (what: string, sizes: readonly Sizes[], after = "") => {
    const mean = (part: keyof Sizes) => sizes.reduce((sum, size) => sum + size[part], 0) / sizes.length;
    const parts = [mean("points"), mean("maps"), mean("frames")];
    const all = parts.reduce((sum, part) => sum + part);
    console.log(`  ${what.padEnd(44)} ${[...parts, all].map(inBytes).join(" ")}${after}`);
  };
  for (const { name, grib } of chosen)
    line(name, [perField.get(name)!], grib === undefined ? "" : `   GRIB2 ${grib}`);
  line("all of these fields", [...perField.values()]);
  for (const [source, names] of Object.entries(fieldsOfSources)) {
    const sizes = names.flatMap((name) => {
      const like = perField.get(likeOf(name));
      if (!like) return [];
      const hasSteps = mapFields.has(name as FieldName);
      return [{ ...like, maps: hasSteps || mapsOfAll ? like.maps : 0, frames: hasSteps ? like.frames : 0 }];
    });
    if (sizes.length === names.length) line(`${source}, ${names.length} fields`, sizes);
  }
}

interface Sizes {
  points: number;
  maps: number;
  frames: number;
}

const inBytes = (value: number) => value.toFixed(2).padStart(6);

const waves = (system: string) =>
  ["significant_height", "mean_period", "from_direction_x", "from_direction_y"].map(
    (part) => `${system}_${part}`,
  );
const wind = (...heights: number[]) =>
  heights.flatMap((height) => [`eastward_wind_${height}m`, `northward_wind_${height}m`]);
const surface = [
  "wind_speed_of_gust",
  "air_temperature",
  "air_pressure_at_mean_sea_level",
  "precipitation_flux",
  "cloud_area_fraction",
  "atmosphere_convective_available_potential_energy",
];

/** The fields that sources have (`server/ingest/sources`). */
const fieldsOfSources: Record<string, string[]> = {
  GFS: [...wind(...windHeights), ...surface],
  "GFS-Wave": ["sea_surface_wave", "sea_surface_swell_wave", "sea_surface_wind_wave"].flatMap(waves),
  ECMWF: [...wind(10), ...surface],
  "ECMWF waves": waves("sea_surface_wave"),
  currents: ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"],
};

/** The field of this benchmark that another is like: stored alike, with like numbers. */
function likeOf(name: string): FieldName {
  const like = name
    .replace(/_wind_(20|30|40|50|80)m$/, "_wind_100m")
    .replace(/_(swell|wind)_wave_mean_period$/, "_wave_mean_period")
    .replace(/^sea_surface_wind_wave/, "sea_surface_swell_wave")
    .replace(/swell_wave_from_direction_y$/, "swell_wave_from_direction_x")
    .replace(/^atmosphere_convective_.*$/, "precipitation_flux");
  return like as FieldName;
}

const bytesOfLevels = (folder: string, layout: string, name: string) =>
  namesIn(join(folder, layout)).reduce(
    (sum, level) => sum + bytesBelow(join(folder, layout, level, name)),
    0,
  );

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function bytesBelow(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  return found.isFile()
    ? found.size
    : readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
}

/** All forms in turn in each round, so that they meet the same load. */
async function times(root: string, runs: readonly [string, Run][]): Promise<void> {
  const measures = new Map<string, Map<string, number[]>>();
  const out = new Float64Array(POINTS);
  const columns = randomPoints(POINTS, FIRST, FIRST + (STEPS - 1) * 3600);
  const opened = runs.map(([form, run]) => {
    const folder = join(root, form);
    return { form, folder, run, reader: openReader(directoryStore(folder), { cacheBytes: 48 * 2 ** 20 }) };
  });
  for (let round = 0; round < ROUNDS; round++)
    for (const { form, folder, run, reader } of opened) {
      const measure = async (what: string, work: () => unknown) => {
        const began = busy();
        await work();
        const found = measures.get(what) ?? new Map<string, number[]>();
        measures.set(what, found.set(form, [...(found.get(form) ?? []), busy() - began]));
      };
      const read = (points: PointColumns) => reader.valuesAt(run, FIELD, points, undefined, out, signal);
      reader.retainOnly([]);
      await measure("10,000 random points, empty chunk cache", () => read(columns));
      await measure("the same, full chunk cache", () => read(columns));
      reader.retainOnly([]);
      await read(firstOf(columns, 1));
      await measure("1,000 random points one by one, array open", () => {
        for (let i = 1; i <= 1000; i++) reader.valuesAt(run, FIELD, columns, Int32Array.of(i), out, signal);
      });
      reader.retainOnly([]);
      await read(firstOf(columns, 1));
      await measure("100 whole series", () => read(series()));
      await measure("one step of the globe, one component", () =>
        reader.mapStep(run, FIELD, round, 1, signal),
      );
      await measure("both components, as 2D answers read them", () =>
        Promise.all(COMPONENTS.map((name) => reader.mapStep(run, name, round, 1, signal))),
      );
      await measure("a box of 20° × 20°, both components", () =>
        Promise.all(COMPONENTS.map((name) => reader.mapStep(run, name, round, 1, signal, BOX))),
      );
      await measure("frames of a step read and decoded, all chunks", () =>
        decodeFrames(join(folder, run.path), round),
      );
    }
  console.log("milliseconds of the processor, medians, forms in turn");
  for (const [what, byForm] of measures) {
    const found = runs.map(([form]) => `${form} ${median(byForm.get(form)!).toFixed(2).padStart(7)}`);
    console.log(`  ${what.padEnd(48)} ${found.join("   ")}`);
  }
}

/** What a client and the disk do; chunks are stored in order, eight a step. */
function decodeFrames(folder: string, step: number): void {
  const path = join(folder, "frames/1/wind.br");
  const file = openSync(path, "r");
  const entries = Buffer.alloc(8 * STEPS * 16);
  readSync(file, entries, 0, entries.length, statSync(path).size - entries.length - 4);
  for (let chunk = 8 * step; chunk < 8 * step + 8; chunk++) {
    const frame = Buffer.alloc(Number(entries.readBigUInt64LE(16 * chunk + 8)) - 4);
    readSync(file, frame, 0, frame.length, Number(entries.readBigUInt64LE(16 * chunk)));
    decodeFrame(brotliDecompressSync(frame));
  }
  closeSync(file);
}

const firstOf = ({ latitude, longitude, time }: PointColumns, count: number): PointColumns => ({
  count,
  latitude: latitude.subarray(0, count),
  longitude: longitude.subarray(0, count),
  time: time.subarray(0, count),
});

/** 100 places at every step. */
function series(): PointColumns {
  const random = seeded(2);
  const places = Array.from({ length: 100 }, () => [180 * random() - 90, 360 * random() - 180] as const);
  const rows = places.flatMap(([latitude, longitude]) =>
    Array.from({ length: STEPS }, (_, hour) => [latitude, longitude, FIRST + 3600 * hour] as const),
  );
  return {
    count: rows.length,
    latitude: Float64Array.from(rows, ([latitude]) => latitude),
    longitude: Float64Array.from(rows, ([, longitude]) => longitude),
    time: Float64Array.from(rows, ([, , time]) => time),
  };
}
