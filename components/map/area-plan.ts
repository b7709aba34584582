import type { ViewBox } from "@open-metocean/geo/box";
import { apiFetch } from "#components/api-client/api-fetch.ts";
import { readManifest } from "#components/api-client/parse-reply.ts";
import type { AreaPlan } from "#components/api-client/save-area.ts";
import type { AreaWish } from "#components/api-client/saved-areas.ts";
import { stepsAt, timelineOf } from "#components/view-state/timeline.ts";
import type { DrawableRun, FieldManifest } from "#lib/contract/field-manifest.ts";
import { framePath } from "#lib/contract/frame-paths.ts";
import { frameBytes } from "#lib/field/frame.ts";
import { chunkPart } from "#lib/field/frame-chunks.ts";
import { LAND_ZOOM } from "#lib/places/land-tile.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { landBytes, tilesIn } from "./land/land-tiles.ts";
import { manifestPath } from "./manifest-path.ts";
import { planView } from "./view-plan.ts";

/** Plans what has to be saved for an area, by the manifests of its layers. @throws ServiceError as `apiFetch` does. */
export async function readAreaPlan(key: string, wish: AreaWish, signal: AbortSignal): Promise<AreaPlan> {
  const manifests = wish.variables.map(async (variable) =>
    readManifest(await apiFetch(manifestPath(variable, undefined, wish.model), { key, signal })),
  );
  return planArea(wish, await Promise.all(manifests));
}

/**
 * Plans the frames of an area: for each layer those of the saved times, on the coarsest level, which is drawn around
 * the area, and on the finest one that the map would draw there.
 *
 * @param manifests Those of the layers, in their order.
 */
export function planArea(wish: AreaWish, manifests: readonly FieldManifest[]): AreaPlan {
  const frames = new Map<string, number>();
  let until: number | undefined;
  const saved = manifests.map((manifest, index) => {
    const { runs, last } = manifest.fixed ? fixedPart(manifest) : savedPart(manifest, wish);
    if (last !== undefined) until = Math.max(until ?? last, last);
    const parts = runs.map((run) => addFrames(run, wish, frames));
    const name = manifestPath(wish.variables[index], undefined, wish.model);
    return { name, manifest: { ...manifest, runs: parts } };
  });
  let bytes = 0;
  for (const size of frames.values()) bytes += size;
  return { wish, until, manifests: saved, frames, bytes };
}

/** Most tiles of the land that are read of one zoom; finer zooms of a large area are left out. */
const MAX_TILES = 40;

/** Reads the land of an area, so that the browser has it without a network. What cannot be read is left out. */
export async function readAreaLand(box: ViewBox): Promise<void> {
  for (let zoom = 0; zoom <= LAND_ZOOM; zoom++) {
    const tiles = tilesIn(box, zoom);
    if (tiles.length > MAX_TILES) return;
    await Promise.all(tiles.map((tile) => landBytes(...tile).catch(() => undefined)));
  }
}

/** Adds the frames of the steps of a run. @returns The run with the levels that they have. */
function addFrames(run: DrawableRun, { box }: AreaWish, frames: Map<string, number>): DrawableRun {
  const names = run.planes.map(({ name }) => name);
  const plans = planView(run.levels, box);
  for (const { level, names: chunks } of plans) {
    const { grid, chunk } = run.levels.find((one) => one.level === level)!;
    for (const name of chunks) {
      const { rows = 0, columns = 0 } = chunkPart(grid, chunk, name) ?? {};
      for (const time of run.times)
        frames.set(framePath(run.frames, time, level, name), frameBytes(rows * columns, names));
    }
  }
  return { ...run, levels: run.levels.filter(({ level }) => plans.some((plan) => plan.level === level)) };
}

/** A layer that does not change with time has a single step, of the run that stands first. */
function fixedPart({ runs }: FieldManifest): Part {
  return { runs: runs.slice(0, 1), last: undefined };
}

interface Part {
  runs: DrawableRun[];
  /** Last saved time, Unix seconds; undefined if there is none. */
  last: number | undefined;
}

/**
 * The runs that answer at the saved times, with only the steps that are interpolated between there. Each spans its
 * own times and reaches to those of its neighbours, so that there is no gap where one run follows another.
 */
function savedPart(manifest: FieldManifest, { from, days, hours }: AreaWish): Part {
  const times = savedInstants(timelineOf(manifest), { from, to: from + days * DAY_S }, hours);
  const kept = new Map<DrawableRun, { from: number; to: number; steps: Set<string> }>();
  for (const [index, time] of times.entries()) {
    const run = stepsAt(manifest, time)?.run;
    if (!run) continue;
    const part = kept.get(run) ?? { from: time, to: time, steps: new Set() };
    kept.set(run, part);
    for (const beside of [times[index - 1] ?? time, time, times[index + 1] ?? time]) {
      const within = Math.min(parseInstant(run.to), Math.max(parseInstant(run.from), beside));
      const pair = stepsAt({ ...manifest, runs: [run] }, within);
      if (!pair) continue;
      part.steps.add(pair.before).add(pair.after);
      part.from = Math.min(part.from, within);
      part.to = Math.max(part.to, within);
    }
  }
  const runs = manifest.runs.flatMap((run) => {
    const part = kept.get(run);
    if (!part) return [];
    const steps = run.times.filter((time) => part.steps.has(time));
    return [{ ...run, times: steps, from: formatInstant(part.from), to: formatInstant(part.to) }];
  });
  return { runs, last: times.at(-1) };
}

/**
 * The instants to save within a span: those at whole multiples of some hours, and those after a longer step; one
 * more at either end if it lies between two.
 *
 * @param instants Ascending, Unix seconds.
 */
export function savedInstants(
  instants: readonly number[],
  { from, to }: { from: number; to: number },
  hours: number,
): number[] {
  const step = hours * HOUR_S;
  const wanted = instants.filter(
    (time, index) => time % step === 0 || time - (instants[index - 1] ?? time) >= step,
  );
  const first = Math.max(
    0,
    wanted.findLastIndex((time) => time <= from),
  );
  const last = wanted.findIndex((time) => time >= to);
  return wanted.slice(first, last < 0 ? undefined : last + 1);
}
