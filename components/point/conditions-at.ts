import type { Place } from "#components/view-state/view-url.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import type { PointMeta, PointResponse } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { Conditions } from "./format-conditions.ts";

export interface PointsBody {
  points: readonly { latitude: number; longitude: number; timestamp: string }[];
  variables: readonly VariableName[];
  models?: readonly string[];
  include_meta: boolean;
}

/** @param times Unix seconds. @param model The model that answers alone; undefined for the best of each variable. */
export function pointsBody(
  { latitude, longitude }: Place,
  times: readonly number[],
  variables: readonly VariableName[],
  model?: string,
): PointsBody {
  const points = times.map((time) => ({ latitude, longitude, timestamp: formatInstant(time) }));
  return { points, variables, ...(model !== undefined && { models: [model] }), include_meta: true };
}

export interface TimedConditions {
  /** Unix seconds. */
  time: number;
  conditions: Conditions;
  /** Meta of this time only; its position in `nulls` is 0. */
  meta: PointMeta | undefined;
}

type Reply = PointResponse["result"];

/**
 * The conditions of a reply at a time. Only exact times of the reply are used, because a mean of rounded
 * numbers differs from the service's own rounding.
 *
 * @param time Unix seconds.
 * @returns undefined if the reply does not have that time.
 */
export function conditionsAt(reply: Reply | undefined, time: number): TimedConditions | undefined {
  const index =
    reply?.results.findIndex(({ coordinates }) => parseInstant(coordinates.timestamp) === time) ?? -1;
  const result = reply?.results[index];
  return (
    result && { time, conditions: result.conditions, meta: reply.meta && metaOf(reply.meta, index, time) }
  );
}

function metaOf({ nulls, provenance }: PointMeta, index: number, time: number): PointMeta {
  return {
    nulls: nulls.filter(({ points }) => points.includes(index)).map((entry) => ({ ...entry, points: [0] })),
    provenance: provenance.filter((entry) => answers(entry, provenance, time)),
  };
}

type Provenance = PointMeta["provenance"][number];

/**
 * Whether a run answered for a time: its steps enclose it, or are the last ones before it of all runs of the
 * variable.
 */
function answers(entry: Provenance, all: readonly Provenance[], time: number): boolean {
  const runs = all.filter(({ variable }) => variable === entry.variable);
  if (runs.length === 1) return true;
  if (runs.some((run) => isAround(run, time))) return isAround(entry, time);
  // A daily analysis stays valid after its last step.
  const ends = runs.map((run) => lastStep(run)).filter((end) => end <= time);
  return lastStep(entry) === Math.max(...ends);
}

function isAround({ valid_times }: Provenance, time: number): boolean {
  const steps = valid_times.map(parseInstant);
  return time >= Math.min(...steps) && time <= Math.max(...steps);
}

function lastStep({ valid_times }: Provenance): number {
  return Math.max(...valid_times.map(parseInstant));
}
