import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import type { Grid } from "@open-metocean/geo/grid";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type FieldName, fieldsOf } from "#lib/catalog/fields.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { gzipOf } from "#server/platform/gzip-parts.ts";
import {
  archiveOf,
  ask,
  at,
  type Box,
  base,
  coarse,
  DAY,
  everywhere,
  expectPointsToAgree,
  globe,
  HOUR,
  now,
  pacific,
  read,
  wave,
  wind,
} from "#test/map2d.ts";
import { answerBox, planOfBox } from "./box.ts";
import { type BoxQuestion, MapTooLargeError } from "./box-plan.ts";
import { type MapSource, stepCache } from "./box-read.ts";

const limit = { max: 1e8, instead: "in parts" };
const moving = variableNames.filter((name) => !variable(name).static);
const fieldsOfAll = (names: readonly VariableName[]): FieldName[] => names.flatMap(fieldsOf);
const sides = (south: number, north: number, west: number, east: number) => ({ south, north, west, east });
const during = (from: number, to = from) => ({ from: base + from * HOUR, to: base + to * HOUR });

/** Runs of several grids and steps, so that most variables have to be brought to the grid and the instants of another. */
let source: MapSource;
beforeAll(async () => {
  const sea: VariableName[] = ["wave", "extra_wave", "current", "sst"];
  const air = moving.filter((name) => !sea.includes(name));
  const bottom = { times: [0], source: "etopo", dataset: "Static" } as const;
  const root = mkdtempSync(join(tmpdir(), "box-"));
  source = await archiveOf(
    [
      { grid: globe, fields: fieldsOfAll(air), hours: [0, 3, 6, 9, 12] },
      { grid: coarse, fields: fieldsOfAll(["wave", "extra_wave"]), hours: [0, 6, 12], source: "gfswave" },
      { grid: globe, fields: fieldsOfAll(["current", "sst"]), hours: [0, 1, 2, 12], source: "hycom" },
      { grid: pacific, fields: fieldsOfAll(["wave"]), hours: [0, 3, 6], source: "cmems" },
      { grid: coarse, fields: fieldsOfAll(["bathy"]), hours: [0], ...bottom, times: [0] },
    ],
    root,
  );
  return () => rmSync(root, { recursive: true });
});

it.each<[string, Partial<BoxQuestion>]>([
  ["all variables on the whole globe", {}],
  ["a range across the antimeridian", { ...during(0, 12), box: sides(-20, 20, 150, -150) }],
  ["between steps, to the second", { variables: moving, from: base + 7777, to: base + 7777 }],
  ["a small box, to the second", { box: sides(10, 30, -20, 5), from: base + 25_873, to: base + 25_873 }],
  ["every third node", { variables: moving, stride: 3 }],
  ["the wind at another height", { variables: ["wind"], windHeight: 65 }],
  ["that in a small box", { variables: ["wind"], windHeight: 65, box: sides(0, 9, 0, 9) }],
  ["the north pole", { box: sides(88, 90, -180, 180) }],
  ["the nearest node", { box: sides(10.9, 10.91, 3.1, 3.2) }],
  ["what does not change with time", { variables: ["bathy"] }],
])("a node's number is that of POST /MetOcean at the same place and time: %s", async (_, part) => {
  const { valued, total } = await expectPointsToAgree(source, { variables: variableNames, ...part });
  if (total > 100) expect(valued / total).toBeGreaterThan(0.3);
});

