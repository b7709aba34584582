import { type FieldName, rowOf } from "#lib/catalog/fields.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import { inputsOfVariable, type VariableName } from "#lib/catalog/variables.ts";
import type { MissingRun, PointRun, PointRunsRequest } from "#lib/contract/point.ts";
import { emptyCell, locate, locateInside } from "#lib/field/interpolate.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { chooseRun, type Group, type Grouping, type NoRun } from "#server/archive/choose-run.ts";
import { manifestOfModel } from "#server/archive/one-model.ts";
import { columnsOf } from "#server/archive/read-variables.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import { isSynthetic, type Manifest, type Run } from "#server/archive/run.ts";
import { type Candidate, candidatesAt } from "#server/archive/run-order.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { conditionsOfRuns } from "./points.ts";

export interface PointRunsAnswer {
  /** Newest first. */
  results: PointRun[];
  meta: { missing: MissingRun[]; provenance?: undefined };
  synthetic: boolean;
}

/** The forecasts of a variable at each point, newest first, or why there is none. */
type Forecasts = (Run[] | NoForecast)[];

/**
 * Answers points from the last runs, each alone. The numbers equal those that POST /MetOcean gave while a run was the
 * newest: the reader, sampler and rounding are the same.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 */
export function answerRuns(
  source: PointSource,
  request: PointRunsRequest,
  now: number,
  signal: AbortSignal,
): Promise<PointRunsAnswer> {
  return withManifest(source, (manifest) =>
    answerFrom(manifestOfModel(manifest, request.model ?? BEST), source, request, now, signal),
  );
}

async function answerFrom(
  manifest: Manifest,
  source: PointSource,
  request: PointRunsRequest,
  now: number,
  signal: AbortSignal,
): Promise<PointRunsAnswer> {
  const points = columnsOf(request.points);
  const names = [...new Set(request.variables)];
  const known = new Map(names.map((name) => [name, forecastsOf(manifest, name, points, now)]));
  const wanted = new Map(names.map((name) => [name, baseTimes(known.get(name)!, request)]));
  const all = [...new Set([...wanted.values()].flat())].sort((a, b) => b - a);
  const results: PointRun[] = [];
  for (const base of all) {
    await nextTurn();
    const groupings = new Map(
      names.map((name) => [name, groupsOf(wanted.get(name)!.includes(base) ? known.get(name)! : [], base)]),
    );
    const variables = names.flatMap((name) => described(name, groupings.get(name)!.groups, known.get(name)!));
    if (variables.length === 0) continue;
    const { conditions } = await conditionsOfRuns(
      source,
      points,
      names,
      request.wind_height,
      (name) => groupings.get(name)!,
      signal,
    );
    results.push({
      reference_time: formatInstant(base),
      variables,
      results: request.points.map(({ latitude, longitude, timestamp }, index) => ({
        coordinates: { latitude, longitude, timestamp },
        conditions: conditions[index]!,
      })),
    });
  }
  const missing = names.flatMap((name) => missingOf(name, known.get(name)!, wanted.get(name)!, request));
  return { results, meta: { missing }, synthetic: isSynthetic(manifest) };
}

function forecastsOf(manifest: Manifest, name: VariableName, points: PointColumns, now: number): Forecasts {
  const { count, latitude, longitude, time } = points;
  return Array.from({ length: count }, (_, index) =>
    forecastsAt(manifest, name, latitude[index]!, longitude[index]!, time[index]!, now),
  );
}

/** Returns the base times of a variable that the answer covers, newest first. */
function baseTimes(forecasts: Forecasts, { last_runs, reference_times }: PointRunsRequest): number[] {
  const known = archivedTimes(forecasts);
  if (!reference_times) return known.slice(0, last_runs);
  const asked = new Set(reference_times.map(parseInstant));
  return known.filter((base) => asked.has(base));
}

/** All base times that a variable has at some of the points, newest first. */
function archivedTimes(forecasts: Forecasts): number[] {
  const runs = forecasts.flatMap((one) => (typeof one === "string" ? [] : one));
  return [...new Set(runs.map(({ referenceTime }) => referenceTime))].sort((a, b) => b - a);
}

