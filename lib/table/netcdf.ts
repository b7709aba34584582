import { cellMethods, type MemberStatistic } from "#lib/catalog/ensemble.ts";
import { fields } from "#lib/catalog/fields.ts";
import type { Output } from "#lib/catalog/variables.ts";
import { type MapField, valueOfEntry } from "#lib/field/map-field.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { parseInstant } from "#lib/time.ts";
import {
  type About,
  aboutOf,
  type Component,
  componentOf,
  heightOf,
  mapOutputs,
  type Origin,
  pointOutputs,
  type Table,
} from "./table.ts";

/** Units as UDUNITS writes them. */
const udunits: Readonly<Record<string, string>> = {
  "°": "degree",
  "m/s": "m s-1",
  "mm/h": "kg m-2 h-1",
  "°C": "degree_Celsius",
  "J/kg": "J kg-1",
  "%": "percent",
  "": "1",
};

const udunitsOf = (unit: string) => udunits[unit] ?? unit;

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

/** Scalar coordinates for heights above the surface (CF 5.7), and the one that each column refers to. */
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
 * How the points of a file are related (CF 9): independent points; one trajectory; or a series at each of
 * some places, which all have the same times, one place after another. A place counts once for each model.
 */
type PointShape = "point" | "trajectory" | { places: number };

/** Writes the points of an answer as a CF discrete sampling geometry, with place and time as coordinates. */
export function pointNetcdf(
  { rows, columns: all, about }: Table,
  shape: PointShape = "point",
): Generator<Uint8Array, void, undefined> {
  const columns = all.filter(({ kind, texts }) => kind !== "text" || texts);
  const labels = columns.filter(({ texts }) => texts).map(({ name }) => name);
  const { featureType, lengths, id, dimensionsOf, rowOf } = layoutOf(rows, shape, labels);
  const heights = heightCoordinates(columns.map(({ height }) => height));
  return netcdfPieces({
    dimensions: Object.entries(lengths).map(([name, length]) => ({ name, length })),
    attributes: { ...globalsOf(about), featureType },
    variables: [
      ...id,
      ...heights.variables,
      ...columns.map(({ name, title, unit, height, statistic, value, texts }): NetcdfColumn => {
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
        if (texts) return { name, dimensions, attributes: flags(title, texts), isInt: true, value: read };
        const coordinates = ["time latitude longitude", ...labels, ...heights.of(height)].join(" ");
        return {
          name,
          dimensions,
          attributes: {
            ...namedAttributes({ title, unit }, pointOutputs.get(name)),
            ...(statistic && statisticAttributes(statistic.is, pointOutputs.get(statistic.of))),
            coordinates,
          },
          value: read,
        };
      }),
    ],
  });
}

/** Attributes of whole numbers that stand for texts (CF 3.5). */
const flags = (title: string, texts: readonly string[]) => ({
  long_name: title,
  flag_values: Int32Array.from(texts, (_, at) => at),
  flag_meanings: texts.join(" "),
});

/**
 * Dimensions of a file of points, and the row to which each value of a column belongs.
 *
 * @param labels Columns that are the same at all times of a place.
 */
