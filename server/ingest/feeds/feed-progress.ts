import { readManifest } from "#server/archive/manifest.ts";
import type { Run } from "#server/archive/run.ts";
import type { FieldFeed, Part } from "./field-feed.ts";

/** The published runs of a feed. The manifest is the only record of what has been published. */
export async function publishedRuns(archive: string, { source }: Pick<FieldFeed, "source">): Promise<Run[]> {
  const { runs } = await readManifest(archive);
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

/** Whether every step of a cycle is published. */
export function isWhole(runs: readonly Run[], cycle: number, parts: readonly Part[]): boolean {
  const has = new Set(publishedTimes(runs, cycle));
  return parts.every(({ times }) => times.every((time) => has.has(time)));
}