/** The points that the runs of a base time answer. */
function groupsOf(forecasts: Forecasts, base: number): Grouping {
  const lists = new Map<Run, number[]>();
  for (const [index, runs] of forecasts.entries()) {
    const run =
      typeof runs === "string" ? undefined : runs.find(({ referenceTime }) => referenceTime === base);
    if (!run) continue;
    const list = lists.get(run);
    if (list) list.push(index);
    else lists.set(run, [index]);
  }
  const groups = [...lists].map(([run, indices]) => ({ run, indices: Int32Array.from(indices) }));
  return { groups, unanswered: [] };
}

/** Describes the outputs of a variable at a base time, by source. */
function described(
  name: VariableName,
  groups: readonly Group[],
  forecasts: Forecasts,
): PointRun["variables"] {
  const bySource = Map.groupBy(groups, ({ run }) => run.source);
  return [...bySource].map(([source, parts]) => {
    const fields = inputsOfVariable(name);
    const notes = new Set(
      parts.flatMap(({ run }) => fields.flatMap((field) => run.fields[field]?.comment ?? [])),
    );
    const indices = parts.flatMap(({ run, indices: own }) => Array.from(own, (index) => ({ run, index })));
    return {
      variable: name,
      source,
      model: parts[0]!.run.model,
      runs: parts.map(({ run }) => run.id),
      points: indices.length,
      newest_points: indices.filter(({ run, index }) => forecasts[index]![0] === run).length,
      ...(notes.size > 0 && { notes: [...notes] }),
    };
  });
}

const whyNone: Record<NoForecast, string> = {
  static: "does not change with time: it has no runs",
  past: "is of the past at these points: it is answered by an archive that no single run is in",
  out_of_archive: "has no run at these times",
  out_of_domain: "has no run at these places",
};

/** Describes the requested forecasts that are missing. */
function missingOf(
  name: VariableName,
  forecasts: Forecasts,
  answered: readonly number[],
  { last_runs, reference_times }: PointRunsRequest,
): MissingRun[] {
  const known = archivedTimes(forecasts);
  if (known.length === 0) {
    const reason = forecasts[0] as NoForecast;
    return [{ variable: name, reference_time: null, reason, message: `${name} ${whyNone[reason]}` }];
  }
  const archived = `the archive has ${known.map(formatInstant).join(", ")} for these points`;
  if (reference_times) {
    const gone = [...new Set(reference_times.map(parseInstant))].filter((base) => !answered.includes(base));
    return gone.map((base) => ({
      variable: name,
      reference_time: formatInstant(base),
      reason: "not_in_archive" as const,
      message: `The run of ${formatInstant(base)} is not available for ${name}, because it was removed or never published: ${archived}`,
    }));
  }
  if (known.length >= last_runs) return [];
  const message = `${known.length} of ${last_runs} runs are there for ${name}, earlier ones were removed, or never published: ${archived}`;
  return [{ variable: name, reference_time: null, reason: "fewer", message }];
}

/** Why no forecast run answers; a hindcast, or a run condensed from many, may answer instead. */
type NoForecast = NoRun | "past" | "static";

/** Manifests whose runs include the earlier ones. */
const manifests = new WeakMap<Manifest, Manifest>();

/**
 * The forecasts that answer for a variable at a time and a place, newest first, one for each base time: that which `chooseRun`
 * chooses, and those of the same source from which it chose before that run was published.
 *
 * @param time Unix seconds.
 * @param now Weather clock, Unix seconds.
 */
function forecastsAt(
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
  // Earlier runs answer beyond the outline of a projected grid as far as the newest one does.
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

/** Returns whether a run is a single forecast. The forecast archive contains only the shortest leads of many runs. */
function isForecast({ dataset, condensed, fields }: Run): boolean {
  if (dataset !== "Forecast" || condensed) return false;
  return (Object.keys(fields) as FieldName[]).some((name) => !rowOf(name)?.archiveOnly);
}

const cell = emptyCell();