describe("one grid and one set of instants for all variables", () => {
  const plan = (part: Partial<BoxQuestion>, max = limit.max) =>
    planOfBox(source, { ...everywhere, variables: ["wind"], ...part }, now, { ...limit, max });

  it.each<[string, Partial<BoxQuestion>, number[]]>([
    ["the native steps inside, both ends included", during(3, 9), [3, 6, 9]],
    ["those between two instants", during(2.5, 9.5), [3, 6, 9]],
    ["the ends, where there are none inside", during(3.5, 5), [3.5, 5]],
    ["one step", during(5, 6), [6]],
    ["the steps of all", { ...during(0, 12), variables: ["gust", "sst"] }, [0, 1, 2, 3, 6, 9, 12]],
    ["multiples of a step since midnight UTC", { ...during(1 / 3600, 12), stepHours: 6 }, [6, 12]],
    ["the ends where no multiple is inside", { ...during(1, 5), stepHours: 24 }, [1, 5]],
  ])("has %s", async (_, part, hours) => {
    expect((await plan(part)).times.map((time) => (time - base) / HOUR)).toEqual(hours);
  });

  it("has the finest grid, thinned evenly from the south-west node on", async () => {
    const variables: VariableName[] = ["wave", "gust"];
    const [whole, thin] = [await plan({ variables }), await plan({ variables, stride: 4 })];
    expect([whole.latitude.length, whole.longitude.length]).toEqual([91, 180]);
    expect([...thin.latitude]).toEqual([...whole.latitude].filter((_, i) => i % 4 === 0));
    expect(thin.longitude[1]).toBe(whole.longitude[4]);
  });

  it("is refused where it is too large, with its size and how to split it", async () => {
    const values = 91 * 180 * 2;
    await expect(plan({}, values - 1)).rejects.toThrow(MapTooLargeError);
    await expect(plan({}, values - 1)).rejects.toThrow(
      `The box holds ${values} values (1 steps × 91 rows × 180 columns × 2 fields), and at most ${values - 1} are answered at once: request 2 boxes or less`,
    );
    await expect(plan(during(0, 12), 2 * values)).rejects.toThrow("ranges of 1 steps or less");
    await expect(plan({}, values)).resolves.toBeDefined();
  });
});

it("outside the archive every number is null, on the archive's own nodes, and the meta says so", async () => {
  const variables: VariableName[] = ["wave", "gust"];
  const { meta } = await expectPointsToAgree(source, { variables });
  expect(meta.provenance.map(({ variable, source }) => [variable, source])).toEqual(
    expect.arrayContaining([
      ["wave", "gfswave"],
      ["wave", "cmems"],
      ["gust", "gfs"],
    ]),
  );
  const box: Partial<Box> = { latitude: [0, 4], longitude: [0, 2], timestamp: at(40) };
  const answer = await ask(source, box, { include_meta: true });
  const { coordinates, conditions } = read(answer);
  expect(coordinates).toEqual({ latitude: [0, 2, 4], longitude: [0, 2], timestamp: at(40) });
  expect(conditions.Winds_10m_Intensity).toEqual(Array(3).fill([null, null]));
  expect(answer.meta?.nulls).toEqual([{ reason: "out_of_archive", points: 6 }]);
});

it("stops reading when the client disconnects", async () => {
  const aborter = new AbortController();
  let reads = 0;
  const slow: MapSource = {
    ...source,
    mapStep: (...args) => {
      if (++reads === 2) aborter.abort(new Error("gone"));
      return source.mapStep(...args);
    },
  };
  const question: BoxQuestion = { ...everywhere, ...during(0, 12), variables: ["wind"] };
  const answer = answerBox(slow, question, now, aborter.signal, { limit, include_meta: false });
  await expect(answer).rejects.toThrow("gone");
  expect(reads).toBeLessThan(4);
});

it("a cached field is written exactly as the first time, whole and in a range, and so are its neighbours", async () => {
  const fine: Grid = {
    latitude: { start: -90, step: 0.25, count: 721 },
    longitude: { start: -180, step: 0.5, count: 720 },
  };
  const archive = await archiveOf([{ grid: fine, fields: wind, hours: [0, 3] }]);
  const cached = { ...archive, stepCache: stepCache(1e8) };
  const textOf = async (box: Partial<Box>) =>
    Buffer.concat([...(await ask(cached, box)).results.pieces()]).toString();
  const [one, range] = [at(0), [at(0), at(3)] as [string, string]];
  const expected = [await textOf({ timestamp: one }), await textOf({ timestamp: range })];
  for (const [i, timestamp] of [one, range].entries()) {
    const { deflated } = (await ask(cached, { timestamp })).results;
    expect(gunzipSync(await buffer(gzipOf(deflated!()))).toString()).toBe(expected[i]);
  }
  const mapStep = vi.fn(archive.mapStep);
  cached.mapStep = mapStep;
  expect([await textOf({ timestamp: one }), await textOf({ timestamp: range })]).toEqual(expected);
  expect(mapStep).toHaveBeenCalledTimes(0);
  const { results } = await ask({ ...cached, stepCache: undefined }, { timestamp: range });
  expect([Buffer.concat([...results.pieces()]).toString(), results.deflated]).toEqual([
    expected[1],
    undefined,
  ]);
});

