import type { Output, VariableName } from "#lib/catalog/variables.ts";
import { variable } from "#lib/catalog/variables.ts";
import { en } from "#lib/messages/generated/en.ts";
import { compassAbbreviation, formatBearing } from "#lib/position.ts";
import { parseInstant } from "#lib/time.ts";
import { defaultUnits, textIn, unitFor } from "#lib/units.ts";

/** Conditions at one place, in the form of point answers. */
interface Conditions {
  coordinates: { latitude: number; longitude: number; timestamp: string };
  conditions: Readonly<Record<string, number | null>>;
}

/**
 * One line of plain English about one place, for a shell, a log or a message: `48.50N 005.20W, Mon 23 Nov
 * 2026 06:00 UTC: wind from WNW (293°) 22 kn, gusts 27 kn.` Speeds are in knots, directions in degrees from
 * true north.
 *
 * @param names Variables in the order in which they are written.
 */
export function plainWords({ coordinates, conditions }: Conditions, names: readonly VariableName[]): string {
  const { latitude, longitude, timestamp } = coordinates;
  const place = `${angle(latitude, 2, "N", "S")} ${angle(longitude, 3, "E", "W")}`;
  const told = names.flatMap((name) =>
    phrasesOf(variable(name).outputs).map((outputs) => phrase(name, outputs, conditions)),
  );
  return `${place}, ${dateText(timestamp)}: ${told.join(", ")}`;
}

/** Groups outputs into phrases: a direction with the values that belong to it. */
function phrasesOf(outputs: readonly Output[]): Output[][] {
  const phrases: Output[][] = [];
  for (const output of outputs) {
    if (isBearing(output) || phrases.length === 0) phrases.push([output]);
    else phrases.at(-1)!.push(output);
  }
  return phrases;
}

const isBearing = ({ is }: Output) => is.startsWith("bearing");

function phrase(
  name: VariableName,
  outputs: readonly Output[],
  conditions: Conditions["conditions"],
): string {
  const [first] = outputs;
  const subject = subjectOf(first!);
  const parts = outputs.flatMap((output) => {
    const value = conditions[output.point];
    if (value === null || value === undefined) return [];
    if (!isBearing(output))
      return [textIn(value, unitFor(output.unit, defaultUnits, variable(name).reading, en))];
    const way = output.is === "bearingTo" ? "to" : "from";
    return [`${way} ${compassAbbreviation(value, en)} (${formatBearing(value)})`];
  });
  return parts.length === 0 ? `${subject}: no value` : `${subject} ${parts.join(" ")}`;
}

/** The subject of a title: `Wind, direction from` is about the wind. */
function subjectOf({ title }: Output): string {
  const [subject = title] = title.split(",");
  return /^[A-Z]{2}/.test(subject) ? subject : subject.charAt(0).toLowerCase() + subject.slice(1);
}

/** Formats an angle to hundredths of a degree, about a kilometre. */
function angle(degrees: number, digits: number, positive: string, negative: string): string {
  const [whole = "", hundredths] = Math.abs(degrees).toFixed(2).split(".");
  return `${whole.padStart(digits, "0")}.${hundredths}${degrees < 0 ? negative : positive}`;
}

/** Formats a time as `Mon 23 Nov 2026 06:00 UTC`. */
function dateText(timestamp: string): string {
  const [day = "", date, month, year, time = ""] = new Date(1000 * parseInstant(timestamp))
    .toUTCString()
    .split(" ");
  return `${day.replace(",", "")} ${date} ${month} ${year} ${time.slice(0, 5)} UTC`;
}
