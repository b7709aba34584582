import type { Output } from "#lib/catalog/variables.ts";
import { type MapField, valueOfEntry } from "#lib/field/map-field.ts";
import { ascending } from "#lib/table/cf.ts";
import { aboutOf, type Origin, type Points } from "#lib/table/table.ts";
import { coverageParameter } from "./parameters.ts";

const COVERAGE_JSON = "application/prs.coverage+json";

/** Numbers per piece. */
const NUMBERS_A_PIECE = 4096;

const utf8 = new TextEncoder();

type Pieces = Generator<Uint8Array, void, undefined>;

/** A parameter of points with its column. */
export interface PointParameter {
  output: Output;
  /** Values by row; NaN = null. */
  value(row: number): number;
}

const spatial = { type: "GeographicCRS", id: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" };
const temporal = { type: "TemporalRS", calendar: "Gregorian" };

/**
 * Places, each at the same times, as CoverageJSON 1.0: of one place a Point or PointSeries, of several a MultiPointSeries.
 *
 * @param points Place after place, each with all its times.
 */
export function seriesPieces(
  points: Pick<Points, "rows" | "latitude" | "longitude" | "timestamp">,
  places: number,
  parameters: readonly PointParameter[],
  origin: Origin,
): Pieces {
  const { rows, latitude, longitude, timestamp } = points;
  const times = rows / places;
  const t = { values: Array.from({ length: times }, (_, at) => timestamp(at)) };
  const ranges = parameters.map(({ output, value }) => ({ output, value }));
  if (places === 1) {
    const x = { values: [longitude(0)] };
    const y = { values: [latitude(0)] };
    const domainType = times === 1 ? "Point" : "PointSeries";
    return coverage(
      domainType,
      { x, y, t },
      [["x", "y"], ["t"]],
      ["t", "y", "x"],
      [times, 1, 1],
      ranges,
      origin,
    );
  }
  const values = Array.from({ length: places }, (_, at) => [longitude(at * times), latitude(at * times)]);
  const composite = { dataType: "tuple", coordinates: ["x", "y"], values };
  const byTime = ranges.map(({ output, value }) => ({
    output,
    value: (at: number) => value((at % places) * times + Math.floor(at / places)),
  }));
  const axes = ["t", "composite"];
  return coverage(
    "MultiPointSeries",
    { t, composite },
    [["x", "y"], ["t"]],
    axes,
    [times, places],
    byTime,
    origin,
  );
}

/** Places that each have a time of their own, as a CoverageJSON Trajectory. */
export function trajectoryPieces(
  { rows, latitude, longitude, timestamp }: Pick<Points, "rows" | "latitude" | "longitude" | "timestamp">,
  parameters: readonly PointParameter[],
  origin: Origin,
): Pieces {
  const values = Array.from({ length: rows }, (_, row) => [timestamp(row), longitude(row), latitude(row)]);
  const composite = { dataType: "tuple", coordinates: ["t", "x", "y"], values };
  return coverage(
    "Trajectory",
    { composite },
    [["x", "y"], ["t"]],
    ["composite"],
    [rows],
    parameters,
    origin,
  );
}

/** A grid at one or more times. Longitudes continue past 180, so that they ascend. */
export function gridPieces(
  { latitude, longitude, times, outputs: fields }: MapField,
  outputs: readonly Output[],
  origin: Origin,
): Pieces {
  const x = { values: [...ascending(longitude)] };
  const ranges = outputs.map((output, index): PointParameter => {
    const { entries, decimals } = fields[index]!;
    return { output, value: (at) => valueOfEntry(entries[at]!, decimals) };
  });
  const axes = { x, y: { values: [...latitude] }, t: { values: [...times] } };
  const shape = [times.length, latitude.length, longitude.length];
  return coverage("Grid", axes, [["x", "y"], ["t"]], ["t", "y", "x"], shape, ranges, origin);
}

function* coverage(
  domainType: string,
  axes: object,
  [place, time]: string[][],
  axisNames: string[],
  shape: number[],
  ranges: readonly PointParameter[],
  origin: Origin,
): Pieces {
  const referencing = [
    { coordinates: place, system: spatial },
    { coordinates: time, system: temporal },
  ];
  const head = JSON.stringify({
    type: "Coverage",
    ...aboutOf(origin),
    domain: { type: "Domain", domainType, axes, referencing },
    parameters: Object.fromEntries(ranges.map(({ output }) => [output.point, coverageParameter(output)])),
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
