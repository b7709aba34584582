import { madeOnce, modelOf, withCurrentsOf } from "./one-model.ts";
import type { EnsembleRun, Manifest, Run } from "./run.ts";

/** The ensembles of a manifest, by the names of their models. */
export function ensemblesIn({ ensembles = [] }: Manifest): string[] {
  return [...new Set(ensembles.map(modelOf))];
}

/** The CF realization numbers of an ensemble that any of its runs has, ascending. */
export function membersOf(manifest: Manifest, ensemble: string): number[] {
  const numbers = (manifest.ensembles ?? [])
    .filter((run) => modelOf(run) === ensemble)
    .flatMap((run) => run.ensemble.members);
  return [...new Set(numbers)].sort((one, other) => one - other);
}

/**
 * The manifest from which one member of an ensemble answers alone, as a model does: the runs that have it, with the fields
 * that have members, and fields that do not change with time. The same object is returned for the same arguments.
 *
 * @param number CF realization, 0 = control.
 */
export function manifestOfMember(manifest: Manifest, ensemble: string, number: number): Manifest {
  return oneMember(manifest, `${number} ${ensemble}`);
}

/** As `manifestOfMember`, with the currents of the sources that stand first where the ensemble has none. */
export function passageManifestOfMember(manifest: Manifest, ensemble: string, number: number): Manifest {
  return oneMemberWithCurrents(manifest, `${number} ${ensemble}`);
}

const oneMember = madeOnce((manifest, name) => {
  const [number, ensemble] = [Number.parseInt(name, 10), name.slice(name.indexOf(" ") + 1)];
  const own = (manifest.ensembles ?? [])
    .filter((run) => modelOf(run) === ensemble)
    .flatMap((run) => memberOf(run, number) ?? []);
  const { sourceOrder } = manifest;
  const still = manifest.runs.filter(({ dataset }) => dataset === "Static");
  return { version: 1, runs: [...own, ...still], ...(sourceOrder && { sourceOrder }) };
});

const oneMemberWithCurrents = madeOnce((manifest, name) =>
  withCurrentsOf(manifest, oneMember(manifest, name)),
);

/** The run with one member alone; undefined if it does not have it. */
function memberOf(run: EnsembleRun, number: number): Run | undefined {
  const member = run.ensemble.members.indexOf(number);
  if (member < 0) return undefined;
  const fields = Object.fromEntries(Object.entries(run.fields).filter(([, { members }]) => members));
  return { ...run, member, fields };
}
