import { drawnVariables } from "#lib/catalog/colours.ts";
import { chunkNames } from "#lib/field/frame-chunks.ts";
import { parseInstant } from "#lib/time.ts";
import type { FrameEncoding } from "#server/archive/make-frame.ts";
import { chosenEncoding } from "#server/http/compression.ts";
import { drawableManifest } from "#server/metocean/drawable.ts";
import { type FrameCache, type FrameSource, frameAt } from "#server/metocean/frames.ts";

/** What the map page opens with. */
const [FIRST_LAYER] = drawnVariables;

/** Seconds of the weather clock after which other frames may be the first. */
const GOOD_FOR_S = 600;

/**
 * Makes the frames that a map page begins with while the page itself is on its way: on a server that has just started the
 * demo world takes half a second for its first one.
 *
 * @returns To be called when a map page is asked for, with what its browser can unpack: it will ask for the frames alike.
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

  async function make(now: number, encoding: FrameEncoding | undefined): Promise<void> {
    const { runs } = drawableManifest(await archive.manifest(), FIRST_LAYER, now);
    const run = runs.find(({ from, to }) => parseInstant(from) <= now && now <= parseInstant(to));
    const coarsest = run?.levels.at(-1);
    if (!run || !coarsest) return;
    const away = (time: string) => Math.abs(parseInstant(time) - now);
    const time = run.times.reduce((nearest, other) => (away(other) < away(nearest) ? other : nearest));
    for (const chunk of chunkNames(coarsest.grid, coarsest.chunk)) {
      const address = { ...run, variable: FIRST_LAYER, time, level: coarsest.level, chunk };
      await frameAt(archive, frames, address, encoding, new AbortController().signal);
    }
  }

  return (acceptEncoding) => {
    const now = weather.now();
    if (now - madeFor < GOOD_FOR_S) return;
    madeFor = now;
    make(now, chosenEncoding(acceptEncoding)).catch((error: unknown) =>
      log.warn({ err: error }, "the map's first frames could not be made"),
    );
  };
}
