import { type Frame, valueAtNode } from "./frame.ts";
import { blendCorners, blendSteps, emptyCell, locate } from "./interpolate.ts";

/** The two frames around an instant, on one grid with the same bands, and the share of the later one (0..1). */
export interface FramePair {
  before: Frame;
  after: Frame;
  later: number;
}

const cell = emptyCell();

/**
 * Value of one band at a place and an instant, by the sampler of the API: bilinear in space, then linear in time.
 *
 * @returns In the band's unit; NaN where it is missing or outside the grid.
 */
export function sampleBand(pair: FramePair, band: number, latitude: number, longitude: number): number {
  const { before, after, later } = pair;
  const earlier = sampleFrame(before, band, latitude, longitude);
  return later === 0 ? earlier : blendSteps(earlier, sampleFrame(after, band, latitude, longitude), later);
}

/** Value of one band of one frame at a place; NaN where it is missing or outside the grid. */
function sampleFrame(frame: Frame, band: number, latitude: number, longitude: number): number {
  if (!locate(frame.grid, latitude, longitude, cell)) return Number.NaN;
  const { south, north, west, east } = cell;
  const width = frame.grid.longitude.count;
  return blendCorners(
    cell,
    valueAtNode(frame, south * width + west, band),
    valueAtNode(frame, south * width + east, band),
    valueAtNode(frame, north * width + west, band),
    valueAtNode(frame, north * width + east, band),
  );
}
