import type { FieldName } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { seeded } from "#test/seeded.ts";

/** A field with the spectrum and the packing of a real one. */
export interface WeatherLike {
  name: FieldName;
  /** Amplitude grows with the wavelength to this power. */
  slope: number;
  /** Value of a normal deviate at a node, in the unit of the stored field. */
  value(deviate: number): number;
  /** Values come in multiples of this, as decimal packing of GRIB2 leaves them. */
  precision: number;
  /** Missing over land. */
  ocean?: true;
  /** Hours in which the smallest waves change. */
  hours: number;
  /** Bytes a value of the same field in a real GFS file of 0.25° (2025-08-01 00Z f007), where known. */
  grib?: number;
}

/**
 * Slopes are such that GRIB2 (complex packing with second differences, as NCEP packs) takes as many bytes for a field as for
 * the real one.
 */
export const weatherLike: readonly WeatherLike[] = [
  ...(["eastward_wind_10m", "northward_wind_10m", "eastward_wind_100m", "northward_wind_100m"] as const).map(
    (name) => ({ name, slope: 0.6, value: (x: number) => 7 * x, precision: 0.01, hours: 6, grib: 0.94 }),
  ),
  {
    name: "wind_speed_of_gust",
    slope: 0.5,
    value: (x) => Math.abs(6 * x + 8),
    precision: 0.1,
    hours: 6,
    grib: 0.61,
  },
  { name: "air_temperature", slope: 0.8, value: (x) => 12 + 10 * x, precision: 0.1, hours: 6, grib: 0.5 },
  {
    name: "air_pressure_at_mean_sea_level",
    slope: 1.4,
    value: (x) => 1013 + 10 * x,
    precision: 0.001,
    hours: 6,
    grib: 0.87,
  },
  {
    name: "precipitation_flux",
    slope: 0.5,
    value: (x) => 2 * Math.max(0, x - 1) ** 2,
    precision: 0.0036,
    hours: 6,
    grib: 0.59,
  },
  {
    name: "cloud_area_fraction",
    slope: 0.6,
    value: (x) => Math.min(100, Math.max(0, 50 + 80 * x)),
    precision: 0.1,
    hours: 6,
    grib: 0.8,
  },
  {
    name: "sea_surface_wave_significant_height",
    slope: 1,
    value: (x) => Math.abs(2 + 1.2 * x),
    precision: 0.01,
    hours: 12,
    ocean: true,
  },
  {
    name: "sea_surface_wave_mean_period",
    slope: 0.8,
    value: (x) => Math.max(1, 9 + 2.5 * x),
    precision: 0.01,
    hours: 12,
    ocean: true,
  },
  {
    name: "sea_surface_wave_from_direction_x",
    slope: 0.8,
    value: (x) => Math.sin(1.2 * x),
    precision: 0,
    hours: 12,
    ocean: true,
  },
  {
    name: "sea_surface_wave_from_direction_y",
    slope: 0.8,
    value: (x) => Math.cos(1.2 * x),
    precision: 0,
    hours: 12,
    ocean: true,
  },
  {
    name: "sea_surface_swell_wave_significant_height",
    slope: 1,
    value: (x) => Math.abs(1.5 + x),
    precision: 0.01,
    hours: 12,
    ocean: true,
  },
  {
    name: "sea_surface_swell_wave_from_direction_x",
    slope: 0.8,
    value: (x) => Math.sin(1.2 * x),
    precision: 0,
    hours: 12,
    ocean: true,
  },
  {
    name: "surface_eastward_sea_water_velocity",
    slope: 1,
    value: (x) => 0.3 * x,
    precision: 0,
    hours: 24,
    ocean: true,
  },
  {
    name: "surface_northward_sea_water_velocity",
    slope: 1,
    value: (x) => 0.3 * x,
    precision: 0,
    hours: 24,
    ocean: true,
  },
];

/** Knots of the shortest waves, nodes apart, and of the longest. */
const SHORTEST = 2;
const LONGEST = 128;
/** Nodes that waves travel in an hour. */
const PACE = 1.3;
/** Variance of a spline through random knots. */
const SPLINE_VARIANCE = 0.23;

interface Octave {
  spacing: number;
  across: number;
  down: number;
  amplitude: number;
  /** Two states of the knots, between which they turn. */
  knots: readonly [Float32Array, Float32Array];
  turn: number;
  drift: number;
}

/**
 * Random waves of all lengths from one to a hundred nodes, which travel and change, short ones faster.
 *
 * @returns The deviates at the hours from the start, (rows, columns).
 */
export function randomWaves(grid: Grid, slope: number, hours: number, seed: number) {
  const { count: rows } = grid.latitude;
  const { count: columns } = grid.longitude;
  const random = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const octaves: Octave[] = [];
  for (let spacing = SHORTEST; spacing <= LONGEST; spacing *= 2) {
    const across = Math.ceil(columns / spacing);
    const down = Math.ceil(rows / spacing) + 4;
    const knots = () => Float32Array.from({ length: across * down }, normal);
    octaves.push({
      spacing,
      across,
      down,
      amplitude: (spacing / LONGEST) ** slope,
      knots: [knots(), knots()],
      turn: (2 * Math.PI) / (hours * (spacing / SHORTEST) ** (2 / 3)),
      drift: PACE * (0.7 + 0.6 * random()),
    });
  }
  const norm = Math.sqrt(octaves.reduce((sum, { amplitude }) => sum + SPLINE_VARIANCE * amplitude ** 2, 0));
  return (hour: number): Float32Array => {
    const out = new Float32Array(rows * columns);
    for (const octave of octaves) addOctave(octave, hour, norm, rows, columns, out);
    return out;
  };
}

function addOctave(
  octave: Octave,
  hour: number,
  norm: number,
  rows: number,
  columns: number,
  out: Float32Array,
) {
  const { spacing, across, down, amplitude, knots, turn, drift } = octave;
  const [cosine, sine] = [Math.cos(turn * hour), Math.sin(turn * hour)].map(
    (part) => (part * amplitude) / norm,
  );
  const now = knots[0].map((knot, i) => knot * cosine! + knots[1][i]! * sine!);
  const along = new Float32Array(down * columns);
  for (let x = 0; x < columns; x++) {
    const place = (((x - drift * hour) / spacing) % across) + across;
    const knot = Math.floor(place);
    const weights = splineWeights(place - knot);
    for (let y = 0; y < down; y++)
      for (let i = 0; i < 4; i++)
        along[y * columns + x]! += weights[i]! * now[y * across + ((knot + i) % across)]!;
  }
  for (let y = 0; y < rows; y++) {
    const knot = Math.floor(y / spacing);
    const [a, b, c, d] = splineWeights(y / spacing - knot);
    const from = knot * columns;
    for (let x = 0; x < columns; x++)
      out[y * columns + x]! +=
        a * along[from + x]! +
        b * along[from + columns + x]! +
        c * along[from + 2 * columns + x]! +
        d * along[from + 3 * columns + x]!;
  }
}

/** Of the cubic B-spline. */
function splineWeights(t: number): [number, number, number, number] {
  const s = 1 - t;
  return [s ** 3 / 6, (4 - 6 * t * t + 3 * t ** 3) / 6, (4 - 6 * s * s + 3 * s ** 3) / 6, t ** 3 / 6];
}
