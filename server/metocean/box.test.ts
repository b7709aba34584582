import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { fieldsOf } from "#lib/catalog/fields.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { valueOfEntry } from "#lib/field/map-field.ts";
import { archiveOf, base, coarse, globe, HOUR, now, pacific } from "#test/map2d.ts";
import { answerBox, planOfBox } from "./box.ts";
import { type BoxQuestion, MapTooLargeError } from "./box-plan.ts";
import type { MapSource } from "./box-read.ts";
import { answerPoints } from "./points.ts";

const { signal } = new AbortController();
const limit = { max: 1e8, instead: "in parts" };

const everywhere: BoxQuestion = {
  box: { south: -90, north: 90, west: -180, east: 180 },
  variables: ["wind"],
  from: base + 3 * HOUR,
  to: base + 3 * HOUR,
};

const moving = variableNames.filter((name) => !variable(name).static);
const fieldsOfAll = (names: readonly VariableName[]): FieldName[] => names.flatMap(fieldsOf);

/** Runs of several grids and steps, so that most variables have to be brought to the grid and the instants of another. */
let source: MapSource;
beforeAll(async () => {
  const sea: VariableName[] = ["wave", "extra_wave", "current", "sst"];
  const air = moving.filter((name) => !sea.includes(name));
  const root = mkdtempSync(join(tmpdir(), "box-"));
  const runs = [
    { grid: globe, fields: fieldsOfAll(air), hours: [0, 3, 6, 9, 12] },
    { grid: coarse, fields: fieldsOfAll(["wave", "extra_wave"]), hours: [0, 6, 12], source: "gfswave" },
    { grid: globe, fields: fieldsOfAll(["current", "sst"]), hours: [0, 1, 2, 12], source: "hycom" },
    { grid: pacific, fields: fieldsOfAll(["wave"]), hours: [0, 3, 6], source: "cmems" },
    {
      grid: coarse,
      fields: fieldsOfAll(["bathy"]),
      hours: [0],
      times: [0],
      source: "etopo",
      dataset: "Static",
    },
  ] as Parameters<typeof archiveOf>[0];
  source = await archiveOf(runs, root);
  return () => rmSync(root, { recursive: true });
});

/** Compares every node with POST /MetOcean's function. @returns How many numbers are not null. */
async function expectPointsToAgree(question: BoxQuestion): Promise<{ valued: number; total: number }> {
  const { field } = await answerBox(source, question, now, signal, { limit, include_meta: true });
  const { latitude, longitude, times, outputs } = field;
  const points = times.flatMap((timestamp) =>
    [...latitude].flatMap((lat) =>
      [...longitude].map((lon) => ({ latitude: lat, longitude: lon, timestamp })),
    ),
  );
  const request = pointRequest(1e7).parse({
    points,
    variables: question.variables,
    wind_height: question.windHeight,
  });
  const { results } = await answerPoints(source, request, now, signal);
  const rows = [...new Set(question.variables)].flatMap((name) => variable(name).outputs);
  expect(outputs.map(({ name }) => name)).toEqual(rows.map(({ map2d, point }) => map2d ?? point));
  let valued = 0;
  let differing = 0;
  for (const [i, { entries, decimals }] of outputs.entries())
    for (const [at, { conditions }] of results.entries()) {
      const value = valueOfEntry(entries[at]!, decimals);
      if (!Number.isNaN(value)) valued++;
      if (!Object.is(Number.isNaN(value) ? null : value, conditions[rows[i]!.point])) differing++;
    }
  expect(differing).toBe(0);
  return { valued, total: results.length * outputs.length };
}

describe("a node's number is that of POST /MetOcean at the same place and time", () => {
  it.each([
    ["all variables on the whole globe", { variables: variableNames }],
    [
      "all variables over a range across the antimeridian",
      {
        variables: variableNames,
        from: base,
        to: base + 12 * HOUR,
        box: { south: -20, north: 20, west: 150, east: -150 },
      },
    ],
    ["between steps, to the second", { variables: moving, from: base + 7777, to: base + 7777 }],
    ["every third node", { variables: moving, stride: 3 }],
    ["the wind at another height", { variables: ["wind"], windHeight: 65 }],
    [
      "the wind at another height, in a small box",
      { windHeight: 65, box: { south: 0, north: 9, west: 0, east: 9 } },
    ],
    ["the north pole", { variables: variableNames, box: { south: 88, north: 90, west: -180, east: 180 } }],
    [
      "the nearest node",
      { variables: variableNames, box: { south: 10.9, north: 10.91, west: 3.1, east: 3.2 } },
    ],
    ["what does not change with time", { variables: ["bathy"] }],
  ] as [string, Partial<BoxQuestion>][])("%s", async (_, part) => {
    const { valued, total } = await expectPointsToAgree({ ...everywhere, ...part });
    if (total > 100) expect(valued / total).toBeGreaterThan(0.3);
  });
});

describe("one grid and one set of instants for all variables", () => {
  const range = { from: base, to: base + 12 * HOUR };
  const timesOf = async (part: Partial<BoxQuestion>) => {
    const { times } = await planOfBox(source, { ...everywhere, ...range, ...part }, now, limit);
    return times.map((time) => (time - base) / HOUR);
  };

  it("has the native steps of all of them", async () => {
    expect(await timesOf({ variables: ["gust", "sst"] })).toEqual([0, 1, 2, 3, 6, 9, 12]);
  });

  it("has the multiples of a step in hours since midnight UTC", async () => {
    expect(await timesOf({ stepHours: 6, from: base + 1 })).toEqual([6, 12]);
    expect(await timesOf({ stepHours: 24, from: base + HOUR, to: base + 5 * HOUR })).toEqual([1, 5]);
  });

  it("has the finest grid, thinned evenly from the south-west node on", async () => {
    const question = { ...everywhere, variables: ["wave", "gust"] as VariableName[] };
    const whole = await planOfBox(source, question, now, limit);
    expect([whole.latitude.length, whole.longitude.length]).toEqual([91, 180]);
    const thin = await planOfBox(source, { ...question, stride: 4 }, now, limit);
    expect([...thin.latitude]).toEqual([...whole.latitude].filter((_, i) => i % 4 === 0));
    expect(thin.longitude[1]).toBe(whole.longitude[4]);
  });
});

it("says where the numbers of each variable come from, and refuses what is too large", async () => {
  const question: BoxQuestion = { ...everywhere, variables: ["wave", "gust"] };
  const { meta } = await answerBox(source, question, now, signal, { limit, include_meta: true });
  expect(meta!.provenance.map(({ variable, source }) => [variable, source])).toEqual(
    expect.arrayContaining([
      ["wave", "gfswave"],
      ["wave", "cmems"],
      ["gust", "gfs"],
    ]),
  );
  const small = { max: 1000, instead: "in parts" };
  await expect(planOfBox(source, question, now, small)).rejects.toThrow(MapTooLargeError);
  await expect(planOfBox(source, question, now, small)).rejects.toThrow(
    "The box holds 65520 values (1 steps × 91 rows × 180 columns × 4 fields)",
  );
});
