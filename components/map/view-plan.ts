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

/** A frame may have as many nodes as 0.25° of the globe: some megabytes, which a texture takes in a blink. */
const MAX_NODES = 1.2e6;

/**
 * What a view needs of a run, the coarsest level first, which is always read whole: it is what is seen while the finer one
 * is on its way, and beyond the view. Then the finest level that the view has room for.
 *
 * A fine level is drawn as a whole where it is no larger than 0.25° of the globe, else as the window of the chunks in view.
 *
 * @param box undefined: nobody knows yet what is in view.
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

/** undefined where the view is too large for the level, or beside it. */
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
