import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import type { Catalog } from "#server/archive/catalog.ts";
import { emptyManifest } from "#server/archive/manifest.ts";
import type { Manifest } from "#server/archive/run.ts";
import { type DemoMode, withDemo } from "./demo-archive.ts";
import { demoManifest } from "./runs.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const real: Manifest = {
  version: 1,
  runs: [{ ...demoManifest(now).runs[0]!, id: "real", source: "etopo" }],
};

/** A catalog that answers at once, and one that answers later. */
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
    `DEMO=%s beside %s in ${where} never mixes real and invented runs`,
    async (mode, _, manifest, synthetic) => {
      const catalog = withDemo(catalogOf(manifest), mode, () => now);
      for (const answer of [await catalog.manifest(), await catalog.refresh()]) {
        expect(answer).toBe(synthetic ? demoManifest(now) : manifest);
        expect(answer.synthetic === true).toBe(synthetic);
        expect(answer.runs.filter(({ source }) => (source === "demo-world") !== synthetic)).toEqual([]);
      }
    },
  );
}

it("the first real run puts an end to the demo world, without a new start", async () => {
  let manifest: Manifest = emptyManifest;
  const catalog = withDemo({ manifest: () => manifest, refresh: () => manifest }, "auto", () => now);
  expect((await catalog.manifest()).synthetic).toBe(true);
  manifest = real;
  expect(await catalog.manifest()).toBe(real);
});
