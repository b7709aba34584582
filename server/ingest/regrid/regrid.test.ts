import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { coordinate, normaliseLongitude, wraps } from "#lib/field/grid.ts";
import { emptyCell, locateInside } from "#lib/field/interpolate.ts";
import { decodeStep } from "#server/ingest/decode-step.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { planRuns } from "#server/ingest/plan.ts";
import { compileOwnSource, ownSourceSchema } from "#server/ingest/sources/own-source.ts";
import { choice, grib, rule, type Source, scaled, unchanged } from "#server/ingest/sources/source.ts";
import { temporaryFolder } from "#test/archive.ts";
import { polarStereographic, rotatedPole } from "./projection.ts";
import {
  locateInCells,
  type NodeGrid,
  regrid,
  regridDirections,
  regularGridFor,
  turnToEarth,
} from "./regrid.ts";

/** One grid of projected.grib2, and what cdo makes of its three fields: see make_fixtures.py. */
interface Case {
  name: string;
  grid: [west: number, south: number, stepEast: number, stepNorth: number, columns: number, rows: number];
  /** Float32, little-endian, deflated, base64; NaN outside. */
  values: [temperature: string, east: string, north: string];
}

const fixtures = new URL("./fixtures/", import.meta.url);
const cases: Case[] = JSON.parse(readFileSync(new URL("oracle.json", fixtures), "utf8"));
const file = fileURLToPath(new URL("projected.grib2", fixtures));
const decoder = createDecoder();
afterAll(() => decoder.close());
const { signal } = new AbortController();

const height = (value: number) => ({ type: 103, value, words: "" });
const source: Source = {
  name: "regional",
  title: "",
  dataset: "Forecast",
  model: () => "Regional",
  rules: [
    rule("air_temperature", choice([grib({ codes: [0, 0, 0], element: "" }, height(2))], scaled(1, -273.15))),
    rule("eastward_wind_10m", choice([grib({ codes: [0, 2, 2], element: "" }, height(10))], unchanged)),
    rule("northward_wind_10m", choice([grib({ codes: [0, 2, 3], element: "" }, height(10))], unchanged)),
  ],
};

describe("a field on the grid of a projection is what cdo makes of it, and its wind blows toward east and north", async () => {
  const { records, rejected } = await decoder.scan(file);
  expect(rejected).toEqual([]);

  it.each(cases.map((one, index) => ({ ...one, index })))("$name", async ({ grid, values, index }) => {
    const { latitude, longitude } = records[3 * index]!.grid;
    const found = [
      longitude.start,
      latitude.start,
      longitude.step,
      latitude.step,
      longitude.count,
      latitude.count,
    ];
    for (const [i, value] of found.entries()) expect(value).toBeCloseTo(grid[i]!, 9);
    const [run] = planRuns(source, records.slice(3 * index, 3 * index + 3));
    expect(run!.fields).toHaveLength(3);
    for (const [field, { name, steps }] of run!.fields.entries()) {
      const inflated = inflateSync(Buffer.from(values[field]!, "base64"));
      const expected = new Float32Array(inflated.buffer, inflated.byteOffset, inflated.length / 4);
      const inUnit = name === "air_temperature" ? expected.map((value) => value - 273.15) : expected;
      expectSame(await decodeStep(decoder, name, steps[0]!, signal), inUnit);
    }
  });
});

/** Within 1e-4 of the range; on the very edge one of the two may find a point outside. */
function expectSame(values: Float32Array, expected: Float32Array): void {
  const known = expected.filter((value) => !Number.isNaN(value));
  const range = Math.max(...known) - Math.min(...known);
  expect(known.length).toBeGreaterThan(0.5 * expected.length);
  let worst = 0;
  let differ = 0;
  values.forEach((value, i) => {
    const right = expected[i]!;
    if (Number.isNaN(value) !== Number.isNaN(right)) differ++;
    else if (!Number.isNaN(right)) worst = Math.max(worst, Math.abs(value - right) / range);
  });
  expect(values.length).toBe(expected.length);
  expect(differ).toBeLessThan(0.005 * expected.length);
  expect(worst).toBeLessThan(1e-4);
}

