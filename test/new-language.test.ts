import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answers } from "#test/new-language/probe.ts";

const root = path.join(import.meta.dirname, "..");

describe("a new language is its catalog and one line", () => {
  const copy = mkdtempSync(path.join(tmpdir(), "new-language-"));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));
  let answers: Answers;

  beforeAll(() => {
    for (const name of ["clients", "components", "lib", "scripts", "server", "test"])
      cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
    for (const name of ["package.json", "tsconfig.json", "public/basemap/places.json"])
      cpSync(path.join(root, name), path.join(copy, name));
    symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
    const catalog = JSON.parse(readFileSync(path.join(copy, "lib/messages/en.json"), "utf8"));
    catalog.catalog.layers.wind = "Windsnelheid";
    catalog.status.heading = "Voorspellingen";
    writeFileSync(path.join(copy, "lib/messages/nl.json"), JSON.stringify(catalog));
    const file = path.join(copy, "lib/messages/language.ts");
    const line = '  nl: { name: "Nederlands", decimal: ",", thousands: "." },\n';
    writeFileSync(file, readFileSync(file, "utf8").replace(/^ {2}fr: /m, `${line}  fr: `));
    const run = (script: string) =>
      execFileSync(process.execPath, [script], { cwd: copy, encoding: "utf8", maxBuffer: 2 ** 24 });
    run("scripts/messages.ts");
    run("scripts/build-basemap.ts");
    answers = JSON.parse(run("test/new-language/probe.ts"));
  }, 120_000);

  it("is chosen by browsers that ask for it, and by its name", () => {
    expect(answers).toMatchObject({ preferred: "nl", name: "Nederlands", watch: "nl" });
  });

  it("has its words on every page, in parts that are loaded later and in e-mails, and its numbers", () => {
    expect(answers).toMatchObject({ first: "Windsnelheid", late: "Voorspellingen", hasMails: true });
    expect(answers.number).toBe("1.234,5");
  });

  it("has the names of the map: countries in the language, others as in English", () => {
    const names = readFileSync(path.join(copy, "public/basemap/names-nl.json"), "utf8");
    expect(names).toContain('"Duitsland"');
    expect(names).toContain('"North Atlantic Ocean"');
  });
});
