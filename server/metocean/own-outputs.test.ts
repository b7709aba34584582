import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import { valueOfEntry } from "#lib/field/map-field.ts";
import { archiveOf, ask, at, base, expectPointsToAgree, globe, HOUR, now, read } from "#test/map2d.ts";
import { answerBox } from "./box.ts";
import { drawableManifest } from "./drawable.ts";
import { frameAt, frameCache } from "./frames.ts";
import { runsWith } from "./one-run.ts";
import { answerPoints } from "./points.ts";

const { signal } = new AbortController();

const height: FieldName = "sea_surface_wave_significant_height";

/** Heights of waves without their direction and period; swell without wind waves; one component of the current. */
const archive = () =>
  archiveOf([
    {
      grid: globe,
      fields: [height, "sea_surface_swell_wave_significant_height", "surface_eastward_sea_water_velocity"],
      hours: [0, 3, 6],
      source: "cmems",
    },
  ]);

it("points have the height of waves whose direction and period no run has, and say that these are missing", async () => {
  const source = await archive();
  const points = [-40, 0, 40].map((latitude) => ({ latitude, longitude: 10, timestamp: at(4) }));
  const request = pointRequest(9).parse({
    points,
    variables: ["wave", "extra_wave", "current"],
    include_meta: true,
  });
  const { results, meta } = await answerPoints(source, request, now, signal);
  for (const { conditions } of results)
    expect(conditions).toEqual({
      Waves_Mean_Direction: null,
      Waves_Significant_Height: expect.any(Number),
      Waves_Mean_Period: null,
      Swell_Mean_Direction: null,
      Swell_Significant_Height: expect.any(Number),
      Swell_Mean_Period: null,
      Windwaves_Mean_Direction: null,
      Windwaves_Significant_Height: null,
      Windwaves_Mean_Period: null,
      // A vector needs both components.
      Currents_Direction: null,
      Currents_Intensity: null,
    });
  expect(meta?.provenance.map(({ variable, source }) => [variable, source])).toEqual([
    ["wave", "cmems"],
    ["extra_wave", "cmems"],
  ]);
  expect(meta?.nulls).toEqual([
    { variable: "wave", reason: "missing", points: [0, 1, 2] },
    { variable: "extra_wave", reason: "missing", points: [0, 1, 2] },
    { variable: "current", reason: "out_of_archive", points: [0, 1, 2] },
  ]);
});

it("2D answers have the same numbers, at all native steps, and count what is missing", async () => {
  const source = await archive();
  const answer = await ask(source, { timestamp: [at(0), at(6)] }, { variable: "wave", include_meta: true });
  const nodes = globe.latitude.count * globe.longitude.count;
  expect(answer.field.times).toEqual([at(0), at(3), at(6)]);
  expect(answer.meta?.nulls).toEqual([{ reason: "missing", points: 3 * nodes }]);
  await expectPointsToAgree(source, read(answer), "wave");
});

it("boxes of several variables have them", async () => {
  const source = await archive();
  const box = { south: -10, north: 10, west: 0, east: 20 };
  const question = { box, variables: ["wave" as const], from: base, to: base + 6 * HOUR };
  const { field } = await answerBox(source, question, now, signal, {
    limit: { max: 1e6, instead: "" },
    include_meta: true,
  });
  const numbers = field.outputs.map(({ entries, decimals }) =>
    Array.from(entries, (entry) => valueOfEntry(entry, decimals)).filter((value) => !Number.isNaN(value)),
  );
  expect(numbers.map(({ length }) => length > 0)).toEqual([false, true, false]);
  expect(field.times).toHaveLength(3);
});

it("the map draws the heights, without directions", async () => {
  const source = await archive();
  const manifest = await source.manifest();
  const [run] = drawableManifest(manifest, "wave", now).runs;
  expect(run?.times).toEqual([at(0), at(3), at(6)]);
  const { dataset, id } = manifest.runs[0]!;
  const address = { dataset, run: id, variable: "wave", time: at(3), level: "1", chunk: "all" };
  const frames = { ...source, storedFrame: async () => undefined };
  const found = await frameAt(frames, frameCache(1e6), address, "br", signal);
  const { bands, values, perNode } = decodeFrame(brotliDecompressSync(found!.bytes));
  expect(bands[0]?.name).toBe(height);
  const band = (index: number) => values.filter((_, i) => i % perNode === index);
  expect(band(0).some((value) => value !== FILL)).toBe(true);
  expect([...band(1), ...band(2)].every((value) => value === FILL)).toBe(true);
});

it("a run with one output of a variable is among those of its EDR collection", async () => {
  const source = await archive();
  const manifest = await source.manifest();
  expect(runsWith(manifest, ["Forecast"], ["wave"])).toHaveLength(1);
  expect(runsWith(manifest, ["Forecast"], ["current"])).toEqual([]);
});
