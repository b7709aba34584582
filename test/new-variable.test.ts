import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statisticOf } from "#lib/catalog/ensemble.ts";
import { type Answers, plans } from "#test/new-variable/probe.ts";

const root = path.join(import.meta.dirname, "..");
const run = promisify(execFile);

const ROW = `  visibility: variableRow(
    { visibility_in_air: field("visibility_in_air", "visibility at the surface", "m", { scale: 1, min: 0, max: 30_000 }) },
    {
      title: "Visibility",
      archiveOnly: true,
      grib2: [grib2([0, 19, 0], surface, ["m", 0, 24_000], "visibility_in_air")],
      outputs: [{ point: "Visibility", unit: "m", decimals: 0, title: "Visibility", is: "value", of: ["visibility_in_air"] }],
    },
  ),
} as const;
`;

const RULE = `export const fields: readonly FieldRule[] = [
  rule("visibility_in_air", choice([grib({ codes: [0, 19, 0], element: "VIS", bytes: 500_000 }, surface)], unchanged)),
`;

const MESSAGE = `const gfsRows: readonly Row[] = [
  row("VIS", [0, 19, 0], surface, "visibility_in_air", 0),
`;

const PLANET = `const rules = {
  visibility_in_air: of({
    mean: (latitude) => 12_000 + 100 * latitude,
    waves: [{ amplitude: 1000, zonal: 3, degreesADay: 30, phase: 0, shape: () => 1 }],
  }),
`;

/** Tolerance of the message, which has whole metres. */
const PRECISION = `export const precision: Partial<Record<FieldName, number>> = {
  visibility_in_air: 0.51,
`;

describe("a new variable is one row of the catalog and one line of a publisher", () => {
  const copy = mkdtempSync(path.join(tmpdir(), "new-variable-"));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  let answers: Answers;

  beforeAll(async () => {
    const copied = "clients components lib prisma scripts server test package.json tsconfig.json";
    for (const name of copied.split(" "))
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
    replaceOnce("lib/catalog/variables.ts", /^\} as const;\n/m, ROW);
    replaceOnce("server/ingest/publishers/gfs/fields.ts", /^export const fields.*\n/m, RULE);
    // The hosts of the mirror publish it too.
    replaceOnce("test/feeds-mirror/forecast-fields.ts", /^const gfsRows: .*\n/m, MESSAGE);
    replaceOnce("test/feeds-mirror/analytic.ts", /^const rules = \{\n/m, PLANET);
    replaceOnce("test/feeds-week/check-archive.ts", /^export const precision: .*\n/m, PRECISION);
    await run(process.execPath, ["scripts/messages.ts"], { cwd: copy });
    const probe = ["test/new-variable/probe.ts", "visibility", "test/new-variable/visibility.grib2"];
    const { stdout } = await run(process.execPath, probe, { cwd: copy, maxBuffer: 2 ** 24 });
    answers = JSON.parse(stdout);
  }, 300_000);

  function replaceOnce(file: string, pattern: RegExp, by: string): void {
    const text = readFileSync(path.join(copy, file), "utf8");
    const changed = text.replace(pattern, by);
    expect(changed, file).not.toBe(text);
    writeFileSync(path.join(copy, file), changed);
  }

  it("is ingested and answered at a point, between nodes and steps", () => {
    expect(answers.ingested).toEqual(["visibility_in_air"]);
    expect(answers.point).toMatchObject({
      results: [{ conditions: { Visibility: 17_000, Winds_10m_Intensity: null } }],
      meta: {
        provenance: [{ variable: "visibility", source: "gfs", dataset: "Forecast", model: "GFS 10°" }],
      },
    });
  });

  it("is not ingested where its values are impossible by the limits of its row", () => {
    expect(answers.beyondRange).toMatch(
      /it makes visibility_in_air \d+ m, which cannot be outside 0 to 30000/,
    );
  });

  it("comes with the profile standard of its feed from the hosts, and every value is that of the planet", () => {
    const { wrong, compared, fields, complaints } = answers.live;
    expect(complaints).toEqual([]);
    expect(fields).toContain("visibility_in_air");
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(0);
  });

  it("counts in the plan of the line and the disk, and costs nothing with lite", () => {
    const before = plans();
    expect(answers.plan.standard.part - before.standard.part).toBe(500_000);
    expect(answers.plan.standard.onDisk).toBeGreaterThan(before.standard.onDisk);
    expect(answers.plan.lite).toEqual(before.lite);
  });

  it("has the same value at a node in points, EDR, GRIB2 and NetCDF", () => {
    const { point } = answers.values;
    expect(point).toBeGreaterThan(15_000);
    expect(answers.values).toEqual({ point, edr: point, grib2: point, netcdf: point });
    expect(answers.edrParameters).toContain("Visibility");
  });

  it("has values in the demo, which invents fields that have no rule", () => {
    expect(answers.demo).toMatchObject({
      results: [{ conditions: { Visibility: expect.any(Number), Winds_10m_Intensity: expect.any(Number) } }],
      meta: { nulls: [] },
    });
  });

  it("is a layer of the map with frames, last in the list, and in the OpenAPI document", () => {
    expect(answers.manifest.runs[0]?.planes).toEqual([
      { name: "visibility_in_air", unit: "m", scale: 1, offset: 0 },
    ]);
    expect(answers.frameBytes).toBeGreaterThan(37 * 72);
    const ofVariables = answers.layers.filter((name) => !statisticOf(name));
    expect(ofVariables.slice(-2)).toEqual(["visibility", "none"]);
    expect(answers.isInOpenApi).toBe(true);
  });

  it("has a legend over the limits of its row, and a line in the panel with its title", () => {
    expect(answers.screen.legend).toContain("Colours from 0.0 to 30000.0 metres");
    expect(answers.screen.panel).toMatch(/Visibility.*17[\s,.]?000\D+m/);
  });
});