function layoutOf(rows: number, shape: PointShape, labels: readonly string[]) {
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
    const isOfPlace = (name: string) => name in axes || labels.includes(name);
    return {
      featureType: "timeSeries",
      lengths: { time: times, station: places },
      id: [identity("station", ["station"])],
      dimensionsOf: (name: string) =>
        name === "time" ? ["time"] : isOfPlace(name) ? ["station"] : ["time", "station"],
      rowOf: (name: string, at: number) =>
        name === "time" ? at : isOfPlace(name) ? at * times : (at % places) * times + Math.floor(at / places),
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

/**
 * Writes a 2D answer with the axes time, latitude and longitude. Several models are an axis after time, because cdo reads
 * no variable whose first axis is another one; one model is a coordinate without an axis (CF 5.7), because programs expect
 * three. Longitudes continue past 180, so that they ascend.
 */
export function mapNetcdf(field: MapField, origin: Origin): Generator<Uint8Array, void, undefined> {
  const { latitude, times, models = [], members = [], outputs } = field;
  const several = Math.max(models.length, members.length);
  const axisOfModels = members.length > 0 ? ["realization"] : models.length > 1 ? ["model"] : [];
  const nodes = latitude.length * field.longitude.length;
  /** Position of an entry, whose models or members stand one after another, in the order of the file. */
  const entryOf = (at: number): number => {
    if (several < 2) return at;
    const [step, node] = [Math.floor(at / nodes), at % nodes];
    const [time, model] = [Math.floor(step / several), step % several];
    return (model * times.length + time) * nodes + node;
  };
  const longitude = ascending(field.longitude);
  const instants = times.map(parseInstant);
  const heights = heightCoordinates(
    outputs.map(({ name, statistic }) => heightOf(statistic?.of ?? name, origin)),
  );
  const axis = (name: keyof typeof axes, values: ArrayLike<number>): NetcdfColumn => ({
    name,
    dimensions: [name],
    attributes: axes[name],
    value: (at) => values[at]!,
  });
  const content: NetcdfContent = {
    dimensions: [
      { name: "time", length: times.length },
      ...axisOfModels.map((name) => ({ name, length: several })),
      { name: "latitude", length: latitude.length },
      { name: "longitude", length: longitude.length },
      ...(models.length > 0 ? [{ name: MODEL_LENGTH, length: textLength(models) }] : []),
    ],
    attributes: globalsOf(aboutOf(origin)),
    variables: [
      ...(models.length > 0 ? [modelLabels(models, axisOfModels)] : []),
      ...(members.length > 0 ? [realizations(members)] : []),
      axis("time", instants),
      axis("latitude", latitude),
      axis("longitude", longitude),
      ...heights.variables,
      ...outputs.map((output): NetcdfColumn => {
        const { name, decimals, statistic, entries } = output;
        const height = heightOf(statistic?.of ?? name, origin);
        const coordinates = [...heights.of(height), ...(models.length > 0 ? ["model"] : [])];
        return {
          name,
          dimensions: ["time", ...axisOfModels, "latitude", "longitude"],
          attributes: {
            ...namedAttributes(output, mapOutputs.get(name) ?? componentOf(name)),
            ...(statistic && statisticAttributes(statistic.is, mapOutputs.get(statistic.of))),
            ...(coordinates.length > 0 && { coordinates: coordinates.join(" ") }),
          },
          value: (at) => valueOfEntry(entries[entryOf(at)]!, decimals),
        };
      }),
    ],
  };
  return netcdfPieces(content);
}

/** Dimension of the characters of names. */
const MODEL_LENGTH = "model_length";

/** Characters of the longest name, in whole fours, so that the variable needs no padding in the file. */
const textLength = (texts: readonly string[]) =>
  4 * Math.ceil(Math.max(...texts.map(({ length }) => length)) / 4);

/** The names of models, which are ASCII, as a coordinate of characters (CF 6.1). */
function modelLabels(models: readonly string[], dimensions: readonly string[]): NetcdfColumn {
  const length = textLength(models);
  return {
    name: "model",
    dimensions: [...dimensions, MODEL_LENGTH],
    // xarray reads bytes instead of texts without the encoding.
    attributes: { long_name: "model that answers", _Encoding: "utf-8" },
    isText: true,
    // charCodeAt is NaN after the end of a name, which a byte stores as 0.
    value: (at) => models[Math.floor(at / length)]!.charCodeAt(at % length),
  };
}

/** Longitudes from west to east, continued past 180 instead of jumping. */
export function ascending(longitude: Float64Array): Float64Array {
  return longitude.map((value) => (value < longitude[0]! ? value + 360 : value));
}

export function globalsOf({ notice, provenance }: About): Record<string, string> {
  // Discrete sampling geometries were introduced in CF 1.6, and GDAL finds points only in files of that
  // version.
  return { Conventions: "CF-1.6", title: SERVICE_NAME, comment: notice, source: provenance || "unknown" };
}

export function attributesOf(output: Output | Component | undefined): Record<string, string | number> {
  const filled = { _FillValue: Number.NaN };
  if (!output) return filled;
  const { title, unit } = output;
  return { ...filled, long_name: title, units: udunitsOf(unit), standard_name: standardName(output) };
}

/** The attributes of an output, or of a number that is none, such as a statistic. */
function namedAttributes(
  { title, unit }: { title: string; unit?: string | undefined },
  output: Output | Component | undefined,
): Record<string, string | number> {
  if (output) return attributesOf(output);
  return {
    ...attributesOf(undefined),
    long_name: title,
    ...(unit !== undefined && { units: udunitsOf(unit) }),
  };
}

/**
 * The CF attributes of a statistic over members: the name of its quantity, and how it was made of them, for which CF has words
 * for mean and spread only. Shares and counts of members are other quantities, for which CF has no name.
 */
function statisticAttributes(
  is: MemberStatistic | "member",
  output: Output | undefined,
): Record<string, string> {
  if (is === "share" || is === "members" || !output) return {};
  const methods = is === "member" ? undefined : cellMethods[is];
  return {
    standard_name: standardName(output),
    ...(methods !== undefined && { cell_methods: methods }),
  };
}

/** The realization numbers of the members as the CF coordinate `realization`. */
const realizations = (members: readonly number[]): NetcdfColumn => ({
  name: "realization",
  dimensions: ["realization"],
  attributes: { standard_name: "realization", long_name: "member of the ensemble", units: "1" },
  isInt: true,
  value: (at) => members[at]!,
});

export function standardName(output: Output | Component): string {
  return "standardName" in output ? output.standardName : fields[output.of[0]].standardName;
}

/** Content of a NetCDF file of doubles, 32-bit integers and characters. */
export interface NetcdfContent {
  dimensions: readonly { name: string; length: number }[];
  attributes: Readonly<Record<string, string>>;
  variables: readonly NetcdfColumn[];
}

/** Numbers are written as doubles, Int32Arrays as integers. */
type Attributes = Readonly<Record<string, string | number | Int32Array>>;

export interface NetcdfColumn {
  name: string;
  /** Names of dimensions, the slowest first. */
  dimensions: readonly string[];
  attributes: Attributes;
  /** Values are 32-bit integers; by default they are doubles. */
  isInt?: boolean;
  /** Values are single bytes of text. */
  isText?: boolean;
  /** Value at a position in row-major order; NaN = missing. */
  value(position: number): number;
}

const [DIMENSION, VARIABLE, ATTRIBUTE] = [10, 11, 12];
const [CHAR, INT, DOUBLE] = [2, 4, 6];
const [INT_BYTES, DOUBLE_BYTES] = [4, 8];
const VALUES_A_PIECE = 16_384;

const utf8 = new TextEncoder();

/** Writes a NetCDF-3 file with 64-bit offsets (CDF-2), header first and variable after variable, in pieces. */
export function* netcdfPieces(content: NetcdfContent): Generator<Uint8Array, void, undefined> {
  const lengths = content.variables.map(({ dimensions }) => lengthOf(content, dimensions));
  // Offsets have a fixed size, so the length of the header does not depend on their values.
  const size = headerOf(content, lengths, 0).length;
  yield headerOf(content, lengths, size);
  for (const [i, variable] of content.variables.entries()) {
    const { value, isInt, isText } = variable;
    for (let from = 0; from < lengths[i]!; from += VALUES_A_PIECE) {
      const count = Math.min(VALUES_A_PIECE, lengths[i]! - from);
      const piece = new DataView(new ArrayBuffer(count * bytesOf(variable)));
      for (let at = 0; at < count; at++) {
        if (isInt) piece.setInt32(at * INT_BYTES, value(from + at));
        else if (isText) piece.setUint8(at, value(from + at));
        else piece.setFloat64(at * DOUBLE_BYTES, value(from + at));
      }
      yield new Uint8Array(piece.buffer);
    }
  }
}

function bytesOf({ isInt, isText }: NetcdfColumn): number {
  return isText ? 1 : isInt ? INT_BYTES : DOUBLE_BYTES;
}

function lengthOf({ dimensions }: NetcdfContent, names: readonly string[]): number {
  return names.reduce((product, name) => product * dimensions.find((one) => one.name === name)!.length, 1);
}

function headerOf(content: NetcdfContent, lengths: readonly number[], dataStart: number): Uint8Array {
  const { dimensions, attributes, variables } = content;
  const bytes: number[] = [0x43, 0x44, 0x46, 2];
  const int = (value: number) =>
    bytes.push((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
  const text = (value: string) => {
    const encoded = utf8.encode(value);
    int(encoded.length);
    for (const byte of encoded) bytes.push(byte);
    while (bytes.length % 4) bytes.push(0);
  };
  const list = (tag: number, count: number) => {
    int(count === 0 ? 0 : tag);
    int(count);
  };
  const attributeList = (all: Attributes) => {
    list(ATTRIBUTE, Object.keys(all).length);
    for (const [name, value] of Object.entries(all)) {
      text(name);
      int(typeof value === "string" ? CHAR : typeof value === "number" ? DOUBLE : INT);
      if (typeof value === "string") text(value);
      else if (typeof value === "object") {
        int(value.length);
        for (const each of value) int(each);
      } else {
        int(1);
        const view = new DataView(new ArrayBuffer(DOUBLE_BYTES));
        view.setFloat64(0, value);
        bytes.push(...new Uint8Array(view.buffer));
      }
    }
  };

  int(0);
  list(DIMENSION, dimensions.length);
  for (const { name, length } of dimensions) {
    text(name);
    int(length);
  }
  attributeList(attributes);
  list(VARIABLE, variables.length);
  let begin = dataStart;
  for (const [i, variable] of variables.entries()) {
    text(variable.name);
    int(variable.dimensions.length);
    for (const name of variable.dimensions) int(dimensions.findIndex((one) => one.name === name));
    attributeList(variable.attributes);
    int(variable.isText ? CHAR : variable.isInt ? INT : DOUBLE);
    int(lengths[i]! * bytesOf(variable));
    int(Math.floor(begin / 2 ** 32));
    int(begin % 2 ** 32);
    begin += lengths[i]! * bytesOf(variable);
  }
  return Uint8Array.from(bytes);
}
