import type { Output } from "#lib/catalog/variables.ts";
import { type MapField, valueOfEntry } from "#lib/field/map-field.ts";
import { ascending } from "#lib/table/netcdf.ts";
import { aboutOf, heightOf, type Origin, type Points } from "#lib/table/table.ts";
import { CRS84, coverageParameter, EPSG4326 } from "./metadata.ts";

/** Numbers per piece of text. */
const NUMBERS_A_PIECE = 4096;

const utf8 = new TextEncoder();

type Pieces = Generator<Uint8Array, void, undefined>;

/** A parameter of point answers with its column. */
export interface PointParameter {
  output: Output;
  /** Value of a row; NaN is written as null. */
  value(row: number): number;
}

/**
 * Source of a coverage's numbers, and whether its coordinate reference system is EPSG:4326 instead of CRS84.
 */
export type CoverageOrigin = Origin & { isLatitudeFirst?: boolean };

const spatialOf = ({ isLatitudeFirst }: CoverageOrigin) => ({
  coordinates: isLatitudeFirst ? ["y", "x"] : ["x", "y"],
  system: { type: "GeographicCRS", id: isLatitudeFirst ? EPSG4326 : CRS84 },
});
/** Reference system of heights, metres above the surface. */
const vertical = {
  type: "VerticalCRS",
  cs: {
    csAxes: [{ name: { en: "Height above the surface" }, direction: "up", unit: { symbol: "m" } }],
  },
};
const temporal = { type: "TemporalRS", calendar: "Gregorian" };

/**
 * Writes places that share the same times as CoverageJSON 1.0: one place as a Point or PointSeries, several
 * as a MultiPointSeries.
 *
 * @param points Ordered by place, each place with all its times.
 */
export function seriesPieces(
  points: Pick<Points, "rows" | "latitude" | "longitude" | "timestamp">,
  places: number,
  parameters: readonly PointParameter[],
  origin: CoverageOrigin,
): Pieces {
  const { rows, latitude, longitude, timestamp } = points;
  const times = rows / places;
  const t = { values: Array.from({ length: times }, (_, at) => timestamp(at)) };
  const height = commonHeight(parameters, origin);
  if (places === 1) {
    const axes = { x: { values: [longitude(0)] }, y: { values: [latitude(0)] }, ...zAxis(height), t };
    const domainType = times === 1 ? "Point" : "PointSeries";
    return coverage(domainType, axes, ["t", "y", "x"], [times, 1, 1], parameters, origin);
  }
  // With several places the height is one of their coordinates, because a MultiPointSeries has no z axis.
  const z = height === undefined ? [] : [height];
  const values = Array.from({ length: places }, (_, at) => [
    longitude(at * times),
    latitude(at * times),
    ...z,
  ]);
  const coordinates = ["x", "y", ...(height === undefined ? [] : ["z"])];
  const composite = { dataType: "tuple", coordinates, values };
  const byTime = parameters.map(({ output, value }) => ({
    output,
    value: (at: number) => value((at % places) * times + Math.floor(at / places)),
  }));
  const axes = { t, composite };
  return coverage("MultiPointSeries", axes, ["t", "composite"], [times, places], byTime, origin);
}

/** Writes places that each have their own time, as a CoverageJSON Trajectory. */
export function trajectoryPieces(
  { rows, latitude, longitude, timestamp }: Pick<Points, "rows" | "latitude" | "longitude" | "timestamp">,
  parameters: readonly PointParameter[],
  origin: CoverageOrigin,
): Pieces {
  const values = Array.from({ length: rows }, (_, row) => [timestamp(row), longitude(row), latitude(row)]);
  const composite = { dataType: "tuple", coordinates: ["t", "x", "y"], values };
  const axes = { composite, ...zAxis(commonHeight(parameters, origin)) };
  return coverage("Trajectory", axes, ["composite"], [rows], parameters, origin);
}

/** Writes a grid at one or more times. Longitudes continue past 180, so that they ascend. */
export function gridPieces(
  { latitude, longitude, times, outputs: fields }: MapField,
  outputs: readonly Output[],
  origin: CoverageOrigin,
): Pieces {
  const x = { values: [...ascending(longitude)] };
  const ranges = outputs.map((output, index): PointParameter => {
    const { entries, decimals } = fields[index]!;
    return { output, value: (at) => valueOfEntry(entries[at]!, decimals) };
  });
  const z = zAxis(commonHeight(ranges, origin));
  const axes = { x, y: { values: [...latitude] }, ...z, t: { values: [...times] } };
  const shape = [times.length, latitude.length, longitude.length];
  return coverage("Grid", axes, ["t", "y", "x"], shape, ranges, origin);
}

/**
 * The height above the surface that all parameters share. A coverage has one domain, so there is no z if they
 * differ.
 */
function commonHeight(parameters: readonly PointParameter[], origin: CoverageOrigin): number | undefined {
  const heights = new Set(parameters.map(({ output }) => heightOf(output.point, origin)));
  return heights.size === 1 ? [...heights][0] : undefined;
}

const zAxis = (height: number | undefined) => height !== undefined && { z: { values: [height] } };

function* coverage(
  domainType: string,
  axes: { z?: object; composite?: { coordinates: string[] } },
  axisNames: string[],
  shape: number[],
  ranges: readonly PointParameter[],
  origin: CoverageOrigin,
): Pieces {
  const hasHeight = axes.z !== undefined || axes.composite?.coordinates.includes("z");
  const referencing = [
    spatialOf(origin),
    ...(hasHeight ? [{ coordinates: ["z"], system: vertical }] : []),
    { coordinates: ["t"], system: temporal },
  ];
  const head = JSON.stringify({
    type: "Coverage",
    ...aboutOf(origin),
    domain: { type: "Domain", domainType, axes, referencing },
    parameters: Object.fromEntries(
      ranges.map(({ output }) => [output.point, coverageParameter(output, origin)]),
    ),
  });
  yield utf8.encode(`${head.slice(0, -1)},"ranges":{`);
  const count = shape.reduce((product, length) => product * length, 1);
  for (const [index, { output, value }] of ranges.entries()) {
    const about = JSON.stringify({ type: "NdArray", dataType: "float", axisNames, shape });
    yield utf8.encode(
      `${index === 0 ? "" : ","}${JSON.stringify(output.point)}:${about.slice(0, -1)},"values":[`,
    );
    for (let from = 0; from < count; from += NUMBERS_A_PIECE) {
      let text = from === 0 ? "" : ",";
      const to = Math.min(count, from + NUMBERS_A_PIECE);
      for (let at = from; at < to; at++) {
        const number = value(at);
        text += `${at === from ? "" : ","}${Number.isNaN(number) ? "null" : number}`;
      }
      yield utf8.encode(text);
    }
    yield utf8.encode("]}");
  }
  yield utf8.encode("}}\n");
}
