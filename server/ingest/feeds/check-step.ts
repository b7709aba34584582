import { rm } from "node:fs/promises";
import { join } from "node:path";
import { coordinate, type Grid, wraps } from "@open-metocean/geo/grid";
import { z } from "zod";
import { type FieldName, fieldNames, fields } from "#lib/catalog/fields.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { readJson, writeJson } from "#server/platform/files.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";

/** Result of the check of one step of a field. */
interface CheckedStep {
  statistics: StepStatistics;
  /** Reason why the step must not be published, for the operator; undefined for a sound step. */
  fault: string | undefined;
  /** Whether the only fault is a difference from earlier runs, in which case either of the two may be right. */
  isDisputed: boolean;
}

/**
 * Checks a step of a field before it is published.
 *
 * @param values Values in the catalog's unit, NaN = missing; (rows, columns) of the grid.
 * @param published Statistics of the same field in an earlier run or at a nearby time; undefined where there is nothing
 *   to compare with.
 */
export function checkStep(
  name: FieldName,
  values: Float32Array,
  grid: Grid,
  published: StepStatistics | undefined,
): CheckedStep {
  const statistics = statisticsOf(values, grid.longitude.count);
  const impossible = impossibility(name, statistics, isGlobal(grid));
  const change = published && disagreement(name, statistics, published, wraps(grid.longitude));
  const place = isGlobal(grid) ? misplaced(name, values, grid) : undefined;
  const isDisputed = change !== undefined && impossible === undefined && place === undefined;
  return { statistics, fault: impossible ?? change ?? place, isDisputed };
}

/** Whether a grid covers the globe. Models of the sea have no rows near a pole. */
function isGlobal({ latitude, longitude }: Grid): boolean {
  const reach = 75;
  const end = coordinate(latitude, latitude.count - 1);
  return wraps(longitude) && latitude.start <= -reach && end >= reach;
}

/** Statistics of one step of a field that are compared between runs. */
const statisticsSchema = z.object({
  /** Share of missing values, 0 … 1. */
  missing: z.number(),
  /**
   * Share of missing values in each box of the grid, in thousandths; absent where no value or every value is missing.
   */
  mask: z.array(z.number()).optional(),
  /** Mean of the present values, without weights by area. */
  mean: z.number(),
  deviation: z.number(),
});

export type StepStatistics = z.infer<typeof statisticsSchema>;

/** Between runs a mean may move by this many standard deviations, and the deviation by this factor. */
const MEAN_JUMP = 0.5;
const SPREAD_JUMP = 3;

/** Tolerated change of the share of missing values. Partitions of waves come and go with the wind. */
const MASK_CHANGE = 0.03;
const PARTITION_CHANGE = 0.5;

/**
 * The grid is cut into boxes with equal numbers of rows and columns, 30° × 45° on the globe, whose missing values are
 * counted.
 */
const BANDS = 6;
const SECTORS = 8;
/** Tolerated change of the share of missing values of one box, because ice comes and goes slowly. */
const BOX_CHANGE = 0.25;

/** @param values Values in the catalog's unit, NaN = missing; (rows, columns). */
export function statisticsOf(values: Float32Array, columns: number): StepStatistics {
  let count = 0;
  let sum = 0;
  let squares = 0;
  // Sums are taken around the first value, so that the sum of squares of a pressure loses no precision.
  let origin = Number.NaN;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    if (count++ === 0) origin = value;
    const distance = value - origin;
    sum += distance;
    squares += distance * distance;
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  const missing = 1 - count / values.length;
  const mask = missing > 0 && missing < 1 ? maskOf(values, columns) : undefined;
  return { missing, mask, mean: mean + origin, deviation };
}

