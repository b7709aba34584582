import type { FieldName } from "#lib/catalog/fields.ts";
import { inputsOfVariable, type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Distribution, EnsembleRequest, EnsembleResponse } from "#lib/contract/ensemble.ts";
import { ensembleCaution } from "#lib/ensemble/caution.ts";
import { withManifest } from "#server/archive/catalog.ts";
import { type Group, type Grouping, groupByRun } from "#server/archive/choose-run.ts";
import { type Aged, besideOthers, describeRun } from "#server/archive/describe-run.ts";
import { ensembleFor, manifestOfEnsemble } from "#server/archive/ensembles.ts";
import { columnsOf, readVariables, type VariableRead } from "#server/archive/read-variables.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import { type EnsembleRun, isEnsemble, type Manifest } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { memberDistributions } from "./members.ts";
import { notStored, readStatistics, storedDistributions } from "./stored.ts";

type Result = EnsembleResponse["result"];

/** Answer of POST /MetOcean/ensemble. */
export interface EnsembleAnswer {
  results: Result["results"];
  meta: Result["meta"] & { provenance?: undefined };
  ages: Aged[];
  synthetic: boolean;
}

/** Number of distributions that are computed without a pause: about a millisecond. */
const DISTRIBUTIONS_PER_TURN = 256;

/**
 * Answers points from an ensemble. The numbers are computed from the members at the place and time where the run keeps
 * them, and otherwise from stored statistics of the nodes around; `meta.ensembles[].from` says which.
 *
 * @param now Weather clock when the request was accepted, Unix seconds.
 */
export function answerEnsemble(
  source: PointSource,
  request: EnsembleRequest,
  now: number,
  signal: AbortSignal,
): Promise<EnsembleAnswer> {
  return withManifest(source, (manifest) => answerFrom(manifest, source, request, now, signal));
}

/** The answer for one variable. */
interface Part {
  name: VariableName;
  /** The points that each run answers. */
  groups: (Group & { run: EnsembleRun })[];
  unanswered: Grouping["unanswered"];
  /** Values of the fields by position of the member in its run; NaN = missing. */
  members: Map<FieldName, Float64Array>[];
  /** Values of stored statistics by name, of runs that keep no members; NaN = missing. */
  statistics: Map<string, Float64Array>;
}

async function answerFrom(
  manifest: Manifest,
  source: PointSource,
  request: EnsembleRequest,
  now: number,
  signal: AbortSignal,
): Promise<EnsembleAnswer> {
  const points = columnsOf(request.points);
  const names = [...new Set(request.variables)];
  const ensemble = request.ensemble ?? ensembleFor(manifest, names) ?? "";
  const runs = manifestOfEnsemble(manifest, ensemble);
  const parts = names.map((name) => partOf(name, groupByRun(runs, name, points, now), points));
  await readParts(source, parts, points, request, signal);

  const all = parts.flatMap(({ groups }) => groups.map(({ run }) => run));
  const members = [...new Set(all.flatMap((run) => run.ensemble.members))].sort((a, b) => a - b);
  const results = request.points.map(({ latitude, longitude, timestamp }) => ({
    coordinates: { latitude, longitude, timestamp },
    conditions: {},
  }));
  for (const part of parts) await fill(part, request, members, results, signal);

  const ensembles = parts.flatMap((part) => describe(part, ensemble, points, request, now));
  const synthetic = all.some(({ provenance }) => provenance === "synthetic");
  return {
    results,
    meta: {
      ensembles,
      members,
      nulls: parts.flatMap((part) => nullsOf(part, results)),
      caution: ensembleCaution(ensembles.map(({ grid_step }) => grid_step)),
      ...(synthetic && { synthetic }),
    },
    ages: ensembles,
    synthetic,
  };
}

function partOf(name: VariableName, { groups, unanswered }: Grouping, points: PointColumns): Part {
  const own = groups.flatMap(({ run, indices }) => (isEnsemble(run) ? { run, indices } : []));
  const sizes = own.map(({ run }) => (hasMembers(run, name) ? run.ensemble.members.length : 0));
  const members = Array.from({ length: Math.max(0, ...sizes) }, () => {
    const fields = inputsOfVariable(name);
    return new Map(fields.map((field) => [field, new Float64Array(points.count).fill(Number.NaN)]));
  });
  return { name, groups: own, unanswered, members, statistics: new Map() };
}

