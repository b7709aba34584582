import type { FieldName } from "#lib/catalog/fields.ts";
import { inputsOfVariable, type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Distribution, EnsembleResponse } from "#lib/contract/ensemble.ts";
import { type Group, type Grouping, groupByRun } from "#server/archive/choose-run.ts";
import { besideOthers, describeRun } from "#server/archive/describe-run.ts";
import { modelOf } from "#server/archive/one-model.ts";
import { readVariables, type VariableRead } from "#server/archive/read-variables.ts";
import type { PointColumns, PointSource } from "#server/archive/reader.ts";
import { type EnsembleRun, isEnsemble, type Manifest } from "#server/archive/run.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { memberDistributions } from "./members.ts";
import { readStatistics, storedDistributions, storedNotes, type WindAsked } from "./stored.ts";

/** The answer for one variable. */
export interface Part {
  name: VariableName;
  /** The points that each run answers. */
  groups: (Group & { run: EnsembleRun })[];
  unanswered: Grouping["unanswered"];
  /** Values of the fields by position of the member in its run; NaN = missing. */
  members: Map<FieldName, Float64Array>[];
  /** Values of stored statistics by name, of runs that keep no members; NaN = missing. */
  statistics: Map<string, Float64Array>;
}

/**
 * Reads the members of variables at points, and stored statistics of those whose run keeps no members.
 *
 * @param runs That of `manifestOfEnsemble`.
 * @param now Weather clock, Unix seconds.
 */
export async function readEnsemble(
  source: PointSource,
  runs: Manifest,
  points: PointColumns,
  names: readonly VariableName[],
  asked: WindAsked,
  now: number,
  signal: AbortSignal,
): Promise<Part[]> {
  const parts = names.map((name) => partOf(name, groupByRun(runs, name, points, now), points));
  await readParts(source, parts, points, asked, signal);
  return parts;
}

/** Number of distributions that are computed without a pause: about a millisecond. */
const DISTRIBUTIONS_PER_TURN = 256;

/**
 * Computes the distributions of a variable, output by output.
 *
 * @param all Realization numbers in whose order the values of members are listed.
 * @param write Receives each distribution with its output and the position of its point; null if no member has a value.
 */
export async function distribute(
  { name, groups, members, statistics }: Part,
  asked: WindAsked,
  all: readonly number[],
  write: (output: Output, index: number, distribution: Distribution | null) => void,
  signal: AbortSignal,
): Promise<void> {
  const outputs: readonly Output[] = variable(name).outputs;
  let done = 0;
  for (const { run, indices } of groups)
    for (const output of outputs) {
      const distribution: (index: number) => Distribution | null = hasMembers(run, name)
        ? memberDistributions(output, members, run, asked, all)
        : storedDistributions(output, statistics, run, asked);
      for (const index of indices) {
        write(output, index, distribution(index));
        if (++done % DISTRIBUTIONS_PER_TURN > 0) continue;
        await nextTurn();
        signal.throwIfAborted();
      }
    }
}

/** Description of a run that answered a variable, in the form of `meta.ensembles`. */
export type EnsembleProvenance = EnsembleResponse["result"]["meta"]["ensembles"][number];

/**
 * Describes the run of an ensemble that answered a variable.
 *
 * @param times Requested instants, Unix seconds. @param count How many points, or nodes and times, it answered.
 * @param now Weather clock, Unix seconds.
 */
export function describeEnsemble(
  name: VariableName,
  run: EnsembleRun,
  times: readonly number[],
  count: number,
  asked: WindAsked,
  now: number,
): EnsembleProvenance {
  const {
    dataset: _,
    wind_method,
    age_s = 0,
    reference_time,
    notes = [],
    ...described
  } = describeRun(name, run, times, count, asked.wind_height, now);
  const ensemble = modelOf(run);
  const { grid_step = 0, step_h = 0 } = besideOthers(ensemble, name, run, times);
  const from = hasMembers(run, name) ? ("members" as const) : ("statistics" as const);
  const all = from === "members" ? notes : storedNotes(name, run, asked);
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
  asked: WindAsked,
  signal: AbortSignal,
): Promise<void> {
  // The first member loads the chunks, which have all members: the others find them in the cache.
  const reads = parts.flatMap((part) => readsOf(part));
  const isFirst = ({ groups }: VariableRead) => groups.every(({ run }) => run.member === 0);
  for (const some of [reads.filter(isFirst), reads.filter((read) => !isFirst(read))])
    await readVariables(source, some, points, asked.wind_height, signal);
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