/** Share of missing values in each box, thousandths, west to east, then south to north. */
function maskOf(values: Float32Array, columns: number): number[] {
  const rows = values.length / columns;
  const missing = new Float64Array(BANDS * SECTORS);
  const cells = new Float64Array(BANDS * SECTORS);
  for (let row = 0, at = 0; row < rows; row++) {
    const band = Math.floor((row * BANDS) / rows) * SECTORS;
    for (let column = 0; column < columns; column++, at++) {
      const box = band + Math.floor((column * SECTORS) / columns);
      cells[box]!++;
      if (Number.isNaN(values[at]!)) missing[box]!++;
    }
  }
  return Array.from(missing, (count, box) => Math.round((1000 * count) / Math.max(1, cells[box]!)));
}

/**
 * Describes why a step is impossible in itself, without a comparison with earlier runs.
 *
 * @param isGlobal Whether its grid goes around the globe and nearly to both poles.
 * @returns A text for the operator; undefined for a possible step.
 */
export function impossibility(name: FieldName, step: StepStatistics, isGlobal: boolean): string | undefined {
  const globe = climatologyOf(name);
  const { unit } = fields[name];
  if (step.missing === 1) return `${name} has no values at all`;
  if (!globe || !isGlobal) return undefined;
  const beyond = (value: number, [least, most]: readonly [number, number], what: string) =>
    value < least || value > most
      ? `the ${what} of ${name} over the globe is ${shown(value)} ${unit}: it cannot be outside ${least} to ${most}`
      : undefined;
  return beyond(step.mean, globe.mean, "mean") ?? beyond(step.deviation, globe.spread, "spread");
}

/**
 * Describes how a step differs from the same field of an earlier run by more than weather does.
 *
 * @param isAround Whether its grid goes around the globe.
 * @returns A text for the operator; undefined if they agree.
 */
export function disagreement(
  name: FieldName,
  step: StepStatistics,
  before: StepStatistics,
  isAround = true,
): string | undefined {
  const { unit } = fields[name];
  const isPartition = /^sea_surface_(swell|wind)_wave/.test(name);
  if (Math.abs(step.missing - before.missing) > (isPartition ? PARTITION_CHANGE : MASK_CHANGE))
    return `${name} is missing at ${percent(step.missing)} of the cells; it was at ${percent(before.missing)} in the run before`;
  if (!isPartition && hasMoved(step.mask, before.mask))
    return `${name} is missing at other places than in the run before`;
  // Within a region a front or a storm may move the mean by any amount.
  if (!isAround) return undefined;
  const tolerated = MEAN_JUMP * Math.max(before.deviation, step.deviation, 2 * fields[name].scale);
  if (Math.abs(step.mean - before.mean) > tolerated)
    return `the mean of ${name} jumps from ${shown(before.mean)} to ${shown(step.mean)} ${unit}`;
  if (tooFar(step.deviation, before.deviation, fields[name].scale))
    return `the spread of ${name} jumps from ${shown(before.deviation)} to ${shown(step.deviation)} ${unit}`;
  return undefined;
}

function shown(value: number): number {
  return Number(value.toPrecision(4));
}

function hasMoved(mask: readonly number[] | undefined, before: readonly number[] | undefined): boolean {
  if (!mask || !before) return false;
  return mask.some((share, box) => Math.abs(share - before[box]!) > 1000 * BOX_CHANGE);
}

