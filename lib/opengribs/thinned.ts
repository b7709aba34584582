import type { OpengribsRequest } from "./request.ts";

/** The grid is thinned to this step first, degrees. A coarser one no longer shows a low, so times are left out instead. */
const COARSEST_STEP = 2;

/** Steps of thinned grids are multiples of this, degrees. */
const UNIT = 0.25;

/**
 * Returns a request for a smaller file: with a coarser grid up to two degrees, then with every second, third and so on of
 * its times.
 *
 * @param asked The request as it was asked for.
 * @param tried The request whose file was too large.
 * @param excess Size of that file relative to the size that it may have, greater than 1.
 * @returns undefined if one time on the coarsest grid is left.
 */
export function thinned(
  asked: OpengribsRequest,
  tried: OpengribsRequest,
  excess: number,
): OpengribsRequest | undefined {
  if (tried.parts.some(({ step }) => step < COARSEST_STEP)) {
    const coarser = (step: number) => {
      const units = Math.max(Math.ceil((step * Math.sqrt(excess)) / UNIT), Math.floor(step / UNIT) + 1);
      return Math.max(step, Math.min(units * UNIT, COARSEST_STEP));
    };
    return { ...tried, parts: tried.parts.map((part) => ({ ...part, step: coarser(part.step) })) };
  }
  const { offsets: all = [] } = asked;
  const left = tried.offsets?.length ?? 0;
  if (left < 2) return undefined;
  // At least so many that fewer times are left.
  const fewer = Math.ceil(all.length / (left - 1));
  const every = Math.max(fewer, Math.ceil(Math.ceil(all.length / left) * excess));
  return { ...tried, offsets: all.filter((_, at) => at % every === 0) };
}
