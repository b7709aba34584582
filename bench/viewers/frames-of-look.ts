import { planView } from "#components/map/view-plan.ts";
import { colourScales, type DrawnVariable } from "#lib/catalog/colours.ts";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { framePath, signedFramesPath } from "#lib/contract/frame-paths.ts";
import { chunkPart } from "#lib/field/frame-chunks.ts";
import type { Grid } from "#lib/field/grid.ts";
import { frameChunking, levelGrid, mapLevels } from "#server/archive/layout.ts";
import type { Look } from "./sessions.ts";

/** A frame that a page asks for. */
export interface WantedFrame {
  path: string;
  /** As it is sent, brotli. */
  bytes: number;
}

/** The globe at 0.25°, as GFS has it. */
const grid: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};

/** Bytes a value of wind as brotli, by stride: `bench "map frames"` (docs/benchmarks.md) for 1 and 4, their geometric mean between. */
const BYTES_A_VALUE: Readonly<Record<string, number>> = {
  1: 0.72e6 / (721 * 1440 * 2),
  2: 0.53,
  4: 104e3 / (181 * 360 * 2),
};

const levels: DrawableRun["levels"] = mapLevels(grid).map((stride) => {
  const coarse = levelGrid({ grid }, stride);
  return { level: String(stride), grid: coarse, chunk: frameChunking(coarse) };
});

/** Hours between cycles, from the base time of a cycle until it is there, and between its segments. */
const CYCLE_H = 6;
const DELAY_H = 4;
/** Steps of an hour up to here, three hours beyond. */
const HOURLY_H = 120;
/** Hours of a cycle in its first segment, and in each later one. */
const FIRST_SEGMENT_H = 7;
const SEGMENT_H = 15;
/** The page reads so many steps around the one shown, when nothing else loads. */
const AROUND = 3;

/**
 * What the map page asks for when it shows a look: both steps around the time, coarse and then fine, and the steps around
 * them.
 *
 * @param grantOf The grant of a run's variable, as the manifest has it at that time.
 */
export function framesOf(
  { at, variable, ahead, box, isPlaying }: Look,
  grantOf: (frames: { dataset: string; run: string; variable: DrawnVariable }) => string,
): WantedFrame[] {
  const hour = Math.floor(at / 3600) + ahead;
  const size = hour > HOURLY_H ? 3 : 1;
  const first = Math.floor(hour / size) * size;
  const steps = [first, first + size];
  const around = isPlaying ? [] : Array.from({ length: AROUND }, (_, index) => first + (index + 2) * size);
  const bands = colourScales[variable].bands.length;
  const plans = planView(levels, box);
  const wanted: WantedFrame[] = [];
  for (const step of [...steps, ...around, ...(isPlaying || first < size ? [] : [first - size])]) {
    const of = { dataset: "Forecast", run: runOf(at, step), variable };
    const frames = signedFramesPath(grantOf(of), of);
    for (const { level, names } of plans) {
      const folder = framePath(frames, `h${step}`, level, "");
      for (const chunk of names) wanted.push({ path: folder + chunk, bytes: bytesOf(level, chunk, bands) });
    }
  }
  return wanted;
}

/** The newest run that has a step: a cycle is published in segments, each a run. */
function runOf(at: number, step: number): string {
  const cycle = Math.floor((at / 3600 - DELAY_H) / CYCLE_H) * CYCLE_H;
  const lead = Math.max(0, step - cycle);
  const segment = lead < FIRST_SEGMENT_H ? 0 : 1 + Math.floor((lead - FIRST_SEGMENT_H) / SEGMENT_H);
  return `gfs-${cycle}-${segment}`;
}

const sizes = new Map<string, number>();

function bytesOf(level: string, chunk: string, bands: number): number {
  const key = `${level} ${chunk}`;
  const known = sizes.get(key) ?? bytesOfBand(level, chunk);
  sizes.set(key, known);
  return known * bands;
}

function bytesOfBand(level: string, chunk: string): number {
  const found = levels.find((each) => each.level === level)!;
  const part = chunkPart(found.grid, found.chunk, chunk)!;
  return Math.round(part.rows * part.columns * BYTES_A_VALUE[level]!);
}
