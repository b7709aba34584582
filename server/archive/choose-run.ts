import { type DatasetName, datasetByAge, inForecastArchive } from "#lib/catalog/datasets.ts";
import { type VariableName, variable } from "#lib/catalog/variables.ts";
import { emptyCell, locate, locateInside } from "#lib/field/interpolate.ts";
import type { PointColumns } from "./reader.ts";
import type { Manifest, Run } from "./run.ts";
import { candidatesAt } from "./run-order.ts";

/** Why no run answers. */
export type NoRun = "out_of_archive" | "out_of_domain";

/**
 * Chooses the run that answers for a variable at a time and a place.
 *
 * The age of the time chooses the dataset. Within it the newest published run answers whose steps bracket the time and
 * whose grid covers the place; if several sources have one, the manifest's order of sources decides first. A run that lacks
 * some of the variable's outputs at the time comes after all that have more of them, and outdated ones come after both.
 *
 * @param time Unix seconds.
 * @param now Weather clock, Unix seconds.
 */
export function chooseRun(
  manifest: Manifest,
  name: VariableName,
  latitude: number,
  longitude: number,
  time: number,
  now: number,
): Run | NoRun {
  const dataset = datasetFor(name, time, now);
  if (!dataset) return "out_of_archive";
  const isStatic = dataset === "Static";
  let seen = false;
  let around: Run | undefined;
  for (const { run, first, last } of candidatesAt(manifest, dataset, name, time)) {
    if (!isStatic && (time < first || time > last)) continue;
    seen = true;
    if (locateInside(run.grid, latitude, longitude, cell)) return run;
    // The place is on the outline of the run's grid or beyond it: the run may still have a value there, and no other
    // run may have one.
    if (run.grid.outline && locate(run.grid, latitude, longitude, cell)) around ??= run;
  }
  if (around) return around;
  return seen ? "out_of_domain" : "out_of_archive";
}

const cell = emptyCell();

/** The dataset that answers for a variable at a time; undefined for one that is not kept so long. */
export function datasetFor(name: VariableName, time: number, now: number): DatasetName | undefined {
  const { static: isStatic, archiveOnly } = variable(name);
  if (isStatic) return "Static";
  // The forecast archive answers for variables without a hindcast, as far back as it reaches.
  if (archiveOnly) return inForecastArchive(time, now) ? "Forecast" : undefined;
  return datasetByAge(time, now);
}

/** Points of one request that one run answers. */
export interface Group {
  run: Run;
  /** Positions of the points in the request, ascending. */
  indices: Int32Array;
}

/** The points of a request grouped by the run that answers a variable, and those that no run answers. */
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
