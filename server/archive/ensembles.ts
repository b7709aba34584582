import { type StatisticName, spanHours, statisticOf, statistics } from "#lib/catalog/ensemble.ts";
import { outputsIn } from "#lib/catalog/fields.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { madeOnce, modelOf, withCurrentsOf } from "./one-model.ts";
import type { EnsembleRun, Manifest, Run } from "./run.ts";

/** The ensembles of a manifest, by the names of their models. */
export function ensemblesIn({ ensembles = [] }: Manifest): string[] {
  return [...new Set(ensembles.map(modelOf))];
}

/** The runs of an ensemble, by the name of its model. */
export function runsOfEnsemble({ ensembles = [] }: Manifest, ensemble: string): EnsembleRun[] {
  return ensembles.filter((run) => modelOf(run) === ensemble);
}

/** The CF realization numbers that any of some runs has, ascending. */
export function membersOfRuns(runs: readonly EnsembleRun[]): number[] {
  return [...new Set(runs.flatMap((run) => run.ensemble.members))].sort((one, other) => one - other);
}

/** The CF realization numbers of an ensemble that any of its runs has, ascending. */
export function membersOf(manifest: Manifest, ensemble: string): number[] {
  return membersOfRuns(runsOfEnsemble(manifest, ensemble));
}

/** How many members the publisher of an ensemble makes, of which some may be missing; 0 if there is no run of it. */
export function sizeOf(manifest: Manifest, ensemble: string): number {
  return Math.max(0, ...runsOfEnsemble(manifest, ensemble).map((run) => run.ensemble.size));
}

/**
 * The manifest of the runs of an ensemble, from which a run is chosen for a variable, a place and a time as for a model. A
 * run that keeps no members of a variable but statistics has its fields too, without `members`. The same object is returned
 * for the same arguments.
 */
export const manifestOfEnsemble = madeOnce((manifest, ensemble: string) => {
  const { sourceOrder } = manifest;
  const runs = runsOfEnsemble(manifest, ensemble).map(withImpliedFields);
  return { version: 1, runs, ...(sourceOrder && { sourceOrder }) };
});

/**
 * The manifest of the runs of an ensemble that store a statistic, in which a run is chosen for the statistic as for its
 * variable: its runs have the fields of the variable, and nothing else. The same object is returned for the same arguments.
 */
export const manifestOfStatistic = madeOnce((manifest, ensemble: string, name: StatisticName) => {
  const { runs, ...rest } = manifestOfEnsemble(manifest, ensemble);
  const { output } = statisticOf(name)!.quantity;
  const having = runs.flatMap((run) => {
    const stored = run.fields[name];
    if (!stored) return [];
    return { ...run, fields: Object.fromEntries([name, ...output.of].map((field) => [field, stored])) };
  });
  return { ...rest, runs: having };
});

function withImpliedFields(run: EnsembleRun): EnsembleRun {
  const implied = statistics.flatMap((statistic) => {
    const stored = run.fields[statistic.name];
    // Shares within a span end before the run does.
    const isAtSteps = spanHours(statistic) === undefined;
    return stored && isAtSteps ? statistic.quantity.output.of.map((field) => [field, stored] as const) : [];
  });
  return { ...run, fields: { ...Object.fromEntries(implied), ...run.fields } };
}

/** The ensemble that answers where a request names none: the first that has most of some variables. */
export function ensembleFor(manifest: Manifest, names: readonly VariableName[]): string | undefined {
  const count = (ensemble: string) => {
    const { runs } = manifestOfEnsemble(manifest, ensemble);
    return names.filter((name) => runs.some(({ fields }) => outputsIn(fields, name).length > 0)).length;
  };
  const counted = ensemblesIn(manifest).map((name) => ({ name, has: count(name) }));
  return counted.sort((one, other) => other.has - one.has)[0]?.name;
}

/** The members of which some run has values of a variable, and not only statistics; ascending. */
export function membersWith(manifest: Manifest, ensemble: string, name: VariableName): number[] {
  return membersOf(manifest, ensemble).filter((number) =>
    manifestOfMember(manifest, ensemble, number).runs.some(
      ({ fields }) => outputsIn(fields, name).length > 0,
    ),
  );
}

/**
 * The manifest from which one member of an ensemble answers alone, as a model does: the runs that have it, with the fields
 * that have members, and fields that do not change with time. The same object is returned for the same arguments.
 *
 * @param number CF realization, 0 = control.
 */
export const manifestOfMember = madeOnce((manifest, ensemble: string, number: number) => {
  const { sourceOrder } = manifest;
  const own = runsOfEnsemble(manifest, ensemble).flatMap((run) => memberOf(run, number) ?? []);
  const still = manifest.runs.filter(({ dataset }) => dataset === "Static");
  return { version: 1, runs: [...own, ...still], ...(sourceOrder && { sourceOrder }) };
});

/** Does the same as `manifestOfMember`, with the currents of the sources that stand first where the ensemble has none. */
export const passageManifestOfMember = madeOnce((manifest, ensemble: string, number: number) =>
  withCurrentsOf(manifest, manifestOfMember(manifest, ensemble, number)),
);

/** The run with one member alone; undefined if it does not have it. */
function memberOf(run: EnsembleRun, number: number): Run | undefined {
  const member = run.ensemble.members.indexOf(number);
  if (member < 0) return undefined;
  const fields = Object.fromEntries(Object.entries(run.fields).filter(([, { members }]) => members));
  return { ...run, member, fields };
}
