import type { Grib2Row } from "./grib2.ts";

/**
 * A field that the archive stores. Values have the units of the API, packed as int16: value = scale · stored
 * + offset.
 *
 * The packing step is close to the step of the feeds and never coarser than the rounding of the API. Finer
 * steps would store noise: each halving costs another eighth of a byte per value in each layout. If the API's
 * rounding is an odd multiple of the step, a stored node rounds to the same number as the feed's own value.
 * Steps of the feeds, in the GRIB2 files of GFS and GFS-Wave: wind 0.01 m/s, gust 0.1 m/s, temperature 0.1 or
 * 0.01 K, pressure 0.1 Pa (instruments: 10 Pa), rain 0.0036 mm/h, CAPE 1 J/kg, cloud 0.1 or 1 %, wave heights
 * 0.01 m, periods 0.01 s, directions 0.01°; OISST 0.01 °C; HYCOM 0.001 m/s, Copernicus currents 0.0006 m/s.
 */
export interface Field {
  /** CF standard name; components of a direction have the name of the direction. Empty where CF has none. */
  standardName: string;
  /** CF cell methods of a statistic. */
  cellMethods?: string;
  longName: string;
  /** UDUNITS string. */
  unit: string;
  /** Packing step, in `unit`. */
  scale: number;
  /** Value that a stored 0 stands for, in `unit`. */
  offset: number;
  /**
   * Lowest and highest value that is accepted, in `unit`: wider than any record at the Earth's surface, narrower
   * than the values that corruption produces.
   */
  min: number;
  max: number;
  /**
   * Tolerance for packing errors, in `unit`: a value up to this far outside the range is set to the bound; a
   * value farther out is treated as corrupt.
   */
  noise: number;
}

/**
 * How a public number is derived from stored fields:
 * `value` is a field itself, `speed` the length of a vector, `bearingFrom` and `bearingTo` the direction that a vector
 * comes from or goes to, `bearing` the angle of a unit vector (x = sine, y = cosine) that points along the bearing.
 */
type Derivation<F extends string> =
  | { is: "value"; of: readonly [F] }
  /** `standardName` is the CF standard name; other derivations use the one of their field. */
  | { is: "speed" | "bearingFrom" | "bearingTo"; of: readonly [F, F]; standardName: string }
  /** `magnitude` is the wave height: where it rounds to 0, the direction is missing. */
  | { is: "bearing"; of: readonly [F, F]; magnitude: F };

/** One response field. */
export type OutputRow<F extends string> = Derivation<F> & {
  /** Name in point answers. */
  point: string;
  /** Name in 2D answers; absent if the variable is not served there. */
  map2d?: string;
  /** Unit as shown to people. */
  unit: string;
  /** Decimals on the wire. */
  decimals: 0 | 1 | 2;
  title: string;
  /**
   * Height above the surface in metres, if the output has a fixed one; `asked` means the height of the
   * request.
   */
  height?: number | "asked";
};

/** OKLCH lightness 0..1, chroma, hue in degrees; evenly spaced control points, lowest value first. */
export type Ramp = readonly (readonly [lightness: number, chroma: number, hue: number])[];

/** Lines of equal value. */
export type Isolines = EvenIsolines | MarkedIsolines;

interface EvenIsolines {
  title: string;
  /** Interval between levels, in the unit of the stored field. */
  step: number;
  /** Multiples of this value are drawn bold. */
  boldEvery: number;
  /** Unit written after the number, from `words.catalog.units`; undefined writes none. */
  unit?: "m";
  /** How much highs and lows must stand out to be marked, in the unit of the field; undefined marks none. */
  prominence?: number;
  dashed?: true;
}

/** Isolines at chosen values, which are also marked in the legend. */
interface MarkedIsolines {
  title: string;
  /** Unit written after the number, independent of the chosen unit. */
  unit: "kn";
  at: readonly Mark[];
  /**
   * Replaces `at` in the night theme, whose colours are all shades of one hue, so lines are told apart by
   * their numbers.
   */
  atNight: readonly Mark[];
}

