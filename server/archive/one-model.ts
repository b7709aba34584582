import { fieldsOf } from "#lib/catalog/fields.ts";
import { BEST } from "#lib/catalog/source-order.ts";
import type { Manifest, Run } from "./run.ts";

/** Name of a run's model in requests: that of its source, or of the source with which it answers as one model. */
export const modelOf = ({ system, source }: Pick<Run, "system" | "source">): string => system ?? source;

/** Makes a manifest once for the same arguments, because caches use its identity as their key. */
export function madeOnce<Rest extends (string | number)[]>(
  make: (manifest: Manifest, ...rest: Rest) => Manifest,
) {
  const made = new WeakMap<Manifest, Map<string, Manifest>>();
  return (manifest: Manifest, ...rest: Rest): Manifest => {
    const known = made.get(manifest) ?? new Map<string, Manifest>();
    made.set(manifest, known);
    const key = JSON.stringify(rest);
    const one = known.get(key) ?? make(manifest, ...rest);
    known.set(key, one);
    return one;
  };
}

/**
 * The manifest from which a model answers alone: its own runs, and those of fields that do not change with time. The
 * same object is returned for the same manifest and model. `best` is the manifest itself.
 */
export const manifestOfModel = madeOnce((manifest, model: string) => {
  if (model === BEST) return manifest;
  const isOwn = (run: Run) => run.dataset === "Static" || modelOf(run) === model;
  const { runs, earlier } = manifest;
  return { ...manifest, runs: runs.filter(isOwn), ...(earlier && { earlier: earlier.filter(isOwn) }) };
});

/**
 * The manifest from which a model plans passages: that of the model, and if no run of it has currents, those of the
 * sources that stand first. Models of the weather have none, and a vessel drifts nevertheless.
 */
export const passageManifestOf = madeOnce((manifest, model: string) => {
  const own = manifestOfModel(manifest, model);
  return model === BEST ? own : withCurrentsOf(manifest, own);
});

/** A manifest, and if no run of it has currents, those of another one. */
export function withCurrentsOf(manifest: Manifest, own: Manifest): Manifest {
  return own.runs.some(hasCurrents) ? own : { ...own, runs: [...own.runs, ...currentsIn(manifest)] };
}

const currentFields = fieldsOf("current");

const hasCurrents = ({ fields }: Run) => currentFields.every((field) => fields[field]);

/** The runs that have currents, with nothing else. */
function currentsIn({ runs }: Manifest): Run[] {
  return runs.filter(hasCurrents).map((run) => ({
    ...run,
    fields: Object.fromEntries(currentFields.map((field) => [field, run.fields[field]])) as Run["fields"],
  }));
}

const withEarlier = new WeakMap<Manifest, Manifest>();

/** The manifest in which earlier forecasts are runs like others; the same object is returned for the same manifest. */
export function manifestWithEarlier(manifest: Manifest): Manifest {
  const { earlier, ...rest } = manifest;
  if (!earlier) return manifest;
  const made = withEarlier.get(manifest) ?? { ...rest, runs: [...manifest.runs, ...earlier] };
  withEarlier.set(manifest, made);
  return made;
}

/** The models of a manifest, except those of fields that do not change with time. */
export function modelsIn({ runs }: Manifest): string[] {
  return [...new Set(runs.filter(({ dataset }) => dataset !== "Static").map(modelOf))];
}
