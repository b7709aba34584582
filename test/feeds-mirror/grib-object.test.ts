import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { gfsFields } from "./gfs-fields.ts";
import { gfsWaveFields } from "./gfs-wave-fields.ts";
import { type GribField, type GribFile, gribPieces } from "./grib-object.ts";
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
});
