import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { windField } from "#lib/catalog/wind.ts";

/** A component of a vector as a column of a file. */
export interface Component {
  /** As shown to people. */
  unit: string;
  title: string;
  /** Of what is stored: hundredths, or thousandths for currents. */
  decimals: 2 | 3;
  /** CF standard name. */
  standardName: string;
}

/** Units of the components of all vectors, by field. */
const units = new Map<string, string>(
  variableNames.flatMap((name) =>
    variable(name).outputs.flatMap(({ is, of, unit }) =>
      is === "speed" ? of.map((field) => [field, unit] as const) : [],
    ),
  ),
);

const HEIGHT = /^((?:eastward|northward)_wind)_([\d.]+)m$/;

/** Name of a component of a vector as an output: that of its field, the wind's with its height. */
export function componentName(field: FieldName, windHeight: number): string {
  if (field === windField("eastward", 10)) return `eastward_wind_${windHeight}m`;
  return field === windField("northward", 10) ? `northward_wind_${windHeight}m` : field;
}

/** Height of a component of the wind, metres; undefined for any other name. */
export function heightOfComponent(name: string): number | undefined {
  const height = HEIGHT.exec(name)?.[2];
  return height === undefined ? undefined : Number(height);
}

/** A component by its name as an output; undefined where it is the name of anything else. */
export function componentOf(name: string): Component | undefined {
  const field = name.replace(HEIGHT, "$1_10m") as FieldName;
  const unit = units.get(field);
  if (unit === undefined) return undefined;
  const { longName, standardName, scale } = fields[field];
  const height = heightOfComponent(name);
  const title = height === undefined ? longName : longName.replace(/\b10 m\b/, `${height} m`);
  return { unit, title, decimals: scale < 0.01 ? 3 : 2, standardName };
}
