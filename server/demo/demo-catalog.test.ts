import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import type { Catalog } from "#server/archive/catalog.ts";
import { emptyManifest } from "#server/archive/manifest.ts";
import { isSynthetic, type Manifest } from "#server/archive/run.ts";
import { type DemoMode, withDemo } from "./demo-catalog.ts";
import { demoManifest } from "./runs.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const real: Manifest = {
  version: 1,
  runs: [{ ...demoManifest(now).runs[0]!, id: "real", source: "etopo", provenance: undefined }],
};

/** A catalog that answers synchronously, and one that answers asynchronously. */
const catalogs: [string, (manifest: Manifest) => Catalog][] = [
  ["a directory", (manifest) => ({ manifest: () => manifest, refresh: () => manifest })],
  ["a network", (manifest) => ({ manifest: async () => manifest, refresh: async () => manifest })],
];

for (const [where, catalogOf] of catalogs) {
  it.each<[DemoMode, string, Manifest, boolean]>([
    ["auto", "no run", emptyManifest, true],
    ["auto", "one real run", real, false],
    ["always", "no run", emptyManifest, true],
    ["always", "one real run", real, true],
    ["never", "no run", emptyManifest, false],
    ["never", "one real run", real, false],
  ])(
    `DEMO=%s with %s in ${where} never mixes real and synthetic runs`,
    async (mode, _, manifest, synthetic) => {
      const catalog = withDemo(catalogOf(manifest), mode, () => now);
      for (const answer of [await catalog.manifest(), await catalog.refresh()]) {
        expect(answer).toBe(synthetic ? demoManifest(now) : manifest);
        expect(isSynthetic(answer)).toBe(synthetic);
        expect(answer.runs.filter(({ source }) => (source === "demo-world") !== synthetic)).toEqual([]);
      }
    },
  );
}

it("the first real run replaces the demo world without a restart", async () => {
  let manifest: Manifest = emptyManifest;
  const catalog = withDemo({ manifest: () => manifest, refresh: () => manifest }, "auto", () => now);
  expect(isSynthetic(await catalog.manifest())).toBe(true);
  manifest = real;
  expect(await catalog.manifest()).toBe(real);
});
