import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { formatInstant } from "#lib/time.ts";
import { openCatalog } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { readManifest } from "#server/archive/manifest.ts";
import { openReader } from "#server/archive/reader.ts";
import type { NewRun } from "#server/archive/writer.ts";
import { publish, randomSteps, temporaryFolder } from "#test/archive.ts";
import { ask as ask2d, at, base, coarse, HOUR, now, read, wind } from "#test/map2d.ts";
import { seeded } from "#test/seeded.ts";
import { drawableManifest } from "./drawable.ts";
import { frameAt, frameCache } from "./frames.ts";
import { answerPoints } from "./points.ts";

const { signal } = new AbortController();
/** The steps are hourly, then three-hourly, so that the step changes within a segment. */
const hours = [0, 1, 2, 3, 4, 5, 6, 9, 12, 15, 18];
const content = new Map(wind.map((name, i) => [name, randomSteps(coarse, hours.length, seeded(5 + i))]));

/** Publishes steps of the cycle, positions in `hours`, as one run. */
async function put(root: string, steps: readonly number[]) {
  const times = steps.map((step) => base + hours[step]! * HOUR);
  const run: NewRun = {
    dataset: "Forecast",
    source: "gfs",
    model: "T",
    referenceTime: base,
    grid: coarse,
    times,
  };
  const fields = [...content].map(([name, all]): [FieldName, Float32Array[]] => [
    name,
    steps.map((step) => all[step]!),
  ]);
  return publish(root, run, Object.fromEntries(fields));
}

function open(root: string) {
  const store = directoryStore(root);
  const reader = openReader(store, { cacheBytes: 16 * 2 ** 20 });
  return {
    ...openCatalog(store),
    valuesAt: reader.valuesAt.bind(reader),
    mapStep: reader.mapStep.bind(reader),
    storedFrame: async () => undefined,
  };
}

const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/**
 * Publishes the cycle in one run, and the same cycle in growing segments: first two steps, then the whole segment, then
 * the next ones.
 */
async function bothForms() {
  const [one, cut] = [temporaryFolder(), temporaryFolder()];
  await put(one, upTo(0, 10));
  await put(cut, [0, 1]);
  await put(cut, upTo(0, 4));
  await put(cut, upTo(4, 7));
  await put(cut, upTo(7, 10));
  return { one: open(one), cut: open(cut), root: cut };
}

it("answers a cycle in segments exactly as the cycle in one run: points, boxes, ranges, frames, the map's axis", async () => {
  const { one, cut, root } = await bothForms();
  expect((await readManifest(root)).runs.map(({ times }) => (times.at(-1)! - base) / HOUR)).toEqual([
    4, 9, 18,
  ]);

  // The points are every quarter of an hour: at steps, between them, and across both seams (4 h and 9 h).
  const points = upTo(0, 73).map((quarter) => ({
    latitude: 20.3,
    longitude: 4.8 * quarter - 179,
    timestamp: formatInstant(base + quarter * 900),
  }));
  const request = pointRequest(100).parse({ points, variables: ["wind"] });
  const [whole, pieces] = await Promise.all(
    [one, cut].map((source) => answerPoints(source, request, now, signal)),
  );
  expect(pieces!.results).toEqual(whole!.results);
  const values = whole!.results.flatMap(({ conditions }) => Object.values(conditions));
  expect(values.filter((value) => value !== null).length).toBeGreaterThan(100);

  const box = { latitude: [-30, 30] as [number, number], longitude: [170, -170] as [number, number] };
  for (const timestamp of [at(4), at(4.5), at(9), at(8.75), [at(0), at(18)], [at(3.5), at(9.5)]] as const) {
    const asked = { ...box, timestamp: timestamp as string | [string, string] };
    expect(read(await ask2d(cut, asked))).toEqual(read(await ask2d(one, asked)));
  }

  const [axis, cutAxis] = await Promise.all(
    [one, cut].map(async (source) => drawableManifest(await source.manifest(), "wind", now)),
  );
  expect([...new Set(cutAxis!.runs.flatMap(({ times }) => times))].sort()).toEqual(axis!.runs[0]!.times);
  const frame = async (source: typeof one, hour: number) => {
    const { runs } = drawableManifest(await source.manifest(), "wind", now);
    const run = runs.find(({ times }) => times.includes(at(hour)))!;
    const address = { ...run, variable: "wind", time: at(hour), level: "1", chunk: "all" };
    return (await frameAt(source, frameCache(1e6), address, undefined, signal))?.bytes;
  };
  for (const hour of [0, 4, 5, 9, 18]) expect(await frame(cut, hour)).toEqual(await frame(one, hour));
  expect((await frame(one, 4))?.length).toBeGreaterThan(1000);
});
