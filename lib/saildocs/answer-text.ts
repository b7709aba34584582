import type { Place } from "@open-metocean/geo/sphere";
import { stepHours } from "#lib/contract/files.ts";
import type { FileContents, OpengribsRequest } from "#lib/opengribs/request.ts";
import { formatInstant } from "#lib/time.ts";
import { type SpotRequestLine, wordOf } from "./request.ts";
import { type SpotRow, spotTable } from "./spot.ts";

// Every text has short lines of ASCII, as radio modems and old mail programs expect.

/**
 * Describes a file in a few lines.
 *
 * @param missing Words of parameters that are not in it.
 * @param limit The size to which it was thinned, in words; undefined if it was not.
 */
export function fileText(
  { offsets = [], parts }: OpengribsRequest,
  { contents, missing }: { contents: readonly FileContents[]; missing: readonly string[] },
  limit: string | undefined,
): string[] {
  const lines = contents.map(
    ({ title, base, variables, step, times, last }) =>
      `${title} ${hourText(base)}: ${variables.map((name) => wordOf(name) ?? name).join(" ")}, ` +
      `${degreesText(step)} deg, ${times} ${times === 1 ? "time" : "times"} to ${hourText(last)}`,
  );
  const asked = `you asked for ${degreesText(parts[0]!.step)} deg and ${offsets.length} times.`;
  return [
    ...lines,
    ...(limit === undefined ? [] : [`Thinned to fit ${limit}: ${asked}`]),
    ...leftOut(missing),
  ];
}

/**
 * Writes a series at a place as a table that is no longer than a limit: with more hours between its rows, then with fewer
 * rows.
 *
 * @param rows One row for every `hours` of the request.
 * @param runs The forecasts that the numbers come from.
 * @param maxOctets Longest text, octets. @param limit The same for the whole e-mail, in words.
 * @returns undefined if not even one row fits. Empty if there is no value.
 */
export function spotText(
  { place, hours, variables, unknown }: SpotRequestLine,
  rows: readonly SpotRow[],
  runs: readonly string[],
  maxOctets: number,
  limit: string,
): string[] | undefined {
  const heading = [`${placeText(place)} UTC, ${runs.join(", ")}`, ...leftOut(unknown)];
  const rowsEvery = (every: number) => rows.filter((_, at) => (at * hours) % every === 0);
  if (spotTable(variables, rows).length < 2) return [];
  for (const every of stepHours.filter((one) => one % hours === 0)) {
    const lines = [
      ...heading,
      ...thinnedText(every, hours, limit),
      ...spotTable(variables, rowsEvery(every)),
    ];
    if (octetsOf(lines) <= maxOctets) return lines;
  }
  const days = rowsEvery(24);
  for (let count = days.length; count > 0; count--) {
    const lines = [...heading, `Cut to fit ${limit}.`, ...spotTable(variables, days.slice(0, count))];
    if (octetsOf(lines) <= maxOctets) return lines;
  }
  return undefined;
}

function thinnedText(every: number, hours: number, limit: string): string[] {
  return every === hours ? [] : [`Thinned to fit ${limit}: every ${every} h instead of ${hours}.`];
}

/** Octets of lines in an e-mail at most. Quoted-printable, which some lines are sent as, adds to them. */
export function octetsOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => {
    const { length } = line.replace(/[^\x20-\x7e]/g, "=XX=XX=XX");
    return sum + length + 2 + 3 * Math.ceil(length / 72);
  }, 0);
}

function leftOut(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`Left out: ${names.join(", ")}.`];
}

/** `2026-09-15 06Z`. */
function hourText(seconds: number): string {
  return `${formatInstant(seconds).slice(0, 13).replace("T", " ")}Z`;
}

const degreesText = (step: number) => String(Number(step.toFixed(3)));

function placeText({ latitude, longitude }: Place): string {
  const text = (value: number, letters: string) =>
    `${Math.abs(value).toFixed(2)}${letters[value < 0 ? 1 : 0]}`;
  return `${text(latitude, "NS")} ${text(longitude, "EW")}`;
}
