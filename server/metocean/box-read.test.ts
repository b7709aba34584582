import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { mapRequest } from "#lib/contract/map2d.ts";
import type { Grid } from "#lib/field/grid.ts";
import { type DeflatedPart, gzipOf } from "#server/platform/gzip-parts.ts";
import {
  answerMap,
  archiveOf,
  ask,
  at,
  type Box,
  base,
  coarse,
  DAY,
  expectPointsToAgree,
  globe,
  HOUR,
  now,
  pacific,
  type Rows,
  read,
  wave,
  wind,
} from "#test/map2d.ts";
import { type MapSource, stepCache } from "./box-read.ts";

describe("a node's number is that of POST /MetOcean at the same place and time", () => {
  let source: MapSource;
  beforeAll(async () => {
    const root = mkdtempSync(join(tmpdir(), "map2d-"));
    source = await archiveOf([{ grid: globe, fields: [...wind, ...wave], hours: [0, 3, 6, 9, 12] }], root);
    return () => rmSync(root, { recursive: true });
  });

  it.each([
    ["the whole globe, on a step", {}],
    ["the whole globe, between steps (to exactly that instant)", { timestamp: at(4.25) }],
    ["a small box", { latitude: [10, 30], longitude: [-20, 5] }],
    [
      "a small box between steps, to the second",
      { latitude: [10, 30], longitude: [-20, 5], timestamp: "2026-01-01T07:11:13Z" },
    ],
    ["across the antimeridian", { latitude: [-40, 40], longitude: [100, -100], timestamp: at(5) }],
    ["the poles", { latitude: [86, 90], longitude: [-180, 180] }],
    ["the nearest node", { latitude: [10.9, 10.91], longitude: [3.1, 3.2], timestamp: at(1) }],
  ] as [string, Partial<Box>][])("%s", async (_, box) => {
    for (const variable of ["wind", "wave"] as const) {
      const answered = read(await ask(source, box, { variable }));
      const { valued, total } = await expectPointsToAgree(source, answered, variable);
      if (total > 100) expect(valued / total).toBeGreaterThan(0.4);
    }
  });

  it("a range has the native steps inside it, both ends included, and a list of timestamps", async () => {
    const box = { latitude: [0, 20], longitude: [170, -170] } as const;
    for (const [start, end, expected] of [
      [3, 9, [3, 6, 9]],
      [2.5, 9.5, [3, 6, 9]],
      [6, 6, [6]],
      [3.5, 5, [3.5, 5]],
      [4, 4, [4]],
      [5, 6, [6]],
    ] as const) {
      const answered = read(
        await ask(source, {
          ...box,
          latitude: [...box.latitude],
          longitude: [...box.longitude],
          timestamp: [at(start), at(end)],
        }),
      );
      expect(answered.coordinates.timestamp).toEqual(expected.map(at));
      await expectPointsToAgree(source, answered, "wind");
      for (const grid of Object.values(answered.conditions)) expect(grid).toHaveLength(expected.length);
    }
  });

  it("a request that is too large is refused with its size and how to split it, before anything is read", async () => {
    const values = 91 * 180 * 2;
    const unread: MapSource = {
      ...source,
      mapStep: () => Promise.reject(new Error("read")),
      valuesAt: () => {
        throw new Error("read");
      },
    };
    await expect(ask(unread, {}, {}, values - 1)).rejects.toThrow(
      `The box holds ${values} values (1 steps × 91 rows × 180 columns × 2 fields), and at most ${values - 1} are answered at once: ask for 2 boxes or less, or as a task`,
    );
    await expect(ask(unread, { timestamp: [at(0), at(12)] }, {}, 2 * values)).rejects.toThrow(
      "ranges of 1 steps or less",
    );
    await expect(ask(source, {}, {}, values)).resolves.toBeDefined();
  });

  it("outside the archive every number is null, on the archive's own nodes, and the request succeeds", async () => {
    const answer = await ask(
      source,
      { latitude: [0, 4], longitude: [0, 2], timestamp: at(40) },
      { include_meta: true },
    );
    const { coordinates, conditions } = read(answer);
    expect(coordinates).toEqual({ latitude: [0, 2, 4], longitude: [0, 2], timestamp: at(40) });
    expect(conditions.Winds_10m_Intensity).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(answer.meta?.nulls).toEqual([{ reason: "out_of_archive", points: 6 }]);
    const currents = read(
      await ask(source, { latitude: [0.2, 1.2], longitude: [0, 1] }, { variable: "current" }),
    );
    expect(currents.coordinates).toMatchObject({ latitude: [1], longitude: [0, 1] });
    expect(currents.conditions).toEqual({
      Currents_Direction: [[null, null]],
      Currents_Speed: [[null, null]],
    });
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
    const body = { latitude: [-90, 90], longitude: [-180, 180], timestamp: [at(0), at(12)] };
    const request = mapRequest.parse({ bounding_boxes: [body], variable: "wind" });
    const answer = answerMap(slow, request, now, { max: 1e7, instead: "" }, aborter.signal);
    await expect(answer).rejects.toThrow("gone");
    expect(reads).toBeLessThan(4);
  });
});

