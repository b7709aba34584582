import type { VariableName } from "#lib/catalog/variables.ts";
import { chooseRun, type NoRun } from "#server/archive/choose-run.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";

/** Points of one request that one run answers. */
export interface Group {
  run: Run;
  /** Positions of the points in the request, ascending. */
  indices: Int32Array;
}

/** Points of one request by the run that answers a variable, and those that none answers. */
export interface Grouping {
  groups: Group[];
  unanswered: { reason: NoRun; indices: number[] }[];
}

/**
 * Finds the run of every point.
 *
 * @param now Weather clock, Unix seconds.
 */
export function groupByRun(
  manifest: Manifest,
  name: VariableName,
  points: PointColumns,
  now: number,
): Grouping {
  const lists = new Map<Run | NoRun, number[]>();
  let last: Run | NoRun | undefined;
  let list: number[] = [];
  for (let index = 0; index < points.count; index++) {
    const choice = chooseRun(
      manifest,
      name,
      points.latitude[index]!,
      points.longitude[index]!,
      points.time[index]!,
      now,
    );
    if (choice !== last) {
      list = lists.get(choice) ?? [];
      lists.set(choice, list);
      last = choice;
    }
    list.push(index);
  }
  const grouping: Grouping = { groups: [], unanswered: [] };
  for (const [choice, indices] of lists) {
    if (typeof choice === "string") grouping.unanswered.push({ reason: choice, indices });
    else grouping.groups.push({ run: choice, indices: Int32Array.from(indices) });
  }
  return grouping;
}
