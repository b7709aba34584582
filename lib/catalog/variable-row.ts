/**
 * A field that the archive stores. Values have the units of the API, packed as int16: value = scale · stored + offset.
 *
 * The packing step is about that in which feeds give the quantity, and never coarser than the rounding of the API. Finer
 * steps store noise: each halving takes an eighth of a byte more for each value in each layout. Where the rounding is an odd
 * multiple of the step, a node is rounded as the feed's own number would be. Steps of feeds, in GRIB2 of GFS and GFS-Wave: wind 0.01 m/s, gust
 * 0.1 m/s, temperature 0.1 or 0.01 K, pressure 0.1 Pa (instruments: 10 Pa), rain 0.0036 mm/h, CAPE 1 J/kg, cloud 0.1 or 1 %,
 * wave heights 0.01 m, periods 0.01 s, directions 0.01°; OISST 0.01 °C; HYCOM 0.001 m/s, Copernicus currents 0.0006 m/s.
 */
export interface Field {
  /** CF standard name; for the components of a direction, that of the direction. */
  standardName: string;
  longName: string;
  /** UDUNITS string. */
  unit: string;
  /** Packing step, in `unit`. */
  scale: number;
  /** Value of stored 0, in `unit`. */
  offset: number;
}

/**
 * How a public number is derived from stored fields:
 * `value` is a field itself, `speed` the length of a vector, `bearingFrom` and `bearingTo` the direction that a vector
 * comes from or goes to, `bearing` the angle of a unit vector (x = sine, y = cosine) that points along the bearing.
 */
type Derivation<F extends string> =
  | { is: "value"; of: readonly [F] }
  /** `standardName` is the CF standard name; the others have that of their field. */
  | { is: "speed" | "bearingFrom" | "bearingTo"; of: readonly [F, F]; standardName: string }
  /** `magnitude` is the wave height: where it rounds to 0 there is no direction. */
  | { is: "bearing"; of: readonly [F, F]; magnitude: F };

/** One response field. */
export type OutputRow<F extends string> = Derivation<F> & {
  /** Name in point answers. */
  point: string;
  /** Name in 2D answers, where the variable is served there. */
  map2d?: string;
  /** Unit as shown to people. */
  unit: string;
  /** Decimals on the wire. */
  decimals: 0 | 1 | 2;
  title: string;
  /** Metres above the surface, where it is of one height; `asked`: that of the request. */
  height?: number | "asked";
};

/** OKLCH lightness 0..1, chroma, hue in degrees; evenly spaced control points, lowest value first. */
export type Ramp = readonly (readonly [lightness: number, chroma: number, hue: number])[];

/** Lines of equal value. */
export type Isolines = EvenIsolines | MarkedIsolines;

/** Lines at even distances. */
interface EvenIsolines {
  title: string;
  /** Distance of levels, in the unit of the stored field. */
  step: number;
  /** Levels drawn bold: multiples of this. */
  boldEvery: number;
  /** Written after the number, from `words.catalog.units`; undefined writes none. */
  unit?: "m";
  /** Highs and lows are marked when they stand out by this much, in the unit of the field; undefined marks none. */
  prominence?: number;
  dashed?: true;
}

/** Lines at chosen values, which the legend marks too. */
interface MarkedIsolines {
  title: string;
  /** Written after the number, whatever unit is chosen. */
  unit: "kn";
  at: readonly Mark[];
  /** In place of `at` in the night theme, whose colours are shades of one hue: numbers tell them apart. */
  atNight: readonly Mark[];
}

/** What begins at a limit; `words.catalog.limits` has the words. */
export type LimitName = "strong" | "gale" | "storm" | "hurricane";

/** A value at which something begins. */
export interface Mark {
  /** In the unit of the painted quantity. */
  at: number;
  /** Number on the line. */
  text: string;
  /** What begins there; undefined for a line in between. */
  name?: LimitName;
  bold?: true;
}

/** How the map draws a variable. What is left out has a default. */
export interface LayerRow {
  /** Name on the layer's button; the title of the variable where left out. */
  name?: string;
  /** Position in the list of layers; a layer without one comes last. */
  order?: number;
  /** Has a button of its own, and a line at the head of the point panel. */
  primary?: true;
  /** Values of the first and last colour, in the unit of the stored field. */
  range?: readonly [low: number, high: number];
  ramp?: Ramp;
  /** What is light by day is bright at night too; by default what is dark by day is. */
  lightByNight?: true;
  /**
   * Colours below this value fade, to nothing at the lowest: where there is none of it the map below shows. In the unit of
   * the stored field.
   */
  solidFrom?: number;
  /** Its colours cover the land too, and the coast is a line above them. */
  overLand?: true;
  /** Drawn as symbols: wind barbs, or arrows along the flow or the travel of the waves. */
  symbols?: "barbs" | "arrows";
  /** Drawn as moving particles; CSS pixels a second for each m s-1. */
  particlePace?: number;
  isolines?: Isolines;
}

/**
 * How numbers are shown, where not as usual. `slow`: a current, with tenths of a knot. `deep`: a depth, without decimals and
 * with a choice of fathoms.
 */
export type Reading = "slow" | "deep";

/** A row of the table of variables. @template F Names of its stored fields. */
export interface VariableRow<F extends string> {
  title: string;
  outputs: readonly OutputRow<F>[];
  /** Comes only from the forecast archive: null where older than six months. */
  archiveOnly?: true;
  /** Does not change with time. */
  static?: true;
  /** Stored at several heights; the request chooses one (`wind_height`). */
  atHeights?: true;
  /** Why a value may be missing inside a run's grid, besides gaps in the data. */
  absentWhere?: readonly ("land" | "ice")[];
  /** All sources of `server/ingest/sources` that have it, best first; a setting may name another order. */
  sources: readonly string[];
  /** How people read the numbers, where not as usual. */
  reading?: Reading;
  /** The line of another variable at the head of the point panel that mentions this one, and by which word. */
  mention?: { in: string; as: string };
  /** false: not a layer of the map. */
  layer?: LayerRow | false;
  /** More layers of the map, by name. */
  outputLayers?: Readonly<Record<string, OutputLayer>>;
}

/** A layer that paints another output of a variable than the first. */
export interface OutputLayer extends LayerRow {
  /** Name of the output at points. */
  paints: string;
}

/**
 * A row of the table of variables.
 *
 * @param stores The stored fields that the outputs are derived from, by name.
 */
export function variableRow<const F extends string, const R extends VariableRow<NoInfer<F>>>(
  stores: Readonly<Record<F, Field>>,
  row: R,
): R & { stores: Readonly<Record<F, Field>> } {
  return { ...row, stores };
}

/** A stored field. @param standardName Its CF standard name. @param scale Packing step: see `Field`. */
export function field(
  standardName: string,
  longName: string,
  unit: string,
  scale: number,
  offset = 0,
): Field {
  return { standardName, longName, unit, scale, offset };
}

/** A response field that is a stored field itself. @param unit As shown to people. */
export function value<const Point extends string, const F extends string>(
  point: Point,
  unit: string,
  decimals: 0 | 1 | 2,
  title: string,
  of: F,
) {
  return { point, unit, decimals, title, is: "value", of: [of] } as const;
}