it("a cached field is written exactly as the first time, whole and in a range, and so are its neighbours", async () => {
  const fine: Grid = {
    latitude: { start: -90, step: 0.25, count: 721 },
    longitude: { start: -180, step: 0.5, count: 720 },
  };
  const archive = await archiveOf([{ grid: fine, fields: wind, hours: [0, 3] }]);
  const source = { ...archive, stepCache: stepCache(1e8) };
  const textOf = async (box: Partial<Box>) =>
    Buffer.concat([...(await ask(source, box)).results.pieces()]).toString();
  const expected = [await textOf({ timestamp: at(0) }), await textOf({ timestamp: [at(0), at(3)] })];
  for (const [i, timestamp] of [at(0), [at(0), at(3)] as [string, string]].entries()) {
    const { deflated } = (await ask(source, { timestamp })).results;
    expect(gunzipSync(await buffer(gzipOf(deflated!()))).toString()).toBe(expected[i]);
  }
  const mapStep = vi.fn(archive.mapStep);
  source.mapStep = mapStep;
  expect([await textOf({ timestamp: at(0) }), await textOf({ timestamp: [at(0), at(3)] })]).toEqual(expected);
  expect(mapStep).toHaveBeenCalledTimes(0);
  const { results } = await ask({ ...source, stepCache: undefined }, { timestamp: [at(0), at(3)] });
  expect([Buffer.concat([...results.pieces()]).toString(), results.deflated]).toEqual([
    expected[1],
    undefined,
  ]);
  await textOf({ timestamp: at(0), latitude: [-90, 89.9] });
  await textOf({ timestamp: at(1) });
  expect(mapStep).toHaveBeenCalledTimes(4 + 2 + 4);
});

