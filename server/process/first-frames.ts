import { chunkNames } from "#lib/field/frame-chunks.ts";
import { parseInstant } from "#lib/time.ts";
import type { FrameEncoding } from "#server/archive/make-frame.ts";
import { chosenEncoding } from "#server/http/compression.ts";
import { drawableManifest } from "#server/metocean/drawable.ts";
import { type FrameCache, type FrameSource, frameAt } from "#server/metocean/frames.ts";

/** The layer that the map page shows first. */
const FIRST_LAYER = "wind";

/** Seconds of the weather clock after which the first frames are computed again. */
const GOOD_FOR_S = 600;

/**
 * Computes the first frames of the map while the page is being sent: after a start, the first frame of the demo world takes
 * half a second.
 *
 * @returns A function to call for each request of the map page, with its Accept-Encoding.
 */
export function firstFrames({
  archive,
  frames,
  weather,
  log,
}: {
  archive: FrameSource;
  frames: FrameCache;
  weather: { now(): number };
  log: { warn(fields: object, message: string): void };
}): (acceptEncoding: string | undefined) => void {
  let computedAt = Number.NEGATIVE_INFINITY;

  async function computeFrames(now: number, encoding: FrameEncoding | undefined): Promise<void> {
    const { runs } = drawableManifest(await archive.manifest(), FIRST_LAYER, now);
    const run = runs.find(({ from, to }) => parseInstant(from) <= now && now <= parseInstant(to));
    const coarsest = run?.levels.at(-1);
    if (!run || !coarsest) return;
    const distance = (time: string) => Math.abs(parseInstant(time) - now);
    const time = run.times.reduce((nearest, other) =>
      distance(other) < distance(nearest) ? other : nearest,
    );
    for (const chunk of chunkNames(coarsest.grid, coarsest.chunk)) {
      const address = { ...run, variable: FIRST_LAYER, time, level: coarsest.level, chunk };
      await frameAt(archive, frames, address, encoding, new AbortController().signal);
    }
  }

  return (acceptEncoding) => {
    const now = weather.now();
    if (now - computedAt < GOOD_FOR_S) return;
    computedAt = now;
    computeFrames(now, chosenEncoding(acceptEncoding)).catch((error: unknown) =>
      log.warn({ err: error }, "the map's first frames could not be computed"),
    );
  };
}