describe("several runs in one answer", () => {
  it("a range across datasets is joined on the finest grid", async () => {
    const two = await archiveOf([
      { grid: globe, fields: wind, hours: [-72, -66, -60, 0, 6] },
      { grid: coarse, fields: wind, hours: [-96, -84, -72, -60], dataset: "Hindcast-3M" },
    ]);
    // Five days before now lies between the two.
    expect(now - 5 * DAY).toBe(base - 72 * HOUR);
    const box = sides(-10, 10, 170, -170);
    const asked = { variables: ["wind" as const], ...during(-90, -61), box };
    const { field, meta, valued } = await expectPointsToAgree(two, asked);
    expect(field.times).toEqual([-84, -72, -66].map(at));
    expect([...field.longitude.slice(0, 2)]).toEqual([170, 172]);
    expect(meta.provenance.map(({ dataset }) => dataset)).toEqual(["Hindcast-3M", "Forecast"]);
    expect(valued).toBeGreaterThan(300);
  });

  it("a box partly inside a preferred regional grid has the wider one's nodes", async () => {
    const two = await archiveOf([
      { grid: globe, fields: wave, hours: [0, 6], source: "gfswave" },
      { grid: pacific, fields: wave, hours: [0, 3, 6], source: "cmems" },
    ]);
    const variables: VariableName[] = ["wave"];
    const partly = await expectPointsToAgree(two, { variables, box: sides(-60, 60, 100, -100) });
    expect(partly.field.longitude[1]! - partly.field.longitude[0]!).toBe(2);
    expect(partly.valued).toBeGreaterThan(3000);
    const inside = await expectPointsToAgree(two, {
      variables,
      ...during(4),
      box: sides(-15, 15, 165, -165),
    });
    expect([inside.field.latitude.length, inside.field.longitude.length]).toEqual([91, 91]);
  });

  it("a regional archive answers a box that it covers in part with its own nodes, and one that it does not with null", async () => {
    const regional = await archiveOf([{ grid: pacific, fields: wind, hours: [0, 6] }]);
    const variables: VariableName[] = ["wind"];
    const partly = await expectPointsToAgree(regional, { variables, box: sides(-10, 0, -180, 180) });
    expect(new Set(partly.field.longitude).size).toBe(121);
    expect(partly.valued).toBeGreaterThan(3000);
    const outside = await expectPointsToAgree(regional, { variables, box: sides(40, 42, 0, 2) });
    expect(outside.valued).toBe(0);
    expect(outside.meta.nulls).toEqual([{ reason: "out_of_domain", points: 9 }]);
  });
});

it("cached steps and their compressed texts, made once for concurrent callers, stay within a budget", async () => {
  const step = () => ({
    entries: [new Uint16Array(1000)],
    texts: [{ pieces: [new Uint8Array(1000), new Uint8Array(1000)] }],
  });
  const cache = stepCache(8000);
  const [a, b] = [step(), step()];
  cache.set("a", a);
  cache.set("b", b);
  expect([cache.get("a"), cache.bytes]).toEqual([a, 8000]);
  const [one, other] = await Promise.all([cache.deflated(a.texts[0]!), cache.deflated(a.texts[0]!)]);
  expect(other).toBe(one);
  const packed = one.blocks.reduce((sum, { length }) => sum + length, 0);
  expect([cache.get("b"), cache.bytes]).toEqual([undefined, 4000 + packed]);
  expect(gunzipSync(await buffer(gzipOf([one])))).toEqual(Buffer.alloc(2000));
  cache.set("c", step());
  expect([cache.get("a"), cache.bytes]).toEqual([undefined, 4000]);
});