function tooFar(one: number, other: number, scale: number): boolean {
  const [less, more] = one < other ? [one, other] : [other, one];
  return more > 20 * scale && less * SPREAD_JUMP < more;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Bounds of the statistics of one step over the globe, without weights by area, in the catalog's unit. */
interface Globe {
  /** Lowest and highest mean. */
  mean: readonly [number, number];
  /** Lowest and highest standard deviation. */
  spread: readonly [number, number];
}

/**
 * Bounds of the statistics of the whole globe on any day, by CF standard name, because a first run has no earlier run
 * to be compared with.
 *
 * They are climatological means by latitude (wind, pressure, temperature: Peixoto and Oort, Physics of Climate, 1992,
 * chapter 7; sea surface: NOAA OISST v2.1; rain: Adler et al. 2003, GPCP, 2.6 mm a day; cloud: Stubenrauch et al. 2013,
 * 0.56 to 0.73; waves: Young 1999 and Young and Ribal 2019; depth: Charette and Smith 2010, 3,682 m, less where polar
 * seas count more), averaged over rows of equal weight as `statisticsOf` does. The poles count as much as the equator,
 * so that the 14 °C of the air become about 4 and the 1011 hPa about 1008. The bounds are two to three times the range
 * of the seasons around these means. Rain has no lower bound, because a forecast begins without any.
 */
const globes: Readonly<Record<string, Globe>> = {
  eastward_wind: { mean: [-3, 4], spread: [2, 16] },
  northward_wind: { mean: [-3, 3], spread: [1, 14] },
  wind_speed_of_gust: { mean: [2, 16], spread: [1, 13] },
  surface_eastward_sea_water_velocity: { mean: [-0.3, 0.3], spread: [0.02, 1] },
  surface_northward_sea_water_velocity: { mean: [-0.3, 0.3], spread: [0.02, 1] },
  sea_surface_wave_significant_height: { mean: [0.8, 4.5], spread: [0.2, 4] },
  sea_surface_wave_mean_period: { mean: [4, 15], spread: [0.3, 6] },
  sea_surface_temperature: { mean: [5, 24], spread: [4, 18] },
  precipitation_flux: { mean: [-0.01, 0.6], spread: [0, 5] },
  atmosphere_convective_available_potential_energy: { mean: [1, 1500], spread: [1, 3000] },
  air_temperature: { mean: [-6, 18], spread: [10, 35] },
  cloud_area_fraction: { mean: [40, 85], spread: [5, 50] },
  air_pressure_at_mean_sea_level: { mean: [1000, 1018], spread: [4, 25] },
  sea_floor_depth_below_sea_surface: { mean: [2300, 4300], spread: [600, 2600] },
};

/** Bounds for a stored field over the globe; undefined where none are known. */
function climatologyOf(name: FieldName): Globe | undefined {
  return globes[fields[name].standardName];
}

/** Latitude and longitude, degrees. */
type Place = readonly [number, number];

function readPlaces(text: string): Place[] {
  return text
    .trim()
    .split(/\s+/)
    .map((place) => place.split(",").map(Number) as [number, number]);
}

/** Places in the open ocean, hundreds of kilometres from any coast or island, without ice in any season. */
const sea = readPlaces(`
45,-35 30,-45 20,-40 10,-30 53,-30 35,-60 -10,-20 -25,-18 -40,-30 -45,5 -30,-3 -12,82 -20,85 -35,90
-42,95 5,88 12,64 -30,65 25,-140 40,-150 45,172 32,172 10,-130 5,-110 -15,-100 -32,-100 -45,-120
-40,-160 -36,-140 -50,-140 17,155 27,150 37,160 -50,105
`);

/** Places in the inner parts of continents and ice sheets, away from lakes. */
const inland = readPlaces(`
24,5 19,20 -2,22 -23,22 9,39 22,46 33,56 49,68 62,100 60,85 65,125 46,103 33,88 22,79 31,104 -25,133
-27,124 -10,-52 -18,-50 -5,-64 -30,-64 40,-100 36,-96 45,-108 55,-113 51,-108 65,-152 73,-40 -79,95
-78,120 50,27 53,40
`);

/** Tolerated share of places that differ, for coarse grids and models with coastlines of their own. */
const TOLERATED = 0.1;

/** Fields that exist at sea only, and everywhere at sea except below ice. */
const ofTheSea = /^(sea_surface_wave_|sea_surface_temperature|surface_.*_sea_water_velocity|sea_floor_depth)/;
/** Fields that may be absent anywhere at sea: a calm has no wind sea. */
const ofSomeSea = /^sea_surface_(swell|wind)_wave_/;
const ofAllPlaces = /wind|air_temperature|air_pressure/;

/**
 * Describes why a field of the globe is misplaced, without a comparison with earlier runs, because a first run has no
 * other land mask to compare with.
 *
 * @param values Values in the catalog's unit, NaN = missing; (rows, columns) of the grid.
 * @returns A text for the operator; undefined for a field in its place.
 */
export function misplaced(name: FieldName, values: Float32Array, grid: Grid): string | undefined {
  const { standardName } = fields[name];
  const isOfSea = ofTheSea.test(standardName);
  const isOfSomeSea = ofSomeSea.test(standardName);
  if (isOfSea) {
    const [missing, of] = missingAt(sea, values, grid);
    if (missing > TOLERATED * of) return `${name} is missing at ${missing} of ${of} places of the open ocean`;
  }
  if (isOfSea || isOfSomeSea) {
    const [missing, of] = missingAt(inland, values, grid);
    if (of - missing > TOLERATED * of)
      return `${name} has values at ${of - missing} of ${of} places far inland`;
  } else if (ofAllPlaces.test(standardName)) {
    const [missing, of] = missingAt([...sea, ...inland], values, grid);
    if (missing > TOLERATED * of)
      return `${name} is missing at ${missing} of ${of} places, where it is never missing`;
  }
  return undefined;
}

/** Counts the places whose nearest node has no value, and all places that the grid covers. */
function missingAt(places: readonly Place[], values: Float32Array, grid: Grid): [number, number] {
  const { latitude, longitude } = grid;
  let [missing, of] = [0, 0];
  for (const [north, east] of places) {
    const row = Math.round((north - latitude.start) / latitude.step);
    if (row < 0 || row >= latitude.count) continue;
    const turn = (((east - coordinate(longitude, 0)) % 360) + 360) % 360;
    const column = Math.round(turn / longitude.step) % longitude.count;
    of++;
    if (Number.isNaN(values[row * longitude.count + column]!)) missing++;
  }
  return [missing, of];
}

/**
 * Steps are not compared with an older cycle, seconds. A model changes, and a feed whose last good run was odd must
 * recover by itself.
 */
const VALID_FOR_S = 48 * HOUR_S;
/**
 * Steps are compared with the published step of the nearest time, at most this far away, seconds. A source with one
 * step a day is compared with any day that is not too old.
 */
const NEAREST_S = 6 * HOUR_S;

const baselineSchema = z.object({
  profile: z.string(),
  steps: z.array(
    z.object({
      time: z.number(),
      cycle: z.number(),
      fields: z.record(z.string(), statisticsSchema),
    }),
  ),
});

export type StepFields = Partial<Record<FieldName, StepStatistics>>;

/** Statistics of the last published step of each time. The next cycle's step of the same time is compared with them. */
export type Baseline = Awaited<ReturnType<typeof readBaseline>>;

type Stored = z.infer<typeof baselineSchema>["steps"][number];

function fileOf(folder: string, feed: Pick<FieldFeed, "name">): string {
  return join(folder, "baseline", `${feed.name}.json`);
}

/** Reads the baseline for a cycle; it is empty if none is usable. @param folder DATA_DIR/feeds. */
export async function readBaseline(
  folder: string,
  feed: Pick<FieldFeed, "name" | "cycles">,
  cycle: number,
  profile: Profile,
) {
  const age = Math.max(VALID_FOR_S, 3 * feed.cycles.every);
  const reach = feed.cycles.every < DAY_S ? NEAREST_S : age;
  const steps = (await stored(folder, feed, profile)).filter((step) => Math.abs(cycle - step.cycle) <= age);
  return {
    /** Statistics of the published step nearest to a time; undefined if none is near. */
    near(name: FieldName, time: number): StepStatistics | undefined {
      let nearest: Stored | undefined;
      for (const step of steps)
        if (step.fields[name] && (!nearest || Math.abs(step.time - time) < Math.abs(nearest.time - time)))
          nearest = step;
      if (!nearest || Math.abs(nearest.time - time) > reach) return undefined;
      return nearest.fields[name];
    },
  };
}

/** Adds published steps, and replaces those of older cycles at the same times. @param steps By time, Unix seconds. */
export async function extendBaseline(
  folder: string,
  feed: Pick<FieldFeed, "name">,
  cycle: number,
  profile: Profile,
  steps: ReadonlyMap<number, StepFields>,
): Promise<void> {
  const byTime = new Map<number, Stored>();
  for (const step of await stored(folder, feed, profile))
    if (step.time >= cycle - VALID_FOR_S) byTime.set(step.time, step);
  for (const [time, statistics] of steps) {
    if ((byTime.get(time)?.cycle ?? cycle) > cycle) continue;
    byTime.set(time, { time, cycle, fields: statistics as Stored["fields"] });
  }
  await writeJson(fileOf(folder, feed), { profile, steps: [...byTime.values()] });
}

/** Discards the statistics, so that nothing is compared with the runs published so far. */
export async function discardBaseline(folder: string, feed: Pick<FieldFeed, "name">): Promise<void> {
  await rm(fileOf(folder, feed), { force: true });
}

/** Reads the stored statistics; empty where there is no file or one of another profile. */
async function stored(folder: string, feed: Pick<FieldFeed, "name">, profile: Profile): Promise<Stored[]> {
  const found = await readJson(fileOf(folder, feed), baselineSchema, undefined);
  return found?.profile === profile ? found.steps : [];
}

/** Number of consecutive cycles that agree with each other and so overrule an odd one before them. */
const MAJORITY = 3;

/** A step that disagrees with earlier runs. Base time and valid time are Unix seconds. */
const disputeSchema = z.object({
  cycle: z.number(),
  time: z.number(),
  name: z.enum(fieldNames),
  statistics: statisticsSchema,
});

export type Dispute = z.infer<typeof disputeSchema>;

type Feed = Pick<FieldFeed, "name" | "cycles">;

/**
 * Records that a cycle disagrees with earlier runs, with one step of each cycle.
 *
 * @param folder DATA_DIR/feeds.
 * @returns Whether enough consecutive cycles disagree to discard the earlier runs; the disputes are then deleted too.
 */
export async function recordDispute(folder: string, feed: Feed, dispute: Dispute): Promise<boolean> {
  const { cycle, name } = dispute;
  const oldest = cycle - MAJORITY * feed.cycles.every;
  const others = (await read(folder, feed)).filter((each) => each.cycle !== cycle && each.cycle >= oldest);
  const agreeing = others.filter(
    (each) => each.name === name && disagreement(name, dispute.statistics, each.statistics) === undefined,
  );
  if (agreeing.length + 1 >= MAJORITY) {
    await rm(disputesFile(folder, feed), { force: true });
    return true;
  }
  await write(folder, feed, [...others, dispute]);
  return false;
}

/**
 * Deletes the disputes up to a publication, because a cycle that agrees ends the series. @param upTo Last valid time.
 */
export async function settleDisputes(folder: string, feed: Feed, cycle: number, upTo: number): Promise<void> {
  const all = await read(folder, feed);
  const open = all.filter((each) => each.cycle > cycle || each.time > upTo);
  if (open.length < all.length) await write(folder, feed, open);
}

function disputesFile(folder: string, feed: Feed): string {
  return join(folder, "disputes", `${feed.name}.json`);
}

const write = (folder: string, feed: Feed, disputes: readonly Dispute[]): Promise<void> =>
  writeJson(disputesFile(folder, feed), disputes);

/** Reads the disputes; empty where the file is damaged, in which case a majority takes longer. */
const read = (folder: string, feed: Feed): Promise<Dispute[]> =>
  readJson(disputesFile(folder, feed), z.array(disputeSchema), []);
