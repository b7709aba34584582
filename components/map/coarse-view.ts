import type { StepPair } from "#components/view-state/timeline.ts";

/**
 * Up to this zoom a degree takes at most 16 pixels of the screen: a field of 1° and the coast of 1:110m are enough to see
 * the weather by.
 */
export const COARSE_ZOOM = 3.5;

/** The same steps on the coarsest level alone. The same object for the same steps. */
export function coarsestOf(steps: StepPair): StepPair {
  const known = coarsest.get(steps);
  if (known) return known;
  const { run } = steps;
  const coarse = { ...steps, run: { ...run, levels: run.levels.slice(-1) } };
  coarsest.set(steps, coarse);
  return coarse;
}

const coarsest = new WeakMap<StepPair, StepPair>();
