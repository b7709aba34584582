import { layerName, layers, readingOf } from "#components/view-state/overlays.ts";
import {
  type DrawnVariable,
  directionOutput,
  mentionedIn,
  type PrimaryVariable,
  paintedOutput,
  periodOutput,
} from "#lib/catalog/colours.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { NullReason, PointMeta } from "#lib/contract/point.ts";
import { inUnit } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { compassAbbreviation, compassPoint, formatBearing } from "#lib/position.ts";
import { numberIn, spokenIn, textIn, type Units, unitFor } from "#lib/units.ts";

/** Numbers of one point, by the names of the API. */
export type Conditions = Record<string, number | null | undefined>;

/**
 * `— not available (land in the model)`.
 *
 * @param reason Why the value is null, if the reply states it.
 * @param ashore The place is on land, not only in the model: a cell of a model is land or sea as a whole.
 */
export function formatAbsent(reason: NullReason | undefined, ashore: boolean, { point }: Words): string {
  if (!reason) return point.absent;
  return point.absentBecause({ reason: ashore && reason === "land" ? point.onLand : point.reasons[reason] });
}

/** Why a variable has no value at the first point of a reply. */
export function nullReason(meta: PointMeta | undefined, name: VariableName): NullReason | undefined {
  return meta?.nulls.find((entry) => entry.variable === name && entry.points.includes(0))?.reason;
}

/** Variables of the sea that have a line of their own. */
export const seaLayers: readonly PrimaryVariable[] = layers.first.filter((name) =>
  variable(name).absentWhere?.includes("land"),
);

/** The variables of the sea without a value at the point because their models have land there. */
export function landInModel(meta: PointMeta | undefined): PrimaryVariable[] {
  return seaLayers.filter((name) => nullReason(meta, name) === "land");
}

export function formatValue(
  value: number,
  output: Output,
  name: VariableName,
  units: Units,
  words: Words,
): string {
  if (output.unit === "°") {
    return words.point.bearing({ bearing: formatBearing(value), point: compassPoint(value, words) });
  }
  const unit = unitFor(output.unit, units, readingOf(name), words);
  return textIn(value, { ...unit, decimals: Math.min(unit.decimals, output.decimals) });
}

export interface KeyValue {
  variable: PrimaryVariable;
  name: string;
  /** `28 kn`. */
  value: string;
  /** Direction, then period or gusts: `WSW 249°`, `gusts 35 kn`; of a current `set 100°`. */
  details: readonly string[];
  /** Where it goes TO, degrees clockwise from north. */
  towards: number | undefined;
  /** All of it for display: `28 kn, WSW 249°, gusts 35 kn`. */
  text: string;
  /** For screen readers: units in words, bearings by name. */
  spoken: string;
}

/** Wind, waves and current in one line each: winds and waves by where they come FROM, currents by where they flow TO. */
export function keyValues(conditions: Conditions, units: Units, words: Words): KeyValue[] {
  const { joins } = words.ui;
  return layers.first.map((variable) => {
    const name = layerName(variable, words);
    const number = valueFor(paintedOutput(variable), conditions);
    const known = number !== undefined;
    const value = known ? textOf(number, paintedOutput(variable), variable, units, words) : undefined;
    const details = known ? detailsOf(variable, conditions, units, words) : [];
    const line = known ? describe(variable, number, conditions, units, words) : words.point.notAvailable;
    return {
      variable,
      name,
      value: value ?? words.point.notAvailable,
      details,
      towards: known ? goesTo(variable, conditions) : undefined,
      text: [value ?? words.point.notAvailable, ...details].join(joins.list),
      spoken: words.point.spokenLine({ name, line }),
    };
  });
}

/** Where something goes TO, degrees clockwise from north: winds and waves are named by where they come from. */
export function goesTo(name: DrawnVariable, conditions: Conditions): number | undefined {
  const direction = directionOutput(name);
  const bearing = valueFor(direction, conditions);
  if (bearing === undefined) return undefined;
  return direction?.is === "bearingTo" ? bearing : (bearing + 180) % 360;
}

const textOf = (
  value: number,
  output: Output,
  of: DrawnVariable | VariableName,
  units: Units,
  words: Words,
) => textIn(value, unitFor(output.unit, units, readingOf(of), words));

