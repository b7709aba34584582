import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answers } from "#test/new-variable/probe.ts";

const root = path.join(import.meta.dirname, "..");
const run = promisify(execFile);

const ROW = `  visibility: variableRow(
    { visibility_in_air: field("visibility_in_air", "visibility at the surface", "m", { scale: 1, offset: 30_000, min: 0, max: 60_000 }) },
    {
      title: "Visibility",
      sources: ["gfs"],
      archiveOnly: true,
      grib2: [grib2([0, 19, 0], surface, ["m", 0, 24_000], "visibility_in_air")],
      outputs: [{ point: "Visibility", unit: "m", decimals: 0, title: "Visibility", is: "value", of: ["visibility_in_air"] }],
    },
  ),
} as const;
`;

const RULE = `  rules: [
    { field: "visibility_in_air", choices: [{ needs: [grib({ codes: [0, 19, 0], element: "VIS", bytes: 500_000 }, surface)], convert: unchanged }] },
`;

describe("a new variable is one row of the catalog and one line of a source", () => {
  const copy = mkdtempSync(path.join(tmpdir(), "new-variable-"));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  let answers: Answers;

  beforeAll(async () => {
    const copied = "clients components lib prisma scripts server test package.json tsconfig.json";
    for (const name of copied.split(" "))
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
    replaceOnce("lib/catalog/variables.ts", /^\} as const;\n/m, ROW);
    replaceOnce("server/ingest/sources/gfs.ts", /^ {2}rules: \[\n/m, RULE);
    await run(process.execPath, ["scripts/messages.ts"], { cwd: copy });
    const probe = ["test/new-variable/probe.ts", "visibility", "test/new-variable/visibility.grib2"];
    const { stdout } = await run(process.execPath, probe, { cwd: copy, maxBuffer: 2 ** 24 });
    answers = JSON.parse(stdout);
  });

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

  it("has numbers in the demo, which invents what it has no rule for", () => {
    expect(answers.demo).toMatchObject({
      results: [{ conditions: { Visibility: expect.any(Number), Winds_10m_Intensity: expect.any(Number) } }],
      meta: { nulls: [] },
    });
  });

  it("is a layer of the map, last in the list, and in the OpenAPI document", () => {
    expect(answers.manifest.runs[0]?.planes).toEqual([
      { name: "visibility_in_air", unit: "m", scale: 1, offset: 30_000 },
    ]);
    expect(answers.layers.slice(-2)).toEqual(["visibility", "none"]);
    expect(answers.isInOpenApi).toBe(true);
  });
});
