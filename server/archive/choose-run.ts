import { type DatasetName, datasetByAge, inForecastArchive } from "#lib/catalog/datasets.ts";
import { type FieldName, outputsIn, rowOf } from "#lib/catalog/fields.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { emptyCell, locate, locateInside } from "#lib/field/interpolate.ts";
import { HOUR_S } from "#lib/time.ts";
import type { PointColumns } from "./reader.ts";
import type { Manifest, Run } from "./run.ts";

/**
 * A forecast whose base time is so much older than the newest of its variable comes after all that are not, whatever its
 * source, seconds: its feed is dead. Between two daily runs another source's newest may be 30 hours ahead.
 */
const OUTDATED_S = 36 * HOUR_S;

/** A run that has an output of a variable, and the span of time for which it answers. */
export interface Candidate {
  run: Run;
  /** Unix seconds, both included. */
  first: number;
  last: number;
  /** How many of the variable's outputs the run lacks altogether. */
  lacking: number;
  /** Spans of the outputs that it has. */
  spans: readonly Span[];
}

/** Unix seconds, both included. */
interface Span {
  first: number;
  last: number;
}

/** The candidates of some time, best first. */
interface Order {
  /** Unix seconds; it holds until the next order begins. */
  from: number;
  candidates: readonly Candidate[];
}

/** Why no run answers. */
export type NoRun = "out_of_archive" | "out_of_domain";

type Orders = Map<VariableName, Map<DatasetName, Order[]>>;

const orders = new WeakMap<Manifest, Orders>();

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
    // Beyond its outline, or on it: a value is not impossible there, and no other run may have one.
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
  // Variables without a hindcast are answered by the archive of forecasts as far back as it reaches.
  if (archiveOnly) return inForecastArchive(time, now) ? "Forecast" : undefined;
  return datasetByAge(time, now);
}

/** Runs of a dataset that have a variable, best first where one order holds for all times. */
export function candidates(manifest: Manifest, dataset: DatasetName, name: VariableName): Candidate[] {
  return [...new Set(ordersOf(manifest, dataset, name).flatMap((order) => order.candidates))];
}

/** Runs of a dataset that may answer for a variable at a time, best first. Their steps need not bracket it. */
export function candidatesAt(
  manifest: Manifest,
  dataset: DatasetName,
  name: VariableName,
  time: number,
): readonly Candidate[] {
  const all = ordersOf(manifest, dataset, name);
  let low = 0;
  let high = all.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time < all[middle]!.from) high = middle - 1;
    else low = middle;
  }
  return all[low]?.candidates ?? none;
}

const none: readonly Candidate[] = [];

/**
 * The orders of a variable's runs, ascending by time. One where each run has its outputs for the same steps, else one more
 * from each time at which a run begins or ceases to have one. Sorted once for each manifest.
 */
export function ordersOf(manifest: Manifest, dataset: DatasetName, name: VariableName): readonly Order[] {
  const known = orders.get(manifest);
  const order = known ?? sortedCandidates(manifest);
  if (!known) orders.set(manifest, order);
  return order.get(name)?.get(dataset) ?? [];
}

function sortedCandidates({ runs, sourceOrder }: Manifest): Orders {
  const order: Orders = new Map();
  for (const name of variableNames) {
    const sources = sourceOrder?.[name] ?? variable(name).sources;
    const found = runs.flatMap((run) => asCandidate(run, name) ?? []);
    const newest = found.reduce(
      (most, { run }) => Math.max(most, run.referenceTime),
      Number.NEGATIVE_INFINITY,
    );
    const compareAt = (time: number) => (a: Candidate, b: Candidate) =>
      outdated(a, newest) - outdated(b, newest) ||
      lackingAt(a, time) - lackingAt(b, time) ||
      rank(sources, a.run.source) - rank(sources, b.run.source) ||
      b.run.referenceTime - a.run.referenceTime;
    const datasets = Map.groupBy(found, ({ run }) => run.dataset);
    order.set(name, new Map([...datasets].map(([dataset, all]) => [dataset, ordersByTime(all, compareAt)])));
  }
  return order;
}

function ordersByTime(
  all: readonly Candidate[],
  compareAt: (time: number) => (a: Candidate, b: Candidate) => number,
): Order[] {
  const changes = new Set(all.flatMap(changesOf));
  const begins = [Number.NEGATIVE_INFINITY, ...[...changes].sort((a, b) => a - b)];
  return begins.map((from, index) => {
    const until = begins[index + 1];
    const some =
      until === undefined && index === 0
        ? all
        : all.filter(({ first, last }) => last >= from && (until === undefined || first < until));
    return { from, candidates: some.toSorted(compareAt(from)) };
  });
}

