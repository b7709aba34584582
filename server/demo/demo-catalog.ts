import type { Catalog } from "#server/archive/catalog.ts";
import type { Manifest } from "#server/archive/run.ts";
import { andThen } from "#server/platform/and-then.ts";
import { demoManifest } from "./runs.ts";

/** When the demo world answers: while no real run is published, always, or never. */
export type DemoMode = "auto" | "always" | "never";

/**
 * The catalog of an archive, or of the demo world in its place. Real and synthetic runs never mix.
 *
 * @param now Weather clock, Unix seconds.
 */
export function withDemo(real: Catalog, mode: DemoMode, now: () => number): Catalog {
  if (mode === "never") return real;
  const choose = (manifest: Manifest) =>
    mode === "always" || manifest.runs.length === 0 ? demoManifest(now()) : manifest;
  return {
    manifest: () => andThen(real.manifest(), choose),
    refresh: () => andThen(real.refresh(), choose),
  };
}