describe("several runs in one answer", () => {
  it("a range across datasets is joined on the finest grid, and agrees with the points at every step", async () => {
    const source = await archiveOf([
      { grid: globe, fields: wind, hours: [-72, -66, -60, 0, 6] },
      { grid: coarse, fields: wind, hours: [-96, -84, -72, -60], dataset: "Hindcast-3M" },
    ]);
    // Five days before now lies between the two.
    expect(now - 5 * DAY).toBe(base - 72 * HOUR);
    const answer = await ask(
      source,
      { latitude: [-10, 10], longitude: [170, -170], timestamp: [at(-90), at(-61)] },
      { include_meta: true },
    );
    const answered = read(answer);
    expect(answered.coordinates.timestamp).toEqual([-84, -72, -66].map(at));
    expect(answered.coordinates.longitude.slice(0, 2)).toEqual([170, 172]);
    expect(answer.meta?.provenance.map(({ dataset }) => dataset)).toEqual(["Hindcast-3M", "Forecast"]);
    const { valued } = await expectPointsToAgree(source, answered, "wind");
    expect(valued).toBeGreaterThan(300);
  });

  it("a box partly inside a preferred regional grid has the wider one's nodes, each answered as a point is", async () => {
    const source = await archiveOf([
      { grid: globe, fields: wave, hours: [0, 6], source: "gfswave" },
      { grid: pacific, fields: wave, hours: [0, 3, 6], source: "cmems" },
    ]);
    const partly = read(
      await ask(source, { latitude: [-60, 60], longitude: [100, -100] }, { variable: "wave" }),
    );
    expect(partly.coordinates.longitude[1]! - partly.coordinates.longitude[0]!).toBe(2);
    expect((await expectPointsToAgree(source, partly, "wave")).valued).toBeGreaterThan(3000);

    const inside = read(
      await ask(
        source,
        { latitude: [-15, 15], longitude: [165, -165], timestamp: at(4) },
        { variable: "wave" },
      ),
    );
    expect(inside.coordinates.latitude).toHaveLength(91);
    expect(inside.coordinates.longitude).toHaveLength(91);
    await expectPointsToAgree(source, inside, "wave");
  });

  it("a regional archive answers a box that it covers in part with its own nodes, and one that it does not with null", async () => {
    const source = await archiveOf([{ grid: pacific, fields: wind, hours: [0, 6] }]);
    const partly = read(await ask(source, { latitude: [-10, 0], longitude: [-180, 180] }));
    expect(partly.coordinates.longitude).toHaveLength(121);
    expect(new Set(partly.coordinates.longitude).size).toBe(121);
    expect((await expectPointsToAgree(source, partly, "wind")).valued).toBeGreaterThan(3000);
    const outside = await ask(source, { latitude: [40, 42], longitude: [0, 2] }, { include_meta: true });
    expect(new Set((read(outside).conditions.Winds_10m_Intensity as Rows).flat())).toEqual(new Set([null]));
    expect(outside.meta?.nulls).toEqual([{ reason: "out_of_domain", points: 9 }]);
  });
});

const step = (values: number) => ({
  entries: [new Uint16Array(values / 2)],
  texts: [{ pieces: [new Uint8Array(values / 2), new Uint8Array(values / 2)] }],
});

const packedBytes = ({ blocks }: DeflatedPart) => blocks.reduce((sum, { length }) => sum + length, 0);

it("retains what was used last, within its budget", () => {
  const cache = stepCache(1000);
  const [a, b] = [step(200), step(200)];
  cache.set("a", a);
  cache.set("b", b);
  expect(cache.get("a")).toBe(a);
  cache.set("c", step(200));
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")).toBe(a);
});

it("compresses a cached text once, also for concurrent callers, and counts it", async () => {
  const cache = stepCache(10_000);
  const a = step(2000);
  cache.set("a", a);
  expect(cache.bytes).toBe(4000);
  const [one, other] = await Promise.all([cache.deflated(a.texts[0]!), cache.deflated(a.texts[0]!)]);
  expect(other).toBe(one);
  expect(await cache.deflated(a.texts[0]!)).toBe(one);
  expect(cache.bytes).toBe(4000 + packedBytes(one));
  const pieces: Uint8Array[] = [];
  for await (const piece of gzipOf([one])) pieces.push(piece);
  expect(gunzipSync(Buffer.concat(pieces))).toEqual(Buffer.alloc(2000));
});

it("the compressed form is evicted with its text, and evicts what was used before", async () => {
  const cache = stepCache(8000);
  const [a, b] = [step(2000), step(2000)];
  cache.set("a", a);
  cache.set("b", b);
  expect(cache.bytes).toBe(8000);
  const packed = await cache.deflated(b.texts[0]!);
  expect(cache.get("a")).toBeUndefined();
  expect(cache.bytes).toBe(4000 + packedBytes(packed));
  cache.set("c", step(2000));
  expect([cache.get("b"), cache.bytes]).toEqual([undefined, 4000]);
});