/** The times, whole seconds, within its span from which a run has more or fewer outputs. */
function changesOf({ first, last, spans }: Candidate): number[] {
  return spans.flatMap((span) => [span.first, span.last + 1]).filter((time) => time > first && time <= last);
}

/** How many of the variable's outputs a run lacks at a time; before it begins, at its beginning. */
function lackingAt({ first, last, lacking, spans }: Candidate, time: number): number {
  const at = Math.min(Math.max(time, first), last);
  return spans.reduce((sum, span) => (at < span.first || at > span.last ? sum + 1 : sum), lacking);
}

/** 1 for a forecast that is. What holds beyond its last step, such as a daily analysis, is old by nature. */
function outdated({ run: { dataset, referenceTime, holds } }: Candidate, newest: number): number {
  return dataset === "Forecast" && !holds && newest - referenceTime > OUTDATED_S ? 1 : 0;
}

/** A source that the catalog does not know is the operator's own: it comes first, where its grid is. */
function rank(sources: readonly string[], source: string): number {
  const index = sources.indexOf(source);
  return index;
}

/** Undefined where the run has none of the outputs whole. */
function asCandidate(run: Run, name: VariableName): Candidate | undefined {
  const outputs = outputsIn(run.fields, name);
  if (outputs.length === 0) return undefined;
  const spans = outputs.map(({ of }) => {
    const all = of.map((field) => spanOf(run, field));
    return {
      first: Math.max(...all.map(({ first }) => first)),
      last: Math.min(...all.map(({ last }) => last)),
    };
  });
  return {
    run,
    first: Math.min(...spans.map(({ first }) => first)),
    last: Math.max(...spans.map(({ last }) => last)),
    lacking: variable(name).outputs.length - outputs.length,
    spans,
  };
}

/** The span of time for which a run has a field. */
function spanOf({ times, fields, holds = 0 }: Run, field: FieldName): Span {
  const steps = fields[field]?.steps;
  const first = steps ? steps[0] : 0;
  const last = steps ? steps.at(-1) : times.length - 1;
  return {
    first: times[first ?? -1] ?? Number.POSITIVE_INFINITY,
    last: (times[last ?? -1] ?? Number.NEGATIVE_INFINITY) + holds,
  };
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

/** Why no forecast run answers: also where a hindcast does, or what was condensed from many runs. */
export type NoForecast = NoRun | "past" | "static";

const manifests = new WeakMap<Manifest, Manifest>();
/**
 * The forecasts that answer for a variable at a time and a place, newest first, one for each base time: that which `chooseRun`
 * chooses, and those of the same source from which it chose before that run was published.
 *
 * @param time Unix seconds.
 * @param now Weather clock, Unix seconds.
 */
export function forecastsAt(
  manifest: Manifest,
  name: VariableName,
  latitude: number,
  longitude: number,
  time: number,
  now: number,
): Run[] | NoForecast {
  const newest = chooseRun(manifest, name, latitude, longitude, time, now);
  if (typeof newest === "string") return newest;
  if (newest.dataset === "Static") return "static";
  if (!isForecast(newest)) return "past";
  const found = [newest];
  // Beyond the outline of a projected grid the earlier runs answer as far as the newest does.
  const find = locateInside(newest.grid, latitude, longitude, cell) ? locateInside : locate;
  for (const { run, first, last } of forecasts(manifest, name, time)) {
    if (run.source !== newest.source || time < first || time > last) continue;
    if (run.referenceTime >= found.at(-1)!.referenceTime || !isForecast(run)) continue;
    if (find(run.grid, latitude, longitude, cell)) found.push(run);
  }
  return found;
}

/** Forecasts that have a variable at a time, by preference of their source, then newest first. */
function forecasts(manifest: Manifest, name: VariableName, time: number): readonly Candidate[] {
  const { earlier = [], ...published } = manifest;
  if (earlier.length === 0) return candidatesAt(manifest, "Forecast", name, time);
  const all = manifests.get(manifest) ?? { ...published, runs: [...published.runs, ...earlier] };
  manifests.set(manifest, all);
  return candidatesAt(all, "Forecast", name, time);
}

/** Whether a run is one forecast. The archive of forecasts is made of the shortest leads of many, and has nothing else. */
function isForecast({ dataset, condensed, fields }: Run): boolean {
  if (dataset !== "Forecast" || condensed) return false;
  return (Object.keys(fields) as FieldName[]).some((name) => !rowOf(name)?.archiveOnly);
}
