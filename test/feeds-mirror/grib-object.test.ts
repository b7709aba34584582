import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readWgrib2Index } from "#server/ingest/grib2/index-readers.ts";
import { analyticValue } from "./analytic.ts";
import { gfsFields } from "./gfs-fields.ts";
import { gfsWaveFields } from "./gfs-wave-fields.ts";
import { type GribField, type GribFile, gribPieces, wgrib2Index } from "./grib-object.ts";
import { globe, nodesOf } from "./planet.ts";
import { asPublished } from "./published.ts";

const cycle = Date.UTC(2026, 8, 1, 6) / 1000;
const centre = { code: 7, tablesVersion: 2, localTablesVersion: 1, process: 96 };
const folder = mkdtempSync(join(tmpdir(), "mirror-"));
const script = fileURLToPath(new URL("./read-with-eccodes.py", import.meta.url));
const hasEccodes = spawnSync("/usr/bin/python3", ["-c", "import eccodes"]).status === 0;
const EVERY = 97;

afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (fields: readonly GribField[], packing?: "jpeg2000"): GribFile => ({
  key: `test-${fields[0]!.element}`,
  centre,
  grid: globe(2.5, 0),
  fields,
  packing,
});

interface FoundByEccodes {
  dataDate: number;
  dataTime: number;
  stepRange: string;
  places: [number, number][];
  values: (number | null)[];
}

function readWithEccodes(bytes: Uint8Array): FoundByEccodes[] {
  const path = join(folder, "file.grib2");
  writeFileSync(path, bytes);
  const { stdout, stderr, status } = spawnSync("/usr/bin/python3", [script, path, String(EVERY)], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as FoundByEccodes);
}

describe.each([
  ["GFS", gfsFields(cycle, 7), undefined],
  ["GFS-Wave", gfsWaveFields(cycle, 7), "jpeg2000" as const],
])("a file of %s", (_, fields, packing) => {
  it.skipIf(!hasEccodes)("has the values of the planet for eccodes (needs python3-eccodes)", () => {
    const file = fileOf(fields, packing);
    const nodes = nodesOf(file.grid);
    const found = readWithEccodes(Buffer.concat(gribPieces(file, asPublished).map((piece) => piece.bytes())));
    expect(found).toHaveLength(fields.length);
    for (const [i, { dataDate, dataTime, stepRange, values }] of found.entries()) {
      const field = fields[i]!;
      expect([dataDate, dataTime]).toEqual([20_260_901, 600]);
      expect(stepRange).toBe(field.window.split(" ")[0]);
      const wanted = field.values(nodes).filter((_, node) => node % EVERY === 0);
      const tolerance = 1.01 * 10 ** -field.decimals;
      for (const [j, value] of values.entries()) {
        expect(value === null).toBe(Number.isNaN(wanted[j]!));
        if (value !== null) expect(Math.abs(value - wanted[j]!)).toBeLessThan(tolerance);
      }
    }
  });

  it("has an index whose offsets are those of the messages", () => {
    const file = { ...fileOf(fields, packing), key: "index" };
    const entries = readWgrib2Index(new TextDecoder().decode(wgrib2Index(file, asPublished).bytes()));
    const pieces = gribPieces(file, asPublished);
    expect(entries).toHaveLength(fields.length);
    for (const [i, { length }] of entries.slice(0, -1).entries()) {
      const bytes = pieces[i]!.bytes();
      expect(length).toBe(bytes.length);
      expect(new TextDecoder("latin1").decode(bytes.subarray(-4))).toBe("7777");
    }
  });
});

it("names windows as NCEP does: they begin anew every six hours", () => {
  const words = (lead: number) =>
    gfsFields(cycle, lead)
      .filter(({ element }) => element === "PRATE" || element === "APCP")
      .map(({ window }) => window);
  expect(words(7)).toEqual(["7 hour fcst", "6-7 hour ave fcst", "6-7 hour acc fcst", "0-7 hour acc fcst"]);
  expect(words(24)).toEqual([
    "24 hour fcst",
    "18-24 hour ave fcst",
    "18-24 hour acc fcst",
    "0-1 day acc fcst",
  ]);
  expect(words(123)[1]).toBe("120-123 hour ave fcst");
  expect(words(0)).toEqual(["anl"]);
});

it("has an average of rain that is the mean of the rain over its window", () => {
  const rain = gfsFields(cycle, 6).filter(({ element }) => element === "PRATE")[1]!;
  const place = { latitudes: Float64Array.of(12.5), longitudes: Float64Array.of(77.5) };
  const minutes = Array.from({ length: 360 }, (_, minute) =>
    analyticValue("precipitation_flux", 12.5, 77.5, cycle + 60 * minute + 30),
  );
  const mean = minutes.reduce((sum, value) => sum + value) / minutes.length;
  expect(rain.values(place)[0]! * 3600).toBeCloseTo(mean, 4);
});

it("serves an object that was uploaded again in another order, with an index of its own", () => {
  const file = fileOf(gfsFields(cycle, 7));
  const offset = (revision: number) => {
    const text = new TextDecoder().decode(wgrib2Index(file, { ...asPublished, revision }).bytes());
    return readWgrib2Index(text).find(({ element }) => element === "PRMSL")!.offset;
  };
  expect(offset(0)).toBe(0);
  expect(offset(1)).toBeGreaterThan(0);
});
