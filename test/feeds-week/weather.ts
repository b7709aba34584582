import { crc32 } from "node:zlib";
import type { Grid } from "@open-metocean/geo/grid";
import { randomWaves } from "#bench/weather-like.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { type AnalyticField, analyticValues } from "#test/feeds-mirror/analytic.ts";
import { nodesOf } from "#test/feeds-mirror/planet.ts";

const HOUR_S = 3600;
const RADIANS = Math.PI / 180;

/**
 * Small waves on the planet's smooth fields, similar to real files: amplitude, growth with the wavelength, and limits.
 */
const textures: readonly [field: RegExp, amplitude: number, slope: number, least?: number, most?: number][] =
  [
    [/ward_wind/, 6, 0.6],
    [/gust/, 8, 0.5, 0],
    [/air_temperature/, 9, 0.8],
    [/pressure/, 9, 1.4],
    [/precipitation/, 1, 0.5, 0],
    [/convective/, 350, 0.6, 0],
    [/cloud/, 60, 0.6, 0, 100],
    [/height/, 0.7, 0.9, 0.02],
    [/period/, 1, 0.8, 1.5],
    [/direction/, 30, 0.9],
    [/velocity/, 0.3, 0.9],
  ];

/** Different perturbations of members; others are these, mirrored and turned around the globe. */
const PERTURBATIONS = 4;
/** How far members have parted from each other after ten days: the share of their own waves. */
const MOST_APART = 0.7;
const TEN_DAYS_H = 240;

/** Fields with realistic weather on a grid. @param start When the waves begin, Unix seconds. */
export function weatherOn(grid: Grid, start: number) {
  const { latitude, longitude } = grid;
  const columns = longitude.count;
  const nodes = nodesOf({
    rows: latitude.count,
    columns,
    latitude: latitude.start,
    latitudeStep: latitude.step,
    longitude: longitude.start,
    longitudeStep: longitude.step,
  });
  const waves = new Map<string, (hour: number) => Float32Array>();
  const cached = new Map<string, Float32Array | Float64Array>();
  /** The waves of one seed at one time, which several fields and members have. */
  const deviatesOf = (seed: number, slope: number, hour: number) =>
    once(`${seed} ${hour}`, () => {
      const own = waves.get(`${seed}`) ?? randomWaves(grid, slope, 8, seed);
      waves.set(`${seed}`, own);
      return own(hour);
    });
  function once<Values extends Float32Array | Float64Array>(key: string, make: () => Values): Values {
    const found = (cached.get(key) as Values | undefined) ?? make();
    // Fields are asked for one after another, each at all times.
    if (cached.size > 64) cached.clear();
    cached.set(key, found);
    return found;
  }

  /**
   * Values of a field at a time, in the catalog's unit; NaN = missing.
   *
   * @param member Position of a member of an ensemble, whose weather parts from that of the others with the time.
   */
  return (name: FieldName, time: number, member?: number): Float32Array => {
    const [, amplitude, slope, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY] =
      textures.find(([field]) => field.test(name))!;
    const component = /^(.*direction)_([xy])$/.exec(name);
    const form = (component?.[1] ?? name) as AnalyticField;
    const hour = (time - start) / HOUR_S;
    // Winds at all heights turn together.
    const seed = crc32(/ward_wind/.test(form) ? form.slice(0, 4) : form);
    const shared = deviatesOf(seed, slope, hour);
    const own = member === undefined ? shared : deviatesOf(seed + 1 + (member % PERTURBATIONS), slope, hour);
    const apart = member === undefined ? 0 : MOST_APART * (0.15 + (0.85 * hour) / TEN_DAYS_H);
    const together = Math.sqrt(1 - apart * apart);
    const sign = (member ?? 0) % (2 * PERTURBATIONS) < PERTURBATIONS ? 1 : -1;
    const turn = 11 * (member ?? 0);
    const values = once(`${form} ${time}`, () => analyticValues(form, nodes, { from: time, to: time }));
    const out = new Float32Array(values.length);
    for (let row = 0; row < values.length; row += columns)
      for (let column = 0; column < columns; column++) {
        const i = row + column;
        const deviate = together * shared[i]! + sign * apart * own[row + ((column + turn) % columns)]!;
        const value = values[i]! + amplitude * deviate;
        // Missing values are NaN and stay so.
        const sum = value < least ? least : value > most ? most : value;
        out[i] = !component ? sum : component[2] === "x" ? Math.sin(sum * RADIANS) : Math.cos(sum * RADIANS);
      }
    return out;
  };
}
