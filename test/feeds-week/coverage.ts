import { fieldsOf } from "#lib/catalog/fields.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import { formatInstant } from "#lib/time.ts";
import { groupByRun } from "#server/archive/choose-run.ts";
import type { Manifest } from "#server/archive/run.ts";
import { columnsOf } from "#test/archive.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;
/** A place in the open sea, on the grid of every resolution. */
const PLACE = [20, -40] as const;
/** Times are answered from this long ago on, or since the service began, seconds. */
const PAST_S = 5 * DAY_S - HOUR_S;

/** Variables that change with time and have a field in a manifest, with the sources that provide them. */
export function variablesIn({ runs }: Manifest): Map<VariableName, Set<string>> {
  const found = new Map<VariableName, Set<string>>();
  for (const name of variableNames) {
    const sources = runs
      .filter(
        ({ dataset, fields }) => dataset !== "Static" && fieldsOf(name).some((field) => field in fields),
      )
      .map(({ source }) => source);
    if (sources.length > 0) found.set(name, new Set(sources));
  }
  return found;
}

/**
 * Hours of a variable that no run answers.
 *
 * @param since Time at which the variable was first answered, Unix seconds.
 * @param until Unix seconds, included.
 */
export function gapsOf(
  manifest: Manifest,
  name: VariableName,
  { now, since, until }: Record<"now" | "since" | "until", number>,
): string[] {
  const from = Math.ceil(Math.max(since, now - PAST_S) / HOUR_S) * HOUR_S;
  const hours = Array.from(
    { length: Math.max(0, Math.floor((until - from) / HOUR_S) + 1) },
    (_, i) => from + i * HOUR_S,
  );
  const points = columnsOf(hours.map((time) => [...PLACE, time] as const));
  const { unanswered } = groupByRun(manifest, name, points, now);
  return unanswered.flatMap(({ indices, reason }) =>
    indices.map((i) => `${name} at ${formatInstant(hours[i]!)}, asked at ${formatInstant(now)}: ${reason}`),
  );
}
