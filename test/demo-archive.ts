import { LRUCache } from "lru-cache";
import { emptyManifest } from "#server/archive/manifest.ts";
import type { PointSource } from "#server/archive/reader.ts";
import { openReader } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { withDemo } from "#server/demo/runs.ts";
import { demoStore } from "#server/demo/store.ts";
import type { FrameSource } from "#server/metocean/frames.ts";
import { inlinePool } from "./demo-pool.ts";

/** Archives by weather clock, so that later tests of a file reuse what earlier ones computed. */
const shared = new LRUCache<number, PointSource & FrameSource>({ max: 3 });

/**
 * The demo behind the archive's own reader, computed in this thread.
 *
 * @param now Weather clock, Unix seconds; a function if it changes.
 * @param real Manifest of the real archive.
 */
export function demoArchive(
  now: number | (() => number),
  real: Manifest = emptyManifest,
): PointSource & FrameSource {
  if (typeof now !== "number" || real !== emptyManifest) return opened(now, real);
  const archive = shared.get(now) ?? opened(now, real);
  shared.set(now, archive);
  return { ...archive };
}

function opened(now: number | (() => number), real: Manifest): PointSource & FrameSource {
  const catalog = withDemo(
    { manifest: async () => real, refresh: async () => real },
    "auto",
    typeof now === "number" ? () => now : now,
  );
  const reader = openReader(demoStore(inlinePool()), { cacheBytes: 64 * 2 ** 20 });
  return {
    ...catalog,
    valuesAt: (...args) => reader.valuesAt(...args),
    mapStep: (...args) => reader.mapStep(...args),
    storedFrame: async () => undefined,
  };
}
