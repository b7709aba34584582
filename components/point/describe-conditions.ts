import { layerName, layers, readingOf } from "#components/view-state/layers.ts";
import { type DrawnVariable, directionOutput, paintedOutput } from "#lib/catalog/colours.ts";
import { type Output, type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import type { NullReason, PointMeta } from "#lib/contract/point.ts";
import { compassPoint } from "#lib/position.ts";
import { numberIn, textIn, type Units, unitFor } from "#lib/units.ts";

/** Numbers of one point, by the names of the API. */
export type Conditions = Record<string, number | null | undefined>;

const reasons: Record<NullReason, string> = {
  land: "on land",
  ice: "under ice",
  out_of_archive: "not in archive",
  out_of_domain: "outside the area",
  missing: "no value",
};

/** `— not available (on land)`. @param reason Why the value is null, where the service says so. */
export function absentText(reason: NullReason | undefined): string {
  return reason ? `— not available (${reasons[reason]})` : "— not available";
}

/** Why a variable has no value at the only point of an answer. */
export function nullReason(meta: PointMeta | undefined, name: VariableName): NullReason | undefined {
  return meta?.nulls.find((entry) => entry.variable === name && entry.points.includes(0))?.reason;
}

/** Whether the point is on land: no variable of the sea that has a line of its own has a value. */
export function isOnLand(meta: PointMeta | undefined): boolean {
  const ofTheSea = layers.first.filter((name) => variable(name).absentWhere?.includes("land"));
  return ofTheSea.every((name) => nullReason(meta, name) === "land");
}

/** A value with its unit, in the units chosen. */
export function valueText(value: number, output: Output, name: VariableName, units: Units): string {
  if (output.unit === "°") return `${bearingText(value)} (${compassPoint(value)})`;
  const unit = unitFor(output.unit, units, readingOf(name));
  return textIn(value, { ...unit, decimals: Math.min(unit.decimals, output.decimals) });
}

/** `007°`, `250°`: three digits, as bearings are said at sea. */
export function bearingText(bearing: number): string {
  return `${String(Math.round(bearing) % 360).padStart(3, "0")}°`;
}

/** A line of what matters most: a layer with a button of its own. */
export interface KeyValue {
  name: string;
  /** As read: `28 kn from west-southwest (249°), gusts 35 kn`. */
  text: string;
  /** As heard: units in words, bearings by name. */
  spoken: string;
}

/** Wind, waves and current in one line each; winds and waves by where they come FROM, currents by where they set. */
export function keyValues(conditions: Conditions, units: Units): KeyValue[] {
  return layers.first.map((variable) => {
    const name = layerName(variable);
    const known = conditions[paintedOutput(variable).point] ?? undefined;
    const line = (words: Wording) =>
      known === undefined ? "not available" : describe(variable, conditions, units, words);
    return { name, text: line(read), spoken: `${name} ${line(heard)}.` };
  });
}

/** Value, period, direction, and what another variable adds. */
function describe(name: DrawnVariable, conditions: Conditions, units: Units, words: Wording): string {
  const numberOf = (output: Output, of: VariableName): string | undefined => {
    const value = conditions[output.point] ?? undefined;
    return value === undefined ? undefined : words.number(value, unitFor(output.unit, units, readingOf(of)));
  };
  const direction = directionOutput(name);
  const bearing = direction && (conditions[direction.point] ?? undefined);
  const period = variable(name).outputs.find(({ unit }) => unit === "s");
  const every = period && numberOf(period, name);
  const additions = variableNames.flatMap((other) => {
    const { mention, outputs } = variable(other);
    const value = mention?.in === name && outputs[0] ? numberOf(outputs[0], other) : undefined;
    return value === undefined ? [] : `, ${mention?.as} ${value}`;
  });
  return [
    numberOf(paintedOutput(name), name),
    every === undefined ? "" : `, ${every}`,
    words.towards(direction?.is === "bearingTo" ? " setting" : " from", bearing),
    ...additions,
  ].join("");
}

interface Wording {
  number(value: number, unit: Parameters<typeof textIn>[1]): string;
  towards(sense: string, bearing: number | undefined): string;
}

const read: Wording = {
  number: textIn,
  towards: (sense, bearing) =>
    bearing === undefined ? "" : `${sense} ${compassPoint(bearing)} (${bearingText(bearing)})`,
};

const heard: Wording = {
  number: (value, unit) => `${numberIn(value, unit)} ${unit.spoken}`,
  towards: (sense, bearing) => (bearing === undefined ? "" : `${sense} ${compassPoint(bearing)}`),
};
