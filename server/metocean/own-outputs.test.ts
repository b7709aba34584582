import { brotliDecompressSync } from "node:zlib";
import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import { archiveOf, at, base, expectPointsToAgree, globe, HOUR, now } from "#test/map2d.ts";
import { drawableManifest } from "./drawable.ts";
import { frameAt, frameCache } from "./frames.ts";
import { runsWith } from "./one-run.ts";
import { answerPoints } from "./points.ts";

const { signal } = new AbortController();
const height: FieldName = "sea_surface_wave_significant_height";

it("a run with heights of waves alone, and with one component of the current, answers with what it has", async () => {
  const fields: FieldName[] = [
    height,
    "sea_surface_swell_wave_significant_height",
    "surface_eastward_sea_water_velocity",
  ];
  const source = await archiveOf([{ grid: globe, fields, hours: [0, 3, 6], source: "cmems" }]);
  const points = [-40, 0, 40].map((latitude) => ({ latitude, longitude: 10, timestamp: at(4) }));
  const variables = ["wave", "extra_wave", "current"] as const;
  const request = pointRequest(9).parse({ points, variables, include_meta: true });
  const { results, meta } = await answerPoints(source, request, now, signal);
  for (const { conditions } of results) {
    const there = Object.keys(conditions).filter((name) => conditions[name] !== null);
    expect(there).toEqual(["Waves_Significant_Height", "Swell_Significant_Height"]);
  }
  expect(meta?.nulls).toEqual([
    { variable: "wave", reason: "missing", points: [0, 1, 2] },
    { variable: "extra_wave", reason: "missing", points: [0, 1, 2] },
    { variable: "current", reason: "out_of_archive", points: [0, 1, 2] },
  ]);

  const box = await expectPointsToAgree(source, { variables: ["wave"], from: base, to: base + 6 * HOUR });
  expect(box.field.times).toEqual([at(0), at(3), at(6)]);
  expect(box.meta.nulls).toMatchObject([{ reason: "missing", points: 3 * 91 * 180 }]);

  const manifest = await source.manifest();
  expect(drawableManifest(manifest, "wave", now).runs[0]?.times).toEqual(box.field.times);
  const { dataset, id } = manifest.runs[0]!;
  const address = { dataset, run: id, variable: "wave", time: at(3), level: "1", chunk: "all" };
  const frames = { ...source, storedFrame: async () => undefined };
  const found = await frameAt(frames, frameCache(1e6), address, "br", signal);
  const { bands, values, perNode } = decodeFrame(brotliDecompressSync(found!.bytes));
  const isDrawn = bands.map((_, band) => values.some((value, i) => i % perNode === band && value !== FILL));
  expect([bands[0]?.name, ...isDrawn]).toEqual([height, true, false, false]);
  expect(
    [["wave"], ["current"]].map((names) => runsWith(manifest, ["Forecast"], names as ["wave"]).length),
  ).toEqual([1, 0]);
});
