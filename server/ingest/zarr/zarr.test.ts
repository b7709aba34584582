import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { createDecoder, DecodeError } from "#server/ingest/decoder.ts";
import { smoc } from "#server/ingest/publishers/smoc/publisher.ts";
import { matches } from "#server/ingest/sources/source.ts";
import { ingestForTest, removeScratch, scratch, storedStep } from "#test/ingest.ts";
import { seeded } from "#test/seeded.ts";
import { openZarrStore, zarrTimes } from "./zarr-store.ts";

const fixtures = join(import.meta.dirname, "fixtures");

function json<Content>(name: string): Content {
  return JSON.parse(readFileSync(join(fixtures, name), "utf8")) as Content;
}

/** Values computed by NumPy, by array and step. */
const oracle = json<Record<string, Record<string, (number | null)[]>>>("oracle.json");
const first = Date.UTC(2026, 10, 23) / 1000;

const decoder = createDecoder();
afterAll(() => decoder.close());
afterAll(removeScratch);

/** Creates a folder with the chunks of a fixture, after a change of them. */
async function fetched(
  change: (keys: Map<string, Uint8Array>) => void = () => {},
  name: "smoc" | "waves" = "smoc",
): Promise<string> {
  const folder = join(await scratch(), `${name}.zarr`);
  const keys = new Map(
    Object.entries(json<Record<string, string>>(`${name}.zarr.json`)).map(([key, text]) => [
      key,
      new Uint8Array(Buffer.from(text, "base64")),
    ]),
  );
  change(keys);
  for (const [key, bytes] of keys) {
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), bytes);
  }
  return folder;
}

async function recordOf(folder: string, name: string, step: number) {
  const { records } = await decoder.scan(folder);
  const found = records.find(
    (record) => record.kind === "netcdf" && record.variable === name && record.step === step,
  );
  if (!found) throw new Error(`${name} has no step ${step}`);
  return found;
}

describe("a part of a Zarr v2 store, written by zarr-python", () => {
  it("lists the steps of which chunks were fetched, with CF times, and nothing of other arrays", async () => {
    const { records, rejected } = await decoder.scan(await fetched());
    const listed = records.map((record) =>
      record.kind === "netcdf" ? [record.variable, (record.validTime - first) / 3600, record.level] : [],
    );
    expect(listed.sort()).toEqual([
      ["VHM0", 3, undefined],
      // Its time is a scalar coordinate.
      ["VHM0_WW", 3, undefined],
      ["utotal", 3, expect.closeTo(-0.494, 4)],
      ["utotal", 4, expect.closeTo(-0.494, 4)],
      ["vtotal", 3, expect.closeTo(-0.494, 4)],
      ["vtotal", 4, expect.closeTo(-0.494, 4)],
    ]);
    expect(rejected).toEqual([]);
    expect(
      records.every((record) => smoc.source.rules.length > 0 && record.grid.longitude.start === -180),
    ).toBe(true);
  });

  it.each([
    ["utotal", 3],
    ["utotal", 4],
    ["vtotal", 3],
    ["VHM0", 3],
  ])("decodes %s at step %i: chunks, fill value, scale and offset", async (name, step) => {
    const folder = await fetched();
    const values = await decoder.decode(await recordOf(folder, name, step));
    const expected = oracle[name]![step]!;
    expect(values).toHaveLength(expected.length);
    for (const [cell, value] of expected.entries()) {
      if (value === null) expect(values[cell], `cell ${cell}`).toBeNaN();
      else expect(values[cell], `cell ${cell}`).toBeCloseTo(value, 5);
    }
    expect(expected.filter((value) => value === null).length).toBeGreaterThan(0);
  });

  it("rejects a step of which a chunk was not fetched, rather than leaving a hole", async () => {
    const folder = await fetched();
    const record = await recordOf(folder, "vtotal", 4);
    await expect(decoder.decode(record)).rejects.toThrow("the chunk vtotal/4.0.1.1 was not fetched");
  });

  it("rejects metadata that is not JSON, and arrays that would be larger than memory", async () => {
    const broken = await fetched((keys) => keys.set(".zmetadata", new TextEncoder().encode("<html>")));
    await expect(decoder.scan(broken)).rejects.toThrow("the Zarr store has no readable .zmetadata");
    const hostile = await fetched((keys) => {
      const text = new TextDecoder().decode(keys.get(".zmetadata"));
      const metadata = JSON.parse(text) as { metadata: Record<string, { chunks: number[] }> };
      metadata.metadata["utotal/.zarray"]!.chunks = [1, 1, 1e6, 1e6];
      keys.set(".zmetadata", new TextEncoder().encode(JSON.stringify(metadata)));
      keys.set("utotal/3.0.0.0", keys.get("utotal/3.0.0.0")!);
    });
    const record = await recordOf(hostile, "utotal", 3);
    await expect(decoder.decode(record)).rejects.toThrow(/more than the 2048 MiB allowed/);
  });

  it("has the whole time axis before any data is fetched", async () => {
    const folder = await fetched();
    await rm(join(folder, "utotal"), { recursive: true });
    expect(await zarrTimes(folder)).toEqual(Array.from({ length: 6 }, (_, step) => first + step * 3600));
    expect(await readFile(join(folder, ".zmetadata"), "utf8")).toContain("utotal");
  });
});

