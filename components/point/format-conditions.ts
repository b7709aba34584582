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

/** Numbers at one point, by the names of the API. */
export type Conditions = Record<string, number | null | undefined>;

/**
 * Text such as `— not available (land in the model)`.
 *
 * @param reason Why the value is null, if the reply states it.
 * @param ashore Whether the place really is on land; in a model a whole cell is land or sea.
 */
export function formatAbsent(reason: NullReason | undefined, ashore: boolean, { point }: Words): string {
  if (!reason) return point.absent;
  return point.absentBecause({ reason: ashore && reason === "land" ? point.onLand : point.reasons[reason] });
}

/** Why a variable has no value at the first point of a reply. */
export function nullReason(meta: PointMeta | undefined, name: VariableName): NullReason | undefined {
  return meta?.nulls.find((entry) => entry.variable === name && entry.points.includes(0))?.reason;
}

/** Sea variables that have their own line. */
export const seaLayers: readonly PrimaryVariable[] = layers.first.filter((name) =>
  variable(name).absentWhere?.includes("land"),
);

/** The sea variables without a value at the point because their models have land there. */
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
  /** Value with its unit: `28 kn`. */
  value: string;
  /** The value without its unit; undefined if it is missing. */
  number: string | undefined;
  /** Direction, then period or gusts: `WSW 249°`, `gusts 35 kn`; for a current `set 100°`. */
  details: readonly string[];
  /** Direction TO, degrees clockwise from north. */
  towards: number | undefined;
  /** The whole line for display: `28 kn, WSW 249°, gusts 35 kn`. */
  text: string;
  /** The line for screen readers: units in words, bearings by name. */
  spoken: string;
}

/** The values of a drawn quantity in conditions, in the units of the API. */
function readingIn(name: DrawnVariable, conditions: Conditions) {
  const output = paintedOutput(name);
  const value = valueFor(output, conditions);
  if (value === undefined) return undefined;
  const periodOf = periodOutput(name);
  const period = valueFor(periodOf, conditions);
  const mentions = mentionedIn(name).flatMap((other) => {
    const [output] = variable(other).outputs;
    const added = valueFor(output, conditions);
    return output && added !== undefined ? [{ name: other, output, value: added }] : [];
  });
  return {
    name,
    output,
    value,
    /** Direction TO if `isTo`, otherwise FROM. */
    bearing: valueFor(directionOutput(name), conditions),
    isTo: directionOutput(name)?.is === "bearingTo",
    period: periodOf && period !== undefined ? { output: periodOf, value: period } : undefined,
    mentions,
  };
}

type Reading = NonNullable<ReturnType<typeof readingIn>>;

function valueFor(output: Output | undefined, conditions: Conditions): number | undefined {
  return output && (conditions[output.point] ?? undefined);
}

/**
 * Wind, waves and current in one line each: wind and waves by the direction they come FROM, current by the
 * direction it sets TO.
 */
export function keyValues(conditions: Conditions, units: Units, words: Words): KeyValue[] {
  const { notAvailable, spokenLine } = words.point;
  return layers.first.map((variable) => {
    const name = layerName(variable, words);
    const reading = readingIn(variable, conditions);
    if (!reading) {
      const spoken = spokenLine({ name, line: notAvailable });
      return {
        variable,
        name,
        value: notAvailable,
        number: undefined,
        details: [],
        towards: undefined,
        text: notAvailable,
        spoken,
      };
    }
    const unit = unitOf(reading, variable, units, words);
    const value = textIn(reading.value, unit);
    const details = detailsOf(reading, units, words);
    return {
      variable,
      name,
      value,
      number: numberIn(reading.value, unit),
      details,
      towards: goesTo(variable, conditions),
      text: [value, ...details].join(words.ui.joins.list),
      spoken: spokenLine({ name, line: spokenOf(reading, units, words) }),
    };
  });
}

/**
 * Direction TO, degrees clockwise from north; winds and waves are named by the direction they come from and
 * are therefore reversed.
 */
export function goesTo(name: DrawnVariable, conditions: Conditions): number | undefined {
  const direction = directionOutput(name);
  const bearing = valueFor(direction, conditions);
  if (bearing === undefined) return undefined;
  return direction?.is === "bearingTo" ? bearing : (bearing + 180) % 360;
}

const unitOf = (
  { output }: { output: Output },
  of: DrawnVariable | VariableName,
  units: Units,
  words: Words,
) => unitFor(output.unit, units, readingOf(of), words);

function detailsOf({ name, bearing, isTo, period, mentions }: Reading, units: Units, words: Words): string[] {
  const direction =
    bearing === undefined
      ? ""
      : joined(isTo ? words.point.set : compassAbbreviation(bearing, words), formatBearing(bearing));
  return [
    direction,
    period ? textIn(period.value, unitOf(period, name, units, words)) : "",
    ...mentions.map((one) =>
      joined(words.catalog.mentions[one.name], textIn(one.value, unitOf(one, one.name, units, words))),
    ),
  ].filter(Boolean);
}

/** Text for screen readers: value, period, direction, and the values of mentioned variables. */
function spokenOf({ name, bearing, isTo, period, mentions, ...main }: Reading, units: Units, words: Words) {
  const { point } = words;
  const spoken = (one: { output: Output; value: number }, of: DrawnVariable | VariableName) =>
    spokenIn(one.value, unitOf(one, of, units, words));
  return point.line({
    value: spoken(main, name),
    period: period && spoken(period, name),
    // Direction in words: ` from west`, ` setting east`.
    direction:
      bearing === undefined
        ? ""
        : isTo
          ? point.settingTo({ point: compassPoint(bearing, words, "pointsTowards") })
          : point.comingFrom({ point: compassPoint(bearing, words, "pointsFrom") }),
    mentions: mentions
      .map((one) => point.mention({ name: words.catalog.mentions[one.name], value: spoken(one, one.name) }))
      .join(""),
  });
}

export interface PeekPart {
  variable: DrawnVariable;
  /** Text such as `WNW 22 G27 kn`, `5.2 m 9 s`, `set 100° 0.2 kn`. */
  text: string;
}

/**
 * Wind, waves and current in the abbreviations that sailors use: the wind by the compass letters it comes
 * FROM, the current by the bearing it sets TO. Quantities without a value are left out.
 */
export function peekParts(conditions: Conditions, units: Units, words: Words): PeekPart[] {
  return layers.first.flatMap((name) => {
    const reading = readingIn(name, conditions);
    if (!reading) return [];
    const { value, output, bearing, isTo, period, mentions } = reading;
    const unit = unitOf(reading, name, units, words);
    const gusts = mentions.map((gust) => ` G${numberIn(gust.value, unit)}`);
    const size = inUnit(`${numberIn(value, unit)}${gusts.join("")}`, unit.symbol, words);
    if (isTo) {
      const towards = bearing === undefined ? "" : formatBearing(bearing);
      return [{ variable: name, text: joined(words.point.set, towards, size) }];
    }
    const from = bearing === undefined || output.unit !== "m/s" ? "" : compassAbbreviation(bearing, words);
    return [{ variable: name, text: joined(from, size, period ? `${Math.round(period.value)} s` : "") }];
  });
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(" ");