/** The category that begins at a limit; `words.catalog.limits` has its words. */
export type LimitName = "strong" | "gale" | "storm" | "hurricane";

/** A value at which a category begins. */
export interface Mark {
  /** Value in the unit of the painted quantity. */
  at: number;
  /** Number written on the line. */
  text: string;
  /** The category that begins there; undefined for an intermediate line. */
  name?: LimitName;
  bold?: true;
}

/** How the map draws a variable. Every property has a default. */
export interface LayerRow {
  /** Name on the layer's button; defaults to the title of the variable. */
  name?: string;
  /** Position in the list of layers; layers without one come last. */
  order?: number;
  /** Group of the layer in the list; the sea if omitted. */
  group?: "wind" | "sky";
  /** The layer has its own button, and a line at the head of the point panel. */
  primary?: true;
  /** Values of the first and last colour, in the unit of the stored field. */
  range?: readonly [low: number, high: number];
  ramp?: Ramp;
  /** Colours that are light by day are also bright at night. By default the dark ones become bright. */
  lightByNight?: true;
  /**
   * Colours below this value (unit of the stored field) fade, becoming fully transparent at the lowest value,
   * so that the base map shows where the quantity is absent.
   */
  solidFrom?: number;
  /** Colours cover land too, and the coastline is drawn above them. */
  overLand?: true;
  /** Symbols that the layer draws: wind barbs, or arrows along the flow or the travel of the waves. */
  symbols?: "barbs" | "arrows";
  /** The layer draws moving particles at this speed: CSS pixels per second for each m s-1. */
  particlePace?: number;
  isolines?: Isolines;
}

/**
 * How numbers are shown if not in the usual way. `slow` is for currents: tenths of a knot. `deep` is for
 * depths: no decimals, and fathoms as an additional unit.
 */
export type Reading = "slow" | "deep";

/** A row of the table of variables. @template F Names of its stored fields. */
export interface VariableRow<F extends string> {
  title: string;
  outputs: readonly OutputRow<F>[];
  /** Comes only from the forecast archive: null for times more than six months ago. */
  archiveOnly?: true;
  /** Does not change with time. */
  static?: true;
  /** Stored at several heights; the request selects one (`wind_height`). */
  atHeights?: true;
  /** Why a value may be missing inside a run's grid, besides gaps in the data. */
  absentWhere?: readonly ("land" | "ice")[];
  /**
   * Every profile of feeds includes it, even `lite`, which is for slow connections; other variables begin
   * with `standard`.
   */
  inLite?: true;
  /** Its fields in GRIB2 files, or the reason why it is not in them, as the end of a sentence to the caller. */
  grib2: readonly Grib2Row<F>[] | string;
  /** How its numbers are shown, if not in the usual way. */
  reading?: Reading;
  /**
   * The variable whose line in the point panel also shows this one (`in`), and the word used for it there
   * (`as`).
   */
  mention?: { in: string; as: string };
  /** false means that the map has no layer for it. */
  layer?: LayerRow | false;
  /** Additional layers of the map, by name. */
  outputLayers?: Readonly<Record<string, OutputLayer>>;
}

/** A layer that paints an output other than the first one of its variable. */
export interface OutputLayer extends LayerRow {
  /** Name of the painted output in point answers. */
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

/** A stored field. @param standardName Its CF standard name. @param values Its packing and its range. */
export function field(
  standardName: string,
  longName: string,
  unit: string,
  values: Pick<Field, "scale" | "min" | "max"> & Partial<Pick<Field, "offset" | "noise" | "cellMethods">>,
): Field {
  return { standardName, longName, unit, offset: 0, noise: 0, ...values };
}

/** A response field that equals a stored field. @param unit Unit as shown to people. */
export function value<const Point extends string, const F extends string>(
  point: Point,
  unit: string,
  decimals: 0 | 1 | 2,
  title: string,
  field: F,
) {
  return { point, unit, decimals, title, is: "value", of: [field] } as const;
}
