import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answers } from "#test/new-publisher/probe.ts";

const root = path.join(import.meta.dirname, "..");
const run = promisify(execFile);
const folder = "server/ingest/publishers";

/** Replacements that make a copy of the folder of GFS another publisher, with another domain and other addresses. */
const changes: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  "publisher.ts": [
    [/export const gfs = /, "export const nearby = "],
    [/name: "gfs"/, 'name: "nearby"'],
    [/title: "NOAA GFS"/, 'title: "Nearby model"'],
    [/model: "GFS"/, 'model: "Nearby"'],
    [/licence: "public domain"/, 'licence: "CC BY 4.0"'],
    [/credit: ".*"/, 'credit: "The nearby office, CC BY 4.0"'],
    // It is chosen by its name.
    [/ *inProfile: "lite",\n/, ""],
    [
      /around\(0\.25\)/,
      "{ latitude: { start: 30, step: 0.25, count: 121 }, longitude: { start: -60, step: 0.25, count: 201 } }",
    ],
    [/import \{ around, publisher \}/, "import { publisher }"],
  ],
  "addresses.ts": [
    [/= \[[\s\S]*?\n\];/, '= [{ name: "Nearby files", base: "https://files.nearby.example.org/models" }];'],
    [/files = ".*"/, 'files = "{YYYY}/{MM}{DD}/{HH}/nearby_{FFF}.grib2"'],
    [/import \{ DAY_S, HOUR_S \}.*\n/, ""],
    [/.*\nconst FIRST_CYCLE.*\n/, ""],
  ],
};

describe("a new publisher is a folder and its line in the registry", () => {
  const copy = mkdtempSync(path.join(tmpdir(), "new-publisher-"));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  let answers: Answers;
  let plan: string;

  beforeAll(async () => {
    for (const name of ["clients", "components", "docs", "lib", "prisma", "scripts", "server", "test"])
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    for (const name of ["package.json", "tsconfig.json"])
      cpSync(path.join(root, name), path.join(copy, name));
    symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
    cpSync(path.join(copy, folder, "gfs"), path.join(copy, folder, "nearby"), { recursive: true });
    for (const [file, replaced] of Object.entries(changes))
      for (const [pattern, by] of replaced) replaceOnce(`${folder}/nearby/${file}`, pattern, by);
    replaceOnce(
      `${folder}/registry.ts`,
      /^import \{ oisst \}/m,
      'import { nearby } from "./nearby/publisher.ts";\nimport { oisst }',
    );
    replaceOnce(`${folder}/registry.ts`, /^\];/m, "  nearby,\n];");
    const inCopy = { cwd: copy, maxBuffer: 2 ** 24 };
    const { stdout } = await run(process.execPath, ["test/new-publisher/probe.ts"], inCopy);
    answers = JSON.parse(stdout);
    const env = { ...process.env, FEEDS: "nearby", DATA_DIR: path.join(copy, "data") };
    plan = (await run(process.execPath, ["server/cli.ts", "feeds", "plan"], { ...inCopy, env })).stdout;
  }, 300_000);

  function replaceOnce(file: string, pattern: RegExp, by: string): void {
    const text = readFileSync(path.join(copy, file), "utf8");
    const changed = text.replace(pattern, by);
    expect(changed, `${file} ${pattern}`).not.toBe(text);
    writeFileSync(path.join(copy, file), changed);
  }

  it("is fetched from its hosts, and the archive holds the planet's values on its domain", () => {
    const { wrong, compared, complaints, grid, hosts } = answers.live;
    expect(complaints).toEqual([]);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(0);
    expect(grid).toEqual({
      latitude: { start: 30, step: 5, count: 7 },
      longitude: { start: -60, step: 5, count: 11 },
    });
    expect(hosts).toEqual(["files.nearby.example.org"]);
  });

  it("answers POST /MetOcean inside its domain, with its credit and its rhythm, and nowhere else", () => {
    expect(answers.inside.meta.provenance).toMatchObject([
      {
        variable: "wind",
        source: "nearby",
        model: "Nearby 5°",
        credit: "The nearby office, CC BY 4.0",
      },
    ]);
    expect(answers.inside.results[0]!.conditions.Winds_10m_Intensity).toBeGreaterThan(0);
    expect(answers.outside.meta.provenance).toEqual([]);
    expect(answers.outside.results[0]!.conditions.Winds_10m_Intensity).toBeNull();
    expect(answers.rhythm).toEqual({ every: 6, delay: 6 });
  });

  it("is listed by GET /feeds, which the page /status shows", () => {
    expect(answers.feeds).toMatchObject([
      {
        name: "nearby",
        title: expect.stringMatching(/^Nearby model 0\.25°: wind, gusts, rain, .*pressure$/),
        credit: "The nearby office, CC BY 4.0",
        kind: "fields",
        state: "current",
      },
    ]);
  });

  it("has its price in the plan, and its credit", () => {
    expect(plan).toMatch(/^nearby +4 a day +169 +[\d.]+ [MG]B +[\d.]+ [MG]B +[\d.]+ [MG]B +\d+ min$/m);
    expect(plan).toMatch(/^Nearby model 0\.25°: wind.* \(The nearby office, CC BY 4\.0\)$/m);
  });

  it("takes less of the disk than the globe, is chosen by its name alone, and answers after the others", () => {
    expect(answers.onDisk.nearby).toBeLessThan(answers.onDisk.gfs / 30);
    expect(answers.profiles).toEqual({ lite: false, standard: false, full: false, all: true });
    expect(answers.order.at(-1)).toBe("nearby");
    expect(answers.order.length).toBeGreaterThan(1);
  });

  it("is ingested by hand too", () => {
    expect(answers.usage).toContain("nearby    Nearby model: wind, gusts, rain");
  });
});
