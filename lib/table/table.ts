import type { MemberStatistic } from "#lib/catalog/ensemble.ts";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { type Output, variable, variableNames } from "#lib/catalog/variables.ts";
import { windField } from "#lib/catalog/wind.ts";
import { type MapField, valueOfEntry } from "#lib/field/map-field.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";

/** Named columns of equal length with their provenance: the input of every format except JSON. */
export interface Table {
  rows: number;
  columns: readonly Column[];
  about: About;
}

export interface Column {
  name: string;
  /** Unit as shown to people. */
  unit?: string;
  title: string;
  /** Metres above the surface. */
  height?: number;
  kind: "number" | "instant" | "text";
  /** Present if the numbers are a statistic over the members of an ensemble, or one member's values: `of` names the response field. */
  statistic?: { of: string; is: MemberStatistic | "member" };
  /** All texts of a text column that has few; without them it is not written to NetCDF. */
  texts?: readonly string[];
  /** A number, Unix seconds of an instant, or the position of a text in `texts`; NaN = null. */
  value(row: number): number;
  /** Text of an instant in its JSON form, or of a text column. */
  text?(row: number): string;
}

/** The metadata of every file. */
export interface About {
  notice: string;
  /** Dataset, model and run for each variable. */
  provenance: string;
}

/** A run that answered for a variable, in the form of `result.meta.provenance`. */
interface RunOfOrigin {
  variable: string;
  dataset: string;
  model: string;
  run: string;
  reference_time?: string | null;
  valid_times?: readonly string[];
  points?: number;
  /** Age of a forecast, seconds. */
  age_s?: number | undefined;
  /** States that the forecast is old; absent if it is not. */
  notice?: string | undefined;
  /** Height of the wind, metres above the surface. */
  wind_height?: number;
  /** Model of the request for which it answered. */
  answer?: string | undefined;
}

/** Source of an answer's numbers. */
export interface Origin {
  provenance?: readonly RunOfOrigin[];
  synthetic?: boolean;
  /** A sentence that says what the numbers of an ensemble are not. */
  caution?: string;
}

export const NOT_FOR_NAVIGATION = "Not for navigation";

export function aboutOf({ provenance = [], synthetic, caution }: Origin): About {
  const parts = provenance.map(
    ({ variable, dataset, model, run, wind_height, age_s, answer }) =>
      `${variable}${wind_height === undefined ? "" : ` at ${wind_height} m`}${answer === undefined ? "" : ` of ${answer}`}: ${dataset}, ${model}, run ${run}` +
      (age_s === undefined ? "" : `, ${Math.floor(age_s / HOUR_S)} h old`),
  );
  const old = new Set(provenance.flatMap(({ notice }) => notice?.replace(/\.$/, "") ?? []));
  const invented = synthetic ? "; synthetic: invented by the demo world" : "";
  const cautions = caution === undefined ? [] : [caution.replace(/\.$/, "")];
  return {
    notice: [`${NOT_FOR_NAVIGATION}${invented}`, ...old, ...cautions].join(". "),
    provenance: parts.join("; "),
  };
}

/** An entry of a point answer's results. */
export interface PointEntry {
  coordinates: { latitude: number; longitude: number; timestamp: string; model?: string };
  conditions: Readonly<Record<string, number | null>>;
}

/** Outputs by their names in point answers. */
export const pointOutputs: ReadonlyMap<string, Output> = new Map(
  variableNames.flatMap((name) => variable(name).outputs.map((output) => [output.point, output] as const)),
);

/** Outputs by their names in box answers: the 2D name, or else the name at points. */
export const mapOutputs: ReadonlyMap<string, Output> = new Map(
  [...pointOutputs.values()].map((output) => [output.map2d ?? output.point, output] as const),
);

/**
 * Height of a column above the surface, metres; undefined if it has none, or if the height of the wind is not
 * stated.
 */
export function heightOf(name: string, { provenance }: Origin): number | undefined {
  const { height } = pointOutputs.get(name) ?? mapOutputs.get(name) ?? { height: heightOfComponent(name) };
  if (height !== "asked") return height;
  return provenance?.find(({ wind_height }) => wind_height !== undefined)?.wind_height;
}

/** The column of a coordinate, degrees. */
export const place = (name: "latitude" | "longitude", value: Column["value"]): Column => ({
  name,
  unit: "°",
  title: name === "latitude" ? "degrees north" : "degrees east",
  kind: "number",
  value,
});

/** The column of the times, Unix seconds, and how the answer writes them. */
export const timestamps = (value: Column["value"], text: Column["text"]): Column => ({
  name: "timestamp",
  title: "time, UTC",
  kind: "instant",
  value,
  text,
});

const modelColumn = ({ names, at }: NonNullable<Points["models"]>): Column => ({
  name: "model",
  title: "model that answers",
  kind: "text",
  texts: names,
  value: at,
  text: (row) => names[at(row)]!,
});

