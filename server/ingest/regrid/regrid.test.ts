import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { coordinate } from "@open-metocean/geo/grid";
import { afterAll, describe, expect, it } from "vitest";
import { emptyCell, locateInside } from "#lib/field/interpolate.ts";
import { decodeStep } from "#server/ingest/decode-step.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { planRuns } from "#server/ingest/plan.ts";
import { compileOwnSource, ownSourceSchema } from "#server/ingest/sources/own-source.ts";
import { choice, grib, rule, type Source, scaled, unchanged } from "#server/ingest/sources/source.ts";
import { temporaryFolder } from "#test/archive.ts";

/** One grid of projected.grib2, with cdo's results for its three fields; see make_fixtures.py. */
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

describe("a field on the grid of a projection equals cdo's result, and its wind blows toward east and north", async () => {
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

/** Compares within 1e-4 of the range. On the very edge one of the two may find a point outside. */
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

/** The first three messages of the file, each with a change that uses the offsets of its sections. */
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

/** An operator's own source with some fields. */
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

it("treats directions of any code in an operator's own source as directions", async () => {
  const path = await changed((bytes, sections) => {
    bytes[6] = 10;
    bytes.set([0, 200], sections.get(4)! + 9);
    const packing = sections.get(5)!;
    expect(bytes[packing + 19]).toBe(16);
    // With reference value and scales 0 the codes are the values.
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

describe("components along the grid of any code in an operator's own source", () => {
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

  it("are refused where the other one is not known", async () => {
    expect(planRuns(ownSource({ eastward_wind_10m: component(200) }), await scanned())).toEqual([]);
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
