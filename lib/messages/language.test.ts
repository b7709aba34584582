import { expect, it } from "vitest";
import { parseLanguage, preferredLanguage } from "./language.ts";

it.each([
  ["de-CH,de;q=0.9,en;q=0.8", "de"],
  ["sv-SE, sv;q=0.9, fr;q=0.5, en;q=0.7", "en"],
  ["zh-Hans-CN", "zh"],
  ["PT-br", "pt"],
  ["en;q=0, ja;q=0.1", "ja"],
  ["fr;q=0.8,es;q=0.8", "fr"],
  ["*", "en"],
  [undefined, "en"],
  ["deutsch, ;;, -, de;q=9", "en"],
  [`${"xx,".repeat(10_000)}de`, "en"],
])("the language is the one that the browser prefers of those that there are: %#", (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

it("only known codes are languages", () => {
  const codes = ["de", "DE", "toString", "", null, undefined];
  expect(codes.map(parseLanguage)).toEqual(["de", ...Array(5).fill(undefined)]);
});
