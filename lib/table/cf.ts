import { fields } from "#lib/catalog/fields.ts";
import type { Output } from "#lib/catalog/variables.ts";
import { type MapField, valueOfEntry } from "#lib/field/map-field.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { parseInstant } from "#lib/time.ts";
import { type Component, componentOf } from "./components.ts";
import { type NetcdfColumn, type NetcdfContent, netcdfPieces } from "./netcdf.ts";
import { type About, aboutOf, heightOf, mapOutputs, type Origin, pointOutputs, type Table } from "./table.ts";

/** Units as UDUNITS writes them. */
const udunits: Readonly<Record<string, string>> = {
  "°": "degree",
  "m/s": "m s-1",
  "mm/h": "kg m-2 h-1",
  "°C": "degree_Celsius",
  "J/kg": "J kg-1",
};

export const axes = {
  time: {
    standard_name: "time",
    units: "seconds since 1970-01-01T00:00:00Z",
    calendar: "standard",
    axis: "T",
  },
  latitude: { standard_name: "latitude", units: "degrees_north", axis: "Y" },
  longitude: { standard_name: "longitude", units: "degrees_east", axis: "X" },
};

/** Scalar coordinates for heights above the surface (CF 5.7), and which of them a column has. */
function heightCoordinates(heights: readonly (number | undefined)[]) {
  const distinct = [...new Set(heights)].filter((height) => height !== undefined);
  const nameOf = (height: number) =>
    distinct.length === 1 ? "height" : `height_${String(height).replace(".", "_")}m`;
  const variables = distinct.map(
    (height): NetcdfColumn => ({
      name: nameOf(height),
      dimensions: [],
      attributes: {
        standard_name: "height",
        long_name: "height above the surface",
        units: "m",
        positive: "up",
        axis: "Z",
      },
      value: () => height,
    }),
  );
  return { variables, of: (height?: number) => (height === undefined ? [] : [nameOf(height)]) };
}

/**
 * How the points of a file belong together (CF 9): not at all; one trajectory; or a series at each of some places, which all
 * have the same times, place after place.
 */
export type PointShape = "point" | "trajectory" | { places: number };

/** The points of an answer as a CF discrete sampling geometry, with place and time as coordinates. */
export function pointNetcdf(
  { rows, columns, about }: Table,
  shape: PointShape = "point",
): Generator<Uint8Array, void, undefined> {
  const { featureType, lengths, id, dimensionsOf, rowOf } = layoutOf(rows, shape);
  const heights = heightCoordinates(columns.map(({ height }) => height));
  return netcdfPieces({
    dimensions: Object.entries(lengths).map(([name, length]) => ({ name, length })),
    attributes: { ...globalsOf(about), featureType },
    variables: [
      ...id,
      ...heights.variables,
      ...columns.map(({ name, height, value }): NetcdfColumn => {
        const axis = name === "timestamp" ? "time" : name;
        const dimensions = dimensionsOf(axis);
        const read = (at: number) => value(rowOf(axis, at));
        if (axis in axes) {
          const { axis: letter, ...attributes } = axes[axis as keyof typeof axes];
          const isOwn = dimensions.length === 1 && dimensions[0] === axis;
          return {
            name: axis,
            dimensions,
            attributes: { ...attributes, ...(isOwn && { axis: letter }) },
            value: read,
          };
        }
        const coordinates = ["time latitude longitude", ...heights.of(height)].join(" ");
        return {
          name,
          dimensions,
          attributes: { ...attributesOf(pointOutputs.get(name)), coordinates },
          value: read,
        };
      }),
    ],
  });
}

/** Dimensions of a file of points, and which row a value of a column is of. */
function layoutOf(rows: number, shape: PointShape) {
  const identity = (role: string, dimensions: string[]): NetcdfColumn => ({
    name: role,
    dimensions,
    attributes: {
      cf_role: `${role === "station" ? "timeseries" : role}_id`,
      long_name: "position in the request",
    },
    isInt: true,
    value: (at) => at,
  });
  if (typeof shape === "object") {
    const { places } = shape;
    const times = rows / places;
    return {
      featureType: "timeSeries",
      lengths: { time: times, station: places },
      id: [identity("station", ["station"])],
      dimensionsOf: (name: string) =>
        name === "time" ? ["time"] : name in axes ? ["station"] : ["time", "station"],
      rowOf: (name: string, at: number) =>
        name === "time" ? at : name in axes ? at * times : (at % places) * times + Math.floor(at / places),
    };
  }
  const dimension = shape === "trajectory" ? "obs" : "point";
  return {
    featureType: shape,
    lengths: { [dimension]: rows },
    id: shape === "trajectory" ? [identity("trajectory", [])] : [],
    dimensionsOf: () => [dimension],
    rowOf: (_name: string, at: number) => at,
  };
}

/** A 2D answer with the axes time, latitude and longitude. Longitudes continue past 180, so that they ascend. */
export function mapNetcdf(field: MapField, origin: Origin): Generator<Uint8Array, void, undefined> {
  const { latitude, times, outputs } = field;
  const longitude = ascending(field.longitude);
  const instants = times.map(parseInstant);
  const heights = heightCoordinates(outputs.map(({ name }) => heightOf(name, origin)));
  const axis = (name: keyof typeof axes, values: ArrayLike<number>): NetcdfColumn => ({
    name,
    dimensions: [name],
    attributes: axes[name],
    value: (at) => values[at]!,
  });
  const content: NetcdfContent = {
    dimensions: [
      { name: "time", length: times.length },
      { name: "latitude", length: latitude.length },
      { name: "longitude", length: longitude.length },
    ],
    attributes: globalsOf(aboutOf(origin)),
    variables: [
      axis("time", instants),
      axis("latitude", latitude),
      axis("longitude", longitude),
      ...heights.variables,
      ...outputs.map(({ name, decimals, entries }): NetcdfColumn => {
        const [height] = heights.of(heightOf(name, origin));
        return {
          name,
          dimensions: ["time", "latitude", "longitude"],
          attributes: {
            ...attributesOf(mapOutputs.get(name) ?? componentOf(name)),
            ...(height !== undefined && { coordinates: height }),
          },
          value: (at) => valueOfEntry(entries[at]!, decimals),
        };
      }),
    ],
  };
  return netcdfPieces(content);
}

/** Longitudes from west to east, without the jump at 180. */
export function ascending(longitude: Float64Array): Float64Array {
  return longitude.map((value) => (value < longitude[0]! ? value + 360 : value));
}

export function globalsOf({ notice, provenance }: About): Record<string, string> {
  // Discrete sampling geometries came with 1.6, and GDAL finds points in files of that version alone.
  return { Conventions: "CF-1.6", title: SERVICE_NAME, comment: notice, source: provenance || "unknown" };
}

export function attributesOf(output: Output | Component | undefined): Record<string, string | number> {
  const filled = { _FillValue: Number.NaN };
  if (!output) return filled;
  const { title, unit } = output;
  return { ...filled, long_name: title, units: udunits[unit] ?? unit, standard_name: standardName(output) };
}

/** CF standard name of an output. */
export function standardName(output: Output | Component): string {
  return "standardName" in output ? output.standardName : fields[output.of[0]].standardName;
}
