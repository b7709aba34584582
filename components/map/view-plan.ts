import type { StepPair } from "#components/view-state/timeline.ts";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { chunkNames, chunksInView, partGrid, type ViewBox } from "#lib/field/frame-chunks.ts";
import type { Grid } from "#lib/field/grid.ts";

/** What is to be read of one level. */
export interface LevelPlan {
  level: string;
  /** Grid of the frame that is drawn: the whole level, or a window of it. */
  grid: Grid;
  /** Chunks that the view needs. */
  names: readonly string[];
  /** The chunks fill the grid. */
  isWhole: boolean;
}

/** Maximum size of a frame, nodes: that of 0.25° of the globe, some megabytes that upload to a texture in no time. */
const MAX_NODES = 1.2e6;

/**
 * What a view needs of a run: first the coarsest level, always whole, which is drawn while the finer one loads and outside
 * the view; then the finest level that fits.
 *
 * A fine level is drawn whole if it has at most `MAX_NODES`, else as the window of the chunks in view.
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

/** Undefined where the view is too large for the level, or outside of it. */
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
 * Up to this zoom a degree takes at most 16 pixels of the screen: a field of 1° and the coast of 1:110m are enough to see
 * the weather by.
 */
export const COARSE_ZOOM = 3.5;

/** The same steps on the coarsest level alone. */
export function coarsestOf(steps: StepPair): StepPair {
  const { run } = steps;
  return { ...steps, run: { ...run, levels: run.levels.slice(-1) } };
}