/** The first three messages of the file, with a change to each, by the offsets of its sections. */
async function changed(
  change: (bytes: Buffer, sections: Map<number, number>, message: number) => void,
): Promise<string> {
  const all = Buffer.from(readFileSync(file));
  let start = 0;
  for (let message = 0; message < 3; message++) {
    const length = Number(all.readBigUInt64BE(start + 8));
    const bytes = all.subarray(start, start + length);
    const sections = new Map<number, number>();
    for (let at = 16; at < length - 4; at += bytes.readUInt32BE(at)) sections.set(bytes[at + 4]!, at);
    change(bytes, sections, message);
    start += length;
  }
  const path = join(await temporaryFolder(), "changed.grib2");
  writeFileSync(path, all.subarray(0, start));
  return path;
}

/** A source of one's own with some fields. */
const ownSource = (fields: Record<string, unknown>) =>
  compileOwnSource(
    ownSourceSchema.parse({
      name: "own",
      credit: "own",
      cycles: { every: 6 },
      delay: { first: 1, whole: 2 },
      leads: [6],
      mirrors: [{ base: "/data/own" }],
      files: "{FFF}",
      fields,
    }),
    () => undefined,
  ).source;

it("takes directions of any code of one's own source for directions", async () => {
  const path = await changed((bytes, sections) => {
    bytes[6] = 10;
    bytes.set([0, 200], sections.get(4)! + 9);
    const packing = sections.get(5)!;
    expect(bytes[packing + 19]).toBe(16);
    // Reference value and scales 0: the codes are the values.
    bytes.fill(0, packing + 11, packing + 19);
    const values = sections.get(7)! + 5;
    for (let i = 0; i < bytes.readUInt32BE(packing + 5); i++)
      bytes.writeUInt16BE(i % 2 ? 350 : 10, values + 2 * i);
  });
  const { records } = await decoder.scan(path);
  const field = { grib: [10, 0, 200], level: [103, 2], units: "degree", sense: "from" };
  const [run] = planRuns(ownSource({ sea_surface_wave_from_direction: field }), records);
  const north = run!.fields.find(({ name }) => name === "sea_surface_wave_from_direction_y")!;
  const values = await decodeStep(decoder, north.name, north.steps[0]!, signal);
  const known = values.filter((value) => !Number.isNaN(value));
  expect(known.length).toBeGreaterThan(1000);
  expect(Math.min(...known)).toBeGreaterThan(0.98);
});

describe("components along the grid of any code of one's own source", () => {
  const scanned = async () => {
    const path = await changed((bytes, sections, message) => {
      if (message > 0) bytes.set([2, 199 + message], sections.get(4)! + 9);
    });
    return (await decoder.scan(path)).records;
  };
  const component = (code: number) => ({ grib: [0, 2, code], level: [103, 10], units: "m s-1" });

  it("are turned toward east and north", async () => {
    const both = { eastward_wind_10m: component(200), northward_wind_10m: component(201) };
    const [run] = planRuns(ownSource(both), await scanned());
    expect(run!.fields).toHaveLength(2);
    for (const [index, { name, steps }] of run!.fields.entries()) {
      const bytes = inflateSync(Buffer.from(cases[0]!.values[index + 1]!, "base64"));
      const expected = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
      expectSame(await decodeStep(decoder, name, steps[0]!, signal), expected);
    }
  });

  it("are not taken where the other one is not known", async () => {
    expect(planRuns(ownSource({ eastward_wind_10m: component(200) }), await scanned())).toEqual([]);
  });
});

/** Nodes at whole degrees from a corner on. */
function nodesFrom(west: number, south: number, columns: number, rows: number): NodeGrid {
  const at = (column: number, row: number) => [normaliseLongitude(west + column), south + row] as const;
  return { columns, rows, key: "", eccentricity2: 0, at };
}

it("keeps values beside missing ones as far as half of the weight is there, and none outside", () => {
  const grid = {
    latitude: { start: 0, step: 0.25, count: 5 },
    longitude: { start: 179, step: 0.25, count: 6 },
  };
  const positions = locateInCells(nodesFrom(179, 0, 2, 2), grid);
  const row = regrid(Float32Array.of(1, Number.NaN, 1, Number.NaN), positions).subarray(0, 6);
  expect([...row]).toEqual([1, 1, 1, Number.NaN, Number.NaN, Number.NaN]);
});

