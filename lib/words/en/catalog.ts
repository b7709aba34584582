import type { DrawnVariable, LinedVariable, MentionedVariable } from "#lib/catalog/colours.ts";
import { type DatasetName, datasetNames } from "#lib/catalog/datasets.ts";
import type { LimitName } from "#lib/catalog/variable-row.ts";
import { type OutputName, type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";

/** Titles are written in the catalog, in English; other languages have tables of them. */
const ofVariables = <Name extends string>(entries: (name: VariableName) => readonly [string, string][]) =>
  Object.fromEntries(variableNames.flatMap(entries)) as Record<Name, string>;

const limits: Record<LimitName, string> = {
  strong: "strong",
  gale: "gale",
  storm: "storm",
  hurricane: "hurricane",
};

export const catalog = {
  /** Titles of variables. */
  variables: ofVariables<VariableName>((name) => [[name, variable(name).title]]),
  /** Names of layers, as on their buttons. */
  layers: {
    ...ofVariables<DrawnVariable>((name) => {
      const { layer, title } = variable(name);
      return layer === false ? [] : [[name, layer?.name ?? title]];
    }),
    none: "Plain map",
  },
  /** What the plain map shows. */
  plainMap: "Map",
  /** Titles of the fields of replies. */
  outputs: ofVariables<OutputName>((name) =>
    variable(name).outputs.map(({ point, title }) => [point, title]),
  ),
  /** The word for a variable in the line of another: `gusts 35 kn`. */
  mentions: ofVariables<MentionedVariable>((name) => {
    const { mention } = variable(name);
    return mention ? [[name, mention.as]] : [];
  }),
  /** Titles of the lines of a layer. */
  lines: ofVariables<LinedVariable>((name) => {
    const lines = (variable(name).layer || undefined)?.isolines;
    return lines ? [[name, lines.title]] : [];
  }),
  /** What begins at a speed of the wind. */
  limits,
  /** The same beside the colour bar, 40 pixels apart: no more than ten letters. */
  limitMarks: limits,
  datasets: Object.fromEntries(datasetNames.map((name) => [name, name])) as Record<DatasetName, string>,
  /** Titles of the quantities whose unit can be chosen. */
  quantities: {
    speed: "Speed",
    length: "Height and depth",
    temperature: "Temperature",
    pressure: "Pressure",
  },
  /** As written after a number, and as read aloud. */
  units: {
    kn: { symbol: "kn", spoken: "knots" },
    "m/s": { symbol: "m/s", spoken: "metres per second" },
    "km/h": { symbol: "km/h", spoken: "kilometres per hour" },
    Bft: { symbol: "Bft", spoken: "Beaufort" },
    m: { symbol: "m", spoken: "metres" },
    ft: { symbol: "ft", spoken: "feet" },
    fm: { symbol: "fm", spoken: "fathoms" },
    C: { symbol: "°C", spoken: "degrees Celsius" },
    F: { symbol: "°F", spoken: "degrees Fahrenheit" },
    hPa: { symbol: "hPa", spoken: "hectopascals" },
    inHg: { symbol: "inHg", spoken: "inches of mercury" },
    "%": { symbol: "%", spoken: "percent" },
    s: { symbol: "s", spoken: "seconds" },
    "°": { symbol: "°", spoken: "degrees" },
    "mm/h": { symbol: "mm/h", spoken: "millimetres per hour" },
    "J/kg": { symbol: "J/kg", spoken: "joules per kilogram" },
  },
  /** `18 kn`, `Bft 5`, `80%`: a number and the symbol of its unit. */
  inUnit: (number: string, symbol: string) => {
    if (symbol === "Bft") return `Bft ${number}`;
    return symbol === "%" || symbol === "°" ? `${number}${symbol}` : `${number} ${symbol}`;
  },
  /** `18 knots`: a number and its unit as read aloud. */
  inSpokenUnit: (number: string, spoken: string) => `${number} ${spoken}`,
  /** A nautical mile, as written after a number. */
  nauticalMile: "n mi",
  bytes: { kB: "kB", MB: "MB", GB: "GB", TB: "TB" },
  /** The sixteen points of the compass, clockwise from north. */
  compass: {
    letters: "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" "),
    points: [
      "north",
      "north-northeast",
      "northeast",
      "east-northeast",
      "east",
      "east-southeast",
      "southeast",
      "south-southeast",
      "south",
      "south-southwest",
      "southwest",
      "west-southwest",
      "west",
      "west-northwest",
      "northwest",
      "north-northwest",
    ],
  },
};

export type CatalogWords = typeof catalog;
