import { layerName, layers, readingOf } from "#components/view-state/layers.ts";
import {
  type DrawnVariable,
  directionOutput,
  mentionedIn,
  paintedOutput,
  periodOutput,
} from "#lib/catalog/colours.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { NullReason, PointMeta } from "#lib/contract/point.ts";
import { compassAbbreviation, compassPoint, formatBearing } from "#lib/position.ts";
import { numberIn, textIn, type Units, unitFor } from "#lib/units.ts";

/** Numbers of one point, by the names of the API. */
export type Conditions = Record<string, number | null | undefined>;

const reasonTexts: Record<NullReason, string> = {
  // A cell of a model is land or sea as a whole: open water may lie in one of land.
  land: "land in the model",
  ice: "under ice",
  out_of_archive: "not in archive",
  out_of_domain: "outside the area",
  missing: "no value",
};

/**
 * `— not available (land in the model)`.
 *
 * @param reason Why the value is null, if the reply states it.
 * @param ashore The place is on land, not only in the model.
 */
export function formatAbsent(reason: NullReason | undefined, ashore = false): string {
  if (!reason) return "— not available";
  return `— not available (${ashore && reason === "land" ? "on land" : reasonTexts[reason]})`;
}

/** Why a variable has no value at the first point of a reply. */
export function nullReason(meta: PointMeta | undefined, name: VariableName): NullReason | undefined {
  return meta?.nulls.find((entry) => entry.variable === name && entry.points.includes(0))?.reason;
}

/** Variables of the sea that have a line of their own. */
export const seaLayers: readonly DrawnVariable[] = layers.first.filter((name) =>
  variable(name).absentWhere?.includes("land"),
);

/** The variables of the sea without a value at the point because their models have land there. */
export function landInModel(meta: PointMeta | undefined): DrawnVariable[] {
  return seaLayers.filter((name) => nullReason(meta, name) === "land");
}

/** A value in the chosen unit. */
export function formatValue(value: number, output: Output, name: VariableName, units: Units): string {
  if (output.unit === "°") return `${formatBearing(value)} (${compassPoint(value)})`;
  const unit = unitFor(output.unit, units, readingOf(name));
  return textIn(value, { ...unit, decimals: Math.min(unit.decimals, output.decimals) });
}

/** A layer with a button of its own, in one line. */
export interface KeyValue {
  variable: DrawnVariable;
  name: string;
  /** For display: `28 kn from west-southwest (249°), gusts 35 kn`. */
  text: string;
  /** For screen readers: units in words, bearings by name. */
  spoken: string;
}

/** Wind, waves and current in one line each: winds and waves by where they come FROM, currents by where they flow TO. */
export function keyValues(conditions: Conditions, units: Units): KeyValue[] {
  return layers.first.map((variable) => {
    const name = layerName(variable);
    const value = valueFor(paintedOutput(variable), conditions);
    const line = (wording: Wording) =>
      value === undefined ? "not available" : describe(variable, conditions, units, wording);
    return { variable, name, text: line(displayed), spoken: `${name} ${line(spoken)}.` };
  });
}

/** A layer of the shortest line. */
export interface PeekPart {
  variable: DrawnVariable;
  /** `WNW 22 G27`, `5.2 m 9 s W`, `set 100° 0.2`. */
  text: string;
}

/**
 * Wind, waves and current in as few letters as sailors write: winds and waves by the letters they come FROM, the current by
 * the bearing it sets TO. Speeds without a unit are knots. Those without a value are left out.
 */
export function peekParts(conditions: Conditions, units: Units): PeekPart[] {
  return layers.first.flatMap((name) => {
    const painted = paintedOutput(name);
    const value = valueFor(painted, conditions);
    if (value === undefined) return [];
    const unit = unitFor(painted.unit, units, readingOf(name));
    const short = (number: number) => (unit.symbol === "kn" ? numberIn(number, unit) : textIn(number, unit));
    const direction = directionOutput(name);
    const bearing = valueFor(direction, conditions);
    if (direction?.is === "bearingTo") {
      const towards = bearing === undefined ? "" : formatBearing(bearing);
      return [{ variable: name, text: joined("set", towards, short(value)) }];
    }
    const from = bearing === undefined ? "" : compassAbbreviation(bearing);
    const gusts = mentionedIn(name).map((other) => {
      const gust = valueFor(variable(other).outputs[0], conditions);
      return gust === undefined ? "" : `G${numberIn(gust, unit)}`;
    });
    const period = valueFor(periodOutput(name), conditions);
    const size = joined(short(value), ...gusts, period === undefined ? "" : `${Math.round(period)} s`);
    return [{ variable: name, text: painted.unit === "m/s" ? joined(from, size) : joined(size, from) }];
  });
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(" ");

function valueFor(output: Output | undefined, conditions: Conditions): number | undefined {
  return output && (conditions[output.point] ?? undefined);
}

/** Value, period, direction, and what another variable adds. */
function describe(name: DrawnVariable, conditions: Conditions, units: Units, wording: Wording): string {
  const numberOf = (output: Output, of: VariableName): string | undefined => {
    const value = valueFor(output, conditions);
    return value === undefined
      ? undefined
      : wording.number(value, unitFor(output.unit, units, readingOf(of)));
  };
  const direction = directionOutput(name);
  const bearing = valueFor(direction, conditions);
  const periodOf = periodOutput(name);
  const period = periodOf && numberOf(periodOf, name);
  const additions = mentionedIn(name).flatMap((other) => {
    const { mention, outputs } = variable(other);
    const value = outputs[0] && numberOf(outputs[0], other);
    return value === undefined ? [] : `, ${mention?.as} ${value}`;
  });
  return [
    numberOf(paintedOutput(name), name),
    period === undefined ? "" : `, ${period}`,
    wording.towards(direction?.is === "bearingTo" ? " setting" : " from", bearing),
    ...additions,
  ].join("");
}

interface Wording {
  number(value: number, unit: Parameters<typeof textIn>[1]): string;
  towards(sense: string, bearing: number | undefined): string;
}

const displayed: Wording = {
  number: textIn,
  towards: (sense, bearing) =>
    bearing === undefined ? "" : `${sense} ${compassPoint(bearing)} (${formatBearing(bearing)})`,
};

const spoken: Wording = {
  number: (value, unit) => `${numberIn(value, unit)} ${unit.spoken}`,
  towards: (sense, bearing) => (bearing === undefined ? "" : `${sense} ${compassPoint(bearing)}`),
};