it("takes the mean of directions across north", () => {
  const grid = { latitude: { start: 0, step: 1, count: 2 }, longitude: { start: 0.5, step: 1, count: 2 } };
  const positions = locateInCells(nodesFrom(0, 0, 3, 2), grid);
  const [first] = regridDirections(Float32Array.of(350, 20, 0, 350, 20, 0), positions);
  expect(first).toBeCloseTo(5, 3);
});

it("covers all longitudes where a pole is inside", () => {
  const radians = Math.PI / 180;
  const nodes: NodeGrid = {
    ...nodesFrom(0, 0, 41, 41),
    at: (column, row) => [
      Math.atan2(column - 20, 20 - row) / radians,
      90 - Math.hypot(column - 20, row - 20),
    ],
  };
  const grid = regularGridFor(nodes)!;
  expect(grid.longitude.start).toBe(-180);
  expect(grid.longitude.step * grid.longitude.count).toBeCloseTo(360, 9);
  expect(grid.latitude.start + grid.latitude.step * grid.latitude.count).toBeGreaterThan(90);
  const values = regrid(new Float32Array(41 * 41).fill(7), locateInCells(nodes, grid));
  const at = (latitude: number) => {
    const row = Math.round((latitude - grid.latitude.start) / grid.latitude.step);
    return values.subarray(row * grid.longitude.count, (row + 1) * grid.longitude.count);
  };
  expect([...at(80)].every((value) => value === 7)).toBe(true);
});

const earth = { radius: 6_371_200, eccentricity: 0 };

/** The box of a grid: south, north, and whether it has all longitudes. */
function boxOf(nodes: NodeGrid) {
  const { latitude, longitude } = regularGridFor(nodes)!;
  return {
    south: latitude.start,
    north: latitude.start + latitude.step * (latitude.count - 1),
    isGlobal: wraps(longitude),
  };
}

it("finds the pole of a hemispheric grid that reaches past the equator (NCEP's grid 27)", () => {
  const projection = polarStereographic(earth, -80, 60);
  const [x, y] = projection.toPlane(-125, -20.826);
  const box = boxOf({
    ...nodesFrom(0, 0, 65, 65),
    at: (column, row) => projection.toEarth(x + column * 381_000, y + row * 381_000),
  });
  expect(box.isGlobal).toBe(true);
  expect(box.north).toBeGreaterThan(86);
  expect(box.south).toBeGreaterThan(-21);
  expect(box.south).toBeLessThan(-17);
});

/** A grid of whole degrees on a globe whose south pole lies at 10° E, 35° S. */
function rotated(west: number, south: number, columns: number, rows: number): NodeGrid {
  const { toEarth } = rotatedPole([10, -35]);
  return {
    ...nodesFrom(0, 0, columns, rows),
    at: (column, row) => toEarth(west + column, south + row),
  };
}

it("finds both poles in a rotated grid", () => {
  expect(boxOf(rotated(-180, -90, 360, 181))).toEqual({ south: -90, north: 90, isGlobal: true });
  // The south pole is at −35° of the rotated meridian 180.
  const { south, north, isGlobal } = boxOf(rotated(160, -55, 41, 41));
  expect(isGlobal).toBe(true);
  expect(south).toBeLessThan(-89);
  expect(north).toBeLessThan(-60);
});

describe("the seam of a grid that goes around the globe is closed", () => {
  const ring = (west: number, step: number, columns: number): NodeGrid => ({
    ...nodesFrom(0, 0, columns, 21),
    at: (column, row) => [normaliseLongitude(west + column * step), row - 10],
  });
  it.each([
    { name: "of whole degrees from 0.5", nodes: ring(0.5, 1, 360) },
    { name: "of half degrees from the middle of the Pacific", nodes: ring(74.16, 0.5, 720) },
    { name: "rotated", nodes: rotated(-180, -90, 360, 181) },
  ])("$name", ({ nodes }) => {
    const grid = regularGridFor(nodes)!;
    expect(wraps(grid.longitude)).toBe(true);
    expect(grid.longitude.count).toBe(nodes.columns);
    const { columns, rows } = nodes;
    const radians = Math.PI / 180;
    const wave = Float32Array.from({ length: columns * rows }, (_, index) => {
      const [x, y] = nodes.at(index % columns, Math.floor(index / columns));
      return Math.cos(x * radians) * Math.cos(y * radians);
    });
    const values = regrid(wave, locateInCells(nodes, grid));
    for (const [index, value] of values.entries()) {
      const y = grid.latitude.start + grid.latitude.step * Math.floor(index / grid.longitude.count);
      // The cell around a pole is left out.
      if (Math.abs(y) > 87) continue;
      const x = grid.longitude.start + grid.longitude.step * (index % grid.longitude.count);
      // The rotated poles are left out too.
      if ((x === 10 && y === -35) || (x === -170 && y === 35)) continue;
      expect(Math.abs(value - Math.cos(x * radians) * Math.cos(y * radians))).toBeLessThan(2e-3);
    }
  });
});