it("answers any damage with an error or with a whole grid, and the decoder continues", async () => {
  const random = seeded(4);
  let refused = 0;
  for (let round = 0; round < 40; round++) {
    const folder = await fetched((keys) => {
      const names = [...keys.keys()].filter((key) => /^(\.zmetadata|time|latitude|utotal\/3)/.test(key));
      const bytes = keys.get(names[Math.floor(random() * names.length)]!)!;
      for (let flip = 0; flip < 3; flip++) bytes[Math.floor(random() * bytes.length)] = random() * 256;
    });
    try {
      const values = await decoder.decode(await recordOf(folder, "utotal", 3));
      expect(values).toHaveLength(17 * 36);
    } catch (error) {
      // Damaged metadata may remove the step.
      if (String(error) !== "Error: utotal has no step 3") expect(error).toBeInstanceOf(DecodeError);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(5);
  expect(await decoder.decode(await recordOf(await fetched(), "utotal", 3))).toHaveLength(17 * 36);
});

it("a store is ingested as one file of its folder", async () => {
  const archive = await scratch();
  const folder = await fetched((keys) => {
    for (const key of keys.keys()) if (/^vtotal\/4|^utotal\/4/.test(key)) keys.delete(key);
  });
  const { runs } = await ingestForTest(archive, decoder, "smoc", dirname(folder));
  expect(runs).toHaveLength(1);
  const run = runs[0]!;
  expect(run).toMatchObject({ model: "Copernicus SMOC 5°", times: [first + 3 * 3600] });
  const values = await storedStep(archive, run, "surface_northward_sea_water_velocity", 0);
  for (const [cell, value] of oracle.vtotal!["3"]!.entries()) {
    if (value === null) expect(values[cell]).toBeNaN();
    else expect(values[cell]).toBeCloseTo(value, 2);
  }
  expect(matches(smoc.source.rules[0]!.choices[0]!.needs[0]!, await recordOf(folder, "utotal", 3))).toBe(
    true,
  );
});

it("converts waves of a store to the archive's fields: one height, period and direction for both swells, and no wind sea where there is none", async () => {
  const archive = await scratch();
  const folder = await fetched(undefined, "waves");
  const { runs } = await ingestForTest(archive, decoder, "cmemswave", dirname(folder));
  expect(runs).toHaveLength(1);
  const run = runs[0]!;
  expect(run).toMatchObject({ model: "Copernicus MFWAM 5°", times: [first + 6 * 3600] });
  const expected = json<Record<FieldName, (number | null)[]>>("waves.json");
  expect(Object.keys(run.fields).sort()).toEqual(Object.keys(expected).sort());
  for (const [name, values] of Object.entries(expected) as [FieldName, (number | null)[]][]) {
    const stored = await storedStep(archive, run, name, 0);
    const wrong = values.filter((value, cell) =>
      value === null
        ? !Number.isNaN(stored[cell])
        : !(Math.abs(stored[cell]! - value) <= fields[name].scale / 2 + 1e-4),
    );
    expect(wrong, name).toEqual([]);
  }
  expect(
    expected.sea_surface_wind_wave_significant_height.filter((value) => value === null).length,
  ).toBeGreaterThan(200);
});

it("reports a store of version 3 by its version, once", async () => {
  const folder = join(await scratch(), "waves.zarr");
  for (const key of ["zarr.json", "VHM0/zarr.json", "VHM0/c/0/0/0"]) {
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), '{"zarr_format": 3, "node_type": "group"}');
  }
  await expect(ingestForTest(await scratch(), decoder, "cmems", dirname(folder))).rejects.toMatchObject({
    rejected: [
      {
        file: folder,
        reason: "it is a Zarr store of version 3; only version 2, with .zmetadata, is read",
      },
    ],
  });
});

it.each(["C", "F"] as const)("a block of an array in the order %s is read row by row", async (order) => {
  const [rows, columns] = [3, 4];
  const metadata = {
    "depth/.zarray": {
      zarr_format: 2,
      shape: [2, rows, columns],
      chunks: [1, rows, 2],
      dtype: "<f4",
      compressor: null,
      filters: null,
      fill_value: 0,
      order,
    },
  };
  const value = (step: number, row: number, column: number) => 100 * step + 10 * row + column;
  const folder = join(await scratch(), "order.zarr");
  await mkdir(join(folder, "depth"), { recursive: true });
  await writeFile(join(folder, ".zmetadata"), JSON.stringify({ zarr_consolidated_format: 1, metadata }));
  for (const step of [0, 1])
    for (const half of [0, 1]) {
      const numbers = new Float32Array(2 * rows);
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < 2; column++)
          numbers[order === "C" ? 2 * row + column : row + rows * column] = value(
            step,
            row,
            2 * half + column,
          );
      await writeFile(join(folder, `depth/${step}.0.${half}`), new Uint8Array(numbers.buffer));
    }
  const depth = (await openZarrStore(folder)).arrays.get("depth")!;
  const of = (step: number) =>
    Array.from({ length: rows * columns }, (_, at) => value(step, Math.floor(at / columns), at % columns));
  expect([...(await depth.read())]).toEqual([...of(0), ...of(1)]);
});
