import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { languages } from "#lib/messages/language.ts";
import { firstScripts } from "./first-script.ts";

const build = mkdtempSync(path.join(tmpdir(), "first-script-"));
beforeAll(() => {
  mkdirSync(path.join(build, "first-number"));
  for (const language of languages)
    writeFileSync(path.join(build, "first-number", `${language}.js`), `"$&$1 ${language}"`);
});
afterAll(() => rmSync(build, { recursive: true }));

it("puts the script of the reader's language before all else that a head has, but for the encoding, and as it was built", () => {
  const withScript = firstScripts(build);
  const page =
    '<!DOCTYPE html><html><head><link rel="stylesheet" href="/a.css"/></head><body><head></body></html>';
  expect(withScript(page, "pt")).toBe(
    '<!DOCTYPE html><html><head><meta charset="utf-8"/><script>"$&$1 pt"</script>' +
      '<link rel="stylesheet" href="/a.css"/></head><body><head></body></html>',
  );
});

it("a build without the scripts is no build", () => {
  expect(() => firstScripts(path.join(build, "other"))).toThrow("first-number");
});
