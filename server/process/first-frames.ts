import { drawnVariables } from "#lib/catalog/colours.ts";
import { chunkNames } from "#lib/field/frame-chunks.ts";
import { parseInstant } from "#lib/time.ts";
import type { FrameEncoding } from "#server/archive/map-frames.ts";
import { drawableManifest } from "#server/metocean/drawable.ts";
import type { FrameCache } from "#server/metocean/frames.ts";
import { type FrameSource, frameAt } from "#server/metocean/frames.ts";
import { preferredEncoding } from "#server/platform/negotiation.ts";

/** The layer that the map page opens with. */
const [FIRST_LAYER] = drawnVariables;

/** Seconds of the weather clock after which the page may begin with other frames. */
const VALID_FOR_S = 600;

/**
 * Makes the frames that a map page begins with while the page itself is being sent: a frame that was not stored with its run
 * takes up to half a second.
 *
 * @returns To be called for each request of a map page, with its Accept-Encoding: the page requests frames with the same.
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
  let madeFor = Number.NEGATIVE_INFINITY;

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
    if (now - madeFor < VALID_FOR_S) return;
    madeFor = now;
    computeFrames(now, preferredEncoding(acceptEncoding)).catch((error: unknown) =>
      log.warn({ err: error }, "the map's first frames could not be computed"),
    );
  };
}
