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
  /** For display: `28 kn from west-southwest (249°), gusts 35 kn`. */
  text: string;
  /** For screen readers: units in words, bearings by name. */
  spoken: string;
}

/** Wind, waves and current in one line each: winds and waves by where they come FROM, currents by where they flow TO. */
export function keyValues(conditions: Conditions, units: Units, words: Words): KeyValue[] {
  return layers.first.map((variable) => {
    const name = layerName(variable, words);
    const value = valueFor(paintedOutput(variable), conditions);
    const line = (isSpoken: boolean) =>
      value === undefined
        ? words.point.notAvailable
        : describe(variable, value, conditions, units, isSpoken, words);
    return {
      variable,
      name,
      text: line(false),
      spoken: words.point.spokenLine({ name, line: line(true) }),
    };
  });
}

export interface PeekPart {
  variable: DrawnVariable;
  /** `WNW 22 G27`, `5.2 m 9 s W`, `set 100° 0.2`. */
  text: string;
}

/**
 * Wind, waves and current in as few letters as sailors write: winds and waves by the letters they come FROM, the current by
 * the bearing it sets TO. Speeds without a unit are knots. Those without a value are left out.
 */
export function peekParts(conditions: Conditions, units: Units, words: Words): PeekPart[] {
  return layers.first.flatMap((name) => {
    const painted = paintedOutput(name);
    const value = valueFor(painted, conditions);
    if (value === undefined) return [];
    const unit = unitFor(painted.unit, units, readingOf(name), words);
    const short = (number: number) => (unit.name === "kn" ? numberIn(number, unit) : textIn(number, unit));
    const direction = directionOutput(name);
    const bearing = valueFor(direction, conditions);
    if (direction?.is === "bearingTo") {
      const towards = bearing === undefined ? "" : formatBearing(bearing);
      return [{ variable: name, text: joined(words.point.set, towards, short(value)) }];
    }
    const from = bearing === undefined ? "" : compassAbbreviation(bearing, words);
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
function describe(
  name: DrawnVariable,
  value: number,
  conditions: Conditions,
  units: Units,
  isSpoken: boolean,
  words: Words,
): string {
  const numberOf = (number: number, output: Output, of: DrawnVariable | VariableName) =>
    (isSpoken ? spokenIn : textIn)(number, unitFor(output.unit, units, readingOf(of), words));
  const direction = directionOutput(name);
  const bearing = valueFor(direction, conditions);
  const periodOf = periodOutput(name);
  const period = valueFor(periodOf, conditions);
  return words.point.line({
    value: numberOf(value, paintedOutput(name), name),
    period: periodOf && period !== undefined ? numberOf(period, periodOf, name) : undefined,
    direction:
      bearing === undefined ? "" : directionText(bearing, direction?.is === "bearingTo", isSpoken, words),
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

/** ` from west (270°)`, ` setting east (90°)`; spoken without the bearing. */
function directionText(degrees: number, isTo: boolean, isSpoken: boolean, words: Words): string {
  const bearing = isSpoken ? undefined : formatBearing(degrees);
  return isTo
    ? words.point.settingTo({ point: compassPoint(degrees, words, "pointsTowards"), bearing })
    : words.point.comingFrom({ point: compassPoint(degrees, words, "pointsFrom"), bearing });
}