function detailsOf(name: DrawnVariable, conditions: Conditions, units: Units, words: Words): string[] {
  const direction = directionOutput(name);
  const bearing = valueFor(direction, conditions);
  const letters =
    bearing !== undefined && direction?.is !== "bearingTo"
      ? compassAbbreviation(bearing, words)
      : words.point.set;
  const periodOf = periodOutput(name);
  const period = valueFor(periodOf, conditions);
  const gusts = mentionedIn(name).flatMap((other) => {
    const [output] = variable(other).outputs;
    const added = valueFor(output, conditions);
    return output && added !== undefined
      ? [joined(words.catalog.mentions[other], textOf(added, output, other, units, words))]
      : [];
  });
  return [
    bearing === undefined ? "" : joined(letters, formatBearing(bearing)),
    periodOf && period !== undefined ? textOf(period, periodOf, name, units, words) : "",
    ...gusts,
  ].filter(Boolean);
}

export interface PeekPart {
  variable: DrawnVariable;
  /** `WNW 22 G27 kn`, `5.2 m 9 s`, `set 100° 0.2 kn`. */
  text: string;
}

/**
 * Wind, waves and current in as few letters as sailors write: the wind by the letters it comes FROM, the current by the
 * bearing it sets TO. Those without a value are left out.
 */
export function peekParts(conditions: Conditions, units: Units, words: Words): PeekPart[] {
  return layers.first.flatMap((name) => {
    const painted = paintedOutput(name);
    const value = valueFor(painted, conditions);
    if (value === undefined) return [];
    const unit = unitFor(painted.unit, units, readingOf(name), words);
    const gusts = mentionedIn(name).map((other) => {
      const gust = valueFor(variable(other).outputs[0], conditions);
      return gust === undefined ? "" : ` G${numberIn(gust, unit)}`;
    });
    const size = inUnit(`${numberIn(value, unit)}${gusts.join("")}`, unit.symbol, words);
    const direction = directionOutput(name);
    const bearing = valueFor(direction, conditions);
    if (direction?.is === "bearingTo") {
      const towards = bearing === undefined ? "" : formatBearing(bearing);
      return [{ variable: name, text: joined(words.point.set, towards, size) }];
    }
    const period = valueFor(periodOutput(name), conditions);
    const from = bearing === undefined || painted.unit !== "m/s" ? "" : compassAbbreviation(bearing, words);
    return [
      { variable: name, text: joined(from, size, period === undefined ? "" : `${Math.round(period)} s`) },
    ];
  });
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(" ");

function valueFor(output: Output | undefined, conditions: Conditions): number | undefined {
  return output && (conditions[output.point] ?? undefined);
}

/** For screen readers: value, period, direction, and what another variable adds. */
function describe(
  name: DrawnVariable,
  value: number,
  conditions: Conditions,
  units: Units,
  words: Words,
): string {
  const numberOf = (number: number, output: Output, of: DrawnVariable | VariableName) =>
    spokenIn(number, unitFor(output.unit, units, readingOf(of), words));
  const direction = directionOutput(name);
  const bearing = valueFor(direction, conditions);
  const periodOf = periodOutput(name);
  const period = valueFor(periodOf, conditions);
  return words.point.line({
    value: numberOf(value, paintedOutput(name), name),
    period: periodOf && period !== undefined ? numberOf(period, periodOf, name) : undefined,
    direction: bearing === undefined ? "" : directionText(bearing, direction?.is === "bearingTo", words),
    mentions: mentionedIn(name)
      .flatMap((other) => {
        const [output] = variable(other).outputs;
        const added = valueFor(output, conditions);
        return output && added !== undefined
          ? [
              words.point.mention({
                name: words.catalog.mentions[other],
                value: numberOf(added, output, other),
              }),
            ]
          : [];
      })
      .join(""),
  });
}

/** ` from west`, ` setting east`. */
function directionText(degrees: number, isTo: boolean, words: Words): string {
  return isTo
    ? words.point.settingTo({ point: compassPoint(degrees, words, "pointsTowards") })
    : words.point.comingFrom({ point: compassPoint(degrees, words, "pointsFrom") });
}