const memberColumn = (value: Column["value"]): Column => ({
  name: "member",
  title: "member of the ensemble",
  kind: "number",
  value,
});

/** Points as columns. */
export interface Points {
  rows: number;
  latitude(row: number): number;
  longitude(row: number): number;
  timestamp(row: number): string;
  /** Models that the request names, and which of them answers a row; absent if it names none. */
  models?: { names: readonly string[]; at(row: number): number };
  /** Public names of the values. */
  names: readonly string[];
  /** Values of one name by row; NaN stands for null. */
  value(name: string): (row: number) => number;
}

/** The entries of a point answer as columns. */
export function pointsOf(results: readonly PointEntry[]): Points {
  const models = [...new Set(results.flatMap(({ coordinates }) => coordinates.model ?? []))];
  return {
    ...(models.length > 0 && {
      models: { names: models, at: (row: number) => models.indexOf(results[row]!.coordinates.model!) },
    }),
    rows: results.length,
    latitude: (row) => results[row]!.coordinates.latitude,
    longitude: (row) => results[row]!.coordinates.longitude,
    timestamp: (row) => results[row]!.coordinates.timestamp,
    names: Object.keys(results[0]?.conditions ?? {}),
    value: (name) => (row) => results[row]!.conditions[name] ?? Number.NaN,
  };
}

/** The points of an answer, in the order of the request. */
export function pointTable(points: Points, origin: Origin): Table {
  const { rows, timestamp, names, models } = points;
  return {
    rows,
    about: aboutOf(origin),
    columns: [
      place("latitude", points.latitude),
      place("longitude", points.longitude),
      timestamps((row) => parseInstant(timestamp(row)), timestamp),
      ...(models ? [modelColumn(models)] : []),
      ...names.map((name): Column => {
        const { unit, title } = pointOutputs.get(name) ?? { unit: "", title: name };
        const height = heightOf(name, origin);
        return { name, unit, title, height, kind: "number", value: points.value(name) };
      }),
    ],
  };
}

/** The nodes of a 2D answer, sorted by model, then time, then south to north, then west to east. */
export function mapTable(field: MapField, origin: Origin): Table {
  const { latitude, longitude, times, models, members, outputs } = field;
  const nodes = latitude.length * longitude.length;
  const instants = times.map(parseInstant);
  const timeOf = (row: number) => Math.floor(row / nodes) % times.length;
  const modelOf = (row: number) => Math.floor(row / (nodes * times.length));
  return {
    rows: (members ?? models ?? [""]).length * times.length * nodes,
    about: aboutOf(origin),
    columns: [
      place("latitude", (row) => latitude[Math.floor((row % nodes) / longitude.length)]!),
      place("longitude", (row) => longitude[row % longitude.length]!),
      timestamps(
        (row) => instants[timeOf(row)]!,
        (row) => times[timeOf(row)]!,
      ),
      ...(models ? [modelColumn({ names: models, at: modelOf })] : []),
      ...(members ? [memberColumn((row) => members[modelOf(row)]!)] : []),
      ...outputs.map(
        ({ name, unit, title, decimals, statistic, entries }): Column => ({
          name,
          unit,
          title,
          height: heightOf(statistic?.of ?? name, origin),
          kind: "number",
          value: (row) => valueOfEntry(entries[row]!, decimals),
        }),
      ),
    ],
  };
}

/** A component of a vector as a column of a file. */
export interface Component {
  /** Symbol of the unit that people see. */
  unit: string;
  title: string;
  /** Decimals as stored: hundredths, or thousandths for currents. */
  decimals: 2 | 3;
  /** CF standard name. */
  standardName: string;
}

/** Units of all vector components, by field. */
const units = new Map<string, string>(
  variableNames.flatMap((name) =>
    variable(name).outputs.flatMap(({ is, of, unit }) =>
      is === "speed" ? of.map((field) => [field, unit] as const) : [],
    ),
  ),
);

const HEIGHT = /^((?:eastward|northward)_wind)_([\d.]+)m$/;

/** Output name of a vector component: the name of its field; for the wind with the height. */
export function componentName(field: FieldName, windHeight: number): string {
  if (field === windField("eastward", 10)) return `eastward_wind_${windHeight}m`;
  return field === windField("northward", 10) ? `northward_wind_${windHeight}m` : field;
}

/** Height of a component of the wind, metres; undefined for any other name. */
export function heightOfComponent(name: string): number | undefined {
  const height = HEIGHT.exec(name)?.[2];
  return height === undefined ? undefined : Number(height);
}

/** A component by its output name; undefined if the name is not that of a component. */
export function componentOf(name: string): Component | undefined {
  const field = name.replace(HEIGHT, "$1_10m") as FieldName;
  const unit = units.get(field);
  if (unit === undefined) return undefined;
  const { longName, standardName, scale } = fields[field];
  const height = heightOfComponent(name);
  const title = height === undefined ? longName : longName.replace(/\b10 m\b/, `${height} m`);
  return { unit, title, decimals: scale < 0.01 ? 3 : 2, standardName };
}