it.each([
  ["0", 0],
  ["−1", -1],
])("leaves out cells with placeholders for coordinates: %s", (_, placeholder) => {
  const real = nodesFrom(10, 50, 41, 41);
  const isOmitted = (column: number, row: number) => column >= 10 && column < 20 && row >= 10 && row < 20;
  const nodes: NodeGrid = {
    ...real,
    at: (column, row) => (isOmitted(column, row) ? [placeholder, placeholder] : real.at(column, row)),
  };
  const grid = {
    latitude: { start: 0, step: 0.5, count: 181 },
    longitude: { start: 0, step: 0.5, count: 121 },
  };
  const longitudes = Float32Array.from({ length: 41 * 41 }, (_, index) => 10 + (index % 41));
  const values = regrid(longitudes, locateInCells(nodes, grid));
  let known = 0;
  for (const [index, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    known++;
    expect(value).toBeCloseTo(0.5 * (index % 121), 3);
  }
  expect(known).toBe(81 * 81 - 21 * 21);
  // In the middle too they say nothing of the spacing.
  const inMiddle = (column: number, row: number) => Math.abs(column - 20) < 5 && Math.abs(row - 20) < 5;
  const { latitude } = regularGridFor({
    ...real,
    at: (column, row) => (inMiddle(column, row) ? [placeholder, placeholder] : real.at(column, row)),
  })!;
  expect(latitude).toEqual({ start: 50, step: 1, count: 41 });
});

describe("turns components along the grid", () => {
  it("beside the pole as far from it", () => {
    const upright = 20;
    const projection = polarStereographic(earth, upright, 60);
    // The pole is in the middle of a cell.
    const nodes: NodeGrid = {
      ...nodesFrom(0, 0, 12, 12),
      at: (column, row) => projection.toEarth((column - 5.5) * 25_000, (row - 5.5) * 25_000),
    };
    const [u, v] = [new Float32Array(144).fill(1), new Float32Array(144)];
    const east = turnToEarth(u, v, nodes, "east");
    const north = turnToEarth(u, v, nodes, "north");
    for (let index = 0; index < 144; index++) {
      const angle = ((upright - nodes.at(index % 12, Math.floor(index / 12))[0]) * Math.PI) / 180;
      expect(east[index]).toBeCloseTo(Math.cos(angle), 3);
      expect(north[index]).toBeCloseTo(Math.sin(angle), 3);
    }
  });
});

it("the outline of a projected grid has values inside, and none a cell beyond it", async () => {
  const { records } = await decoder.scan(file);
  let compared = 0;
  for (const record of records.filter(({ grid }) => grid.outline)) {
    const { latitude, longitude } = record.grid;
    const values = await decoder.decode(record);
    const cell = emptyCell();
    let [wrong, lost, valued] = [0, 0, 0];
    for (let row = 0; row + 1 < latitude.count; row++)
      for (let column = 0; column + 1 < longitude.count; column++) {
        const middle = [coordinate(latitude, row + 0.5), coordinate(longitude, column + 0.5)] as const;
        const corners = [0, 1, longitude.count, longitude.count + 1].map(
          (offset) => values[row * longitude.count + column + offset]!,
        );
        const isWhole = !corners.some(Number.isNaN);
        const isInside = locateInside(record.grid, ...middle, cell) !== undefined;
        if (isInside && !isWhole) wrong++;
        if (isWhole) valued++;
        if (isWhole && !isInside) lost++;
      }
    expect(valued).toBeGreaterThan(100);
    expect([wrong / valued, lost / valued].map((share) => share < 0.01)).toEqual([true, true]);
    compared++;
  }
  expect(compared).toBeGreaterThan(3);
});
