import type { ViewBox } from "@open-metocean/geo/box";
import type { Grid } from "@open-metocean/geo/grid";
import type { StepPair } from "#components/view-state/timeline.ts";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { chunkNames, chunksInView, partGrid } from "#lib/field/frame-chunks.ts";

/** The part of one level that has to be read. */
export interface LevelPlan {
  level: string;
  /** Grid of the drawn frame: the whole level, or a window of it. */
  grid: Grid;
  /** Chunks that the view needs. */
  names: readonly string[];
  /** The chunks fill the grid. */
  isWhole: boolean;
}

/**
 * Largest size of a frame, nodes; a global 0.25° grid is smaller, and uploads to a texture in negligible
 * time.
 */
const MAX_NODES = 1.2e6;

/**
 * The levels of a run that a view needs: first the coarsest level, always whole, which is drawn while the
 * finer one loads and outside the view; then the finest level that fits.
 *
 * A fine level is drawn whole if it has at most `MAX_NODES`, otherwise as the window of the chunks in view.
 *
 * @param box The view; undefined until it is known.
 */
export function planView(levels: DrawableRun["levels"], box: ViewBox | undefined): LevelPlan[] {
  const plans: LevelPlan[] = [];
  const coarsest = levels.at(-1);
  if (!coarsest) return plans;
  const { level, grid, chunk } = coarsest;
  plans.push({ level, grid, names: chunkNames(grid, chunk), isWhole: true });
  for (const finer of box ? levels.slice(0, -1) : []) {
    const plan = planLevel(finer, box!);
    if (plan) return [...plans, plan];
  }
  return plans;
}

/** undefined if the view is too large for the level, or outside it. */
function planLevel(
  { level, grid, chunk }: DrawableRun["levels"][number],
  box: ViewBox,
): LevelPlan | undefined {
  const view = chunksInView(grid, chunk, box);
  if (!view) return undefined;
  const { names, part } = view;
  const all = chunkNames(grid, chunk).length;
  if (nodesOf(grid) <= MAX_NODES) return { level, grid, names, isWhole: names.length === all };
  const window = partGrid(grid, part);
  return nodesOf(window) <= MAX_NODES ? { level, grid: window, names, isWhole: true } : undefined;
}

const nodesOf = ({ latitude, longitude }: Grid) => latitude.count * longitude.count;

/**
 * Up to this zoom a degree takes at most 16 pixels on the screen, so a field of 1° and the 1:110 million
 * coast suffice.
 */
export const COARSE_ZOOM = 3.5;

/** The same steps with the coarsest level only. */
export function coarsestOf(steps: StepPair): StepPair {
  const { run } = steps;
  return { ...steps, run: { ...run, levels: run.levels.slice(-1) } };
}
