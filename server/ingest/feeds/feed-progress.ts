import type { FieldName } from "#lib/catalog/fields.ts";
import type { Run } from "#server/archive/run.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import type { FieldFeed, Part } from "./field-feed.ts";

/** The published runs of a feed. The manifest is the only record of what has been published. */
export async function publishedRuns(
  archive: Pick<RunArchive, "manifest">,
  { source }: Pick<FieldFeed, "source">,
): Promise<Run[]> {
  const { runs } = await archive.manifest();
  return runs.filter((run) => run.source === source.name && run.dataset === source.dataset);
}

/** Whether one run of a cycle has all these times. */
export function isPublished(runs: readonly Run[], cycle: number, times: readonly number[]): boolean {
  return runs.some((run) => run.referenceTime === cycle && times.every((time) => run.times.includes(time)));
}

/** Distinct published times of a cycle, ascending. */
export function publishedTimes(runs: readonly Run[], cycle: number): number[] {
  const ofCycle = runs.filter((run) => run.referenceTime === cycle);
  return [...new Set(ofCycle.flatMap(({ times }) => times))].sort((a, b) => a - b);
}

/**
 * Fields that a cycle lacks at published times. Its first step may be without what is of the time before.
 *
 * @param names Fields that are wanted.
 * @returns By time, Unix seconds; times that lack nothing are not in it.
 */
export function lackingFields(
  runs: readonly Run[],
  cycle: number,
  names: readonly FieldName[],
): Map<number, FieldName[]> {
  const ofCycle = runs.filter((run) => run.referenceTime === cycle);
  const has = new Map<number, Set<string>>();
  for (const { times, fields } of ofCycle)
    for (const [index, time] of times.entries()) {
      const there = Object.keys(fields).filter((name) => fields[name]!.steps?.includes(index) ?? true);
      has.set(time, new Set([...(has.get(time) ?? []), ...there]));
    }
  const lacking = new Map<number, FieldName[]>();
  for (const [time, there] of has) {
    const missing = names.filter((name) => !there.has(name));
    if (missing.length > 0 && (time !== cycle || missing.length === names.length)) lacking.set(time, missing);
  }
  return lacking;
}

/** The parts of a cycle of which a step is not published. */
export function missingParts(runs: readonly Run[], cycle: number, parts: readonly Part[]): Part[] {
  const has = new Set(publishedTimes(runs, cycle));
  return parts.filter(({ times }) => times.some((time) => !has.has(time)));
}

/** Whether every step of a cycle is published. */
export function isWhole(runs: readonly Run[], cycle: number, parts: readonly Part[]): boolean {
  return missingParts(runs, cycle, parts).length === 0;
}

/**
 * How many parts of a cycle, from its first, are published by runs of another profile: their steps are finer, or reach
 * further. They stay, and what is missing is published behind them.
 *
 * @param names Fields that are wanted.
 */
export function inheritedParts(
  runs: readonly Run[],
  cycle: number,
  parts: readonly Part[],
  names: readonly FieldName[],
): number {
  const own = new Set(parts.flatMap(({ times }) => times));
  const others = runs.filter(
    ({ referenceTime, times, fields }) =>
      referenceTime === cycle &&
      times.some((time) => !own.has(time)) &&
      names.every((name) => name in fields),
  );
  const has = new Set(others.flatMap(({ times }) => times));
  const missing = parts.findIndex(({ times }) => times.some((time) => !has.has(time)));
  if (missing < 0) return parts.length;
  // One step alone cannot be gone on from.
  return parts.slice(0, missing).flatMap(({ times }) => times).length > 1 ? missing : 0;
}
