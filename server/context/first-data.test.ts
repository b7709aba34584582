import { expect, it } from "vitest";
import type { VariableName } from "#lib/catalog/variables.ts";
import { emptyManifest } from "#server/archive/manifest.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { firstData } from "./first-data.ts";

const { runs } = demoManifest(1_800_000_000);
const depths = { ...emptyManifest, runs: runs.filter(({ dataset }) => dataset === "Static") };
const forecast = { ...emptyManifest, runs: runs.filter(({ dataset }) => dataset === "Forecast") };

it.each<[string, VariableName[], typeof depths, boolean]>([
  ["nothing", ["wind", "bathy"], emptyManifest, false],
  ["depths alone", ["wind", "bathy"], depths, false],
  ["a forecast", ["wind", "bathy"], forecast, true],
  ["nothing, of feeds that bring depths alone,", ["bathy"], emptyManifest, true],
  ["nothing, without feeds of fields,", [], emptyManifest, true],
])("an archive with %s", async (_, brought, manifest, answers) => {
  const ensureData = firstData({ manifest: () => manifest }, new Set(brought));
  if (answers) await ensureData();
  else await expect(ensureData()).rejects.toThrow(/^No data yet/);
});