/** Whether a run keeps the members of a variable. */
const hasMembers = ({ fields }: EnsembleRun, name: VariableName) =>
  inputsOfVariable(name).some((field) => fields[field]?.members);

/** Reads the members of all variables, and the statistics of those whose run keeps no members. */
async function readParts(
  source: PointSource,
  parts: readonly Part[],
  points: PointColumns,
  request: EnsembleRequest,
  signal: AbortSignal,
): Promise<void> {
  // The first member loads the chunks, which have all members: the others find them in the cache.
  const reads = parts.flatMap((part) => readsOf(part));
  const isFirst = ({ groups }: VariableRead) => groups.every(({ run }) => run.member === 0);
  for (const some of [reads.filter(isFirst), reads.filter((read) => !isFirst(read))])
    await readVariables(source, some, points, request.wind_height, signal);
  for (const { name, groups, statistics } of parts)
    for (const group of groups)
      if (!hasMembers(group.run, name)) await readStatistics(source, name, group, points, statistics, signal);
}

/** The reads of all members of a variable. */
function readsOf({ name, groups, members }: Part): VariableRead[] {
  const kept = groups.filter(({ run }) => hasMembers(run, name));
  return members.map((columns, member) => ({
    name,
    groups: kept
      .filter(({ run }) => member < run.ensemble.members.length)
      .map(({ run, indices }) => ({ run: { ...run, member }, indices })),
    columns,
  }));
}

/** Writes the distributions of a variable at all points. @param all Members of all runs. */
async function fill(
  { name, groups, members, statistics }: Part,
  request: EnsembleRequest,
  all: readonly number[],
  results: EnsembleAnswer["results"],
  signal: AbortSignal,
): Promise<void> {
  const outputs: readonly Output[] = variable(name).outputs;
  for (const { conditions } of results) for (const { point } of outputs) conditions[point] = null;
  let done = 0;
  for (const { run, indices } of groups)
    for (const output of outputs) {
      const distribution: (index: number) => Distribution | null = hasMembers(run, name)
        ? memberDistributions(output, members, run, request, all)
        : storedDistributions(output, statistics, run, request);
      for (const index of indices) {
        results[index]!.conditions[output.point] = distribution(index);
        if (++done % DISTRIBUTIONS_PER_TURN > 0) continue;
        await nextTurn();
        signal.throwIfAborted();
      }
    }
}

function describe(
  { name, groups }: Part,
  ensemble: string,
  points: PointColumns,
  request: EnsembleRequest,
  now: number,
): Result["meta"]["ensembles"] {
  return groups.map(({ run, indices }) => {
    const times = Float64Array.from(indices, (index) => points.time[index]!);
    const {
      dataset: _,
      wind_method,
      age_s = 0,
      reference_time,
      notes = [],
      ...described
    } = describeRun(name, run, times, indices.length, request.wind_height, now);
    const { grid_step = 0, step_h = 0 } = besideOthers(ensemble, name, run, times);
    const from = hasMembers(run, name) ? ("members" as const) : ("statistics" as const);
    const all = from === "members" ? notes : [...notes, ...notStored(name, run, request)];
    return {
      ...described,
      ...(from === "members" && wind_method && { wind_method }),
      ensemble,
      reference_time: reference_time!,
      age_s,
      members: run.ensemble.members,
      size: run.ensemble.size,
      from,
      grid_step,
      step_h,
      ...(all.length > 0 && { notes: all }),
    };
  });
}

/** Why points have no values of a variable. */
function nullsOf(
  { name, groups, unanswered }: Part,
  results: EnsembleAnswer["results"],
): Result["meta"]["nulls"] {
  const outputs: readonly Output[] = variable(name).outputs;
  const nulls: Result["meta"]["nulls"] = unanswered.map(({ reason, indices }) => ({
    variable: name,
    reason,
    points: indices,
  }));
  const missing = groups
    .flatMap(({ indices }) => Array.from(indices))
    .filter((index) => outputs.every(({ point }) => results[index]!.conditions[point] === null))
    .sort((a, b) => a - b);
  if (missing.length > 0) nulls.push({ variable: name, reason: "missing", points: missing });
  return nulls;
}
