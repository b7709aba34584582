import { expect, it } from "vitest";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import { pointMeta, pointRequest } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { answerPoints } from "./points.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const DAY = 86_400;
const archive = demoArchive(now);

type Place = readonly [latitude: number, longitude: number, time: number];

async function ask(
  places: readonly Place[],
  variables: readonly VariableName[] = variableNames,
  { at = now, from = archive, ...body }: { at?: number; from?: typeof archive; [rule: string]: unknown } = {},
) {
  const points = places.map(([latitude, longitude, time]) => ({
    latitude,
    longitude,
    timestamp: formatInstant(time),
  }));
  const request = pointRequest(10_000).parse({ points, variables, ...body });
  return answerPoints(from, request, at, new AbortController().signal);
}

it("points are the same alone and among five thousand, in their order", async () => {
  const places = Array.from(
    { length: 5000 },
    (_, i): Place => [20 + i / 1000, -40 + i / 700, now + Math.floor((i * 3 * DAY) / 5000)],
  );
  const names = ["wind", "wave", "pressure", "bathy"] as const;
  const { results } = await ask(places, names, { include_meta: true });
  expect(results.map(({ coordinates }) => coordinates.timestamp)).toEqual(
    places.map(([, , time]) => formatInstant(time)),
  );
  for (const at of [0, 2047, 2048, 2049, 4095, 4096, 4999]) {
    expect((await ask([places[at]!], names)).results[0], `point ${at}`).toEqual(results[at]);
  }
});

it("the meta of five thousand points counts each once, wherever they were sliced", async () => {
  // Every fifth place is on land, and every seventh time is older than the forecast archive.
  const places = Array.from({ length: 5000 }, (_, i): Place => {
    const [latitude, longitude] = i % 5 === 0 ? [47, 10] : [31, -42];
    return [latitude!, longitude!, i % 7 === 0 ? now - 400 * DAY : now + i];
  });
  const { meta } = await ask(places, ["wind", "wave", "temp", "bathy"], { include_meta: true });
  expect(pointMeta.parse(meta)).toEqual(meta);
  for (const name of ["wind", "wave", "temp", "bathy"] as const) {
    const of = meta!.provenance.filter((one) => one.variable === name);
    expect(new Set(of.map(({ run }) => run)).size).toBe(of.length);
    const answered = of.reduce((sum, { points }) => sum + points, 0);
    expect(answered).toBe(name === "temp" ? places.length - Math.ceil(5000 / 7) : places.length);
    for (const { valid_times } of of) expect(valid_times).toEqual([...new Set(valid_times)].sort());
  }
  const fifth = [...places.keys()].filter((i) => i % 5 === 0);
  const seventh = [...places.keys()].filter((i) => i % 7 === 0);
  expect(meta!.nulls).toEqual(
    expect.arrayContaining([
      { variable: "wave", reason: "land", points: fifth },
      { variable: "bathy", reason: "land", points: fifth },
      { variable: "temp", reason: "out_of_archive", points: seventh },
    ]),
  );
  expect(meta!.nulls).toHaveLength(3);
});
