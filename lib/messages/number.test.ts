import { expect, it } from "vitest";
import { readTypedDecimal } from "#lib/decimal.ts";
import { languages } from "./language.ts";
import { formatNumber, typedDecimal } from "./number.ts";

it.each(languages)("numbers have the signs of Unicode's CLDR: %s", (language) => {
  for (const [value, decimals] of [
    [1234567.891, 2],
    [-12.34, 1],
    [0.5, 1],
    [99999, 0],
  ] as const) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const expected = new Intl.NumberFormat(language, { ...digits, useGrouping: "always" }).format(value);
    expect(formatNumber(value, decimals, language)).toBe(expected.replace("-", "−"));
  }
});

it("a number in a field has the decimal sign of the language, and is read again", () => {
  expect([typedDecimal(1234.5, "en"), typedDecimal(1234.5, "de")]).toEqual(["1234.5", "1234,5"]);
  for (const language of languages)
    for (const value of [0, 7, -0.25, 1234.5])
      expect(readTypedDecimal(typedDecimal(value, language))).toBe(value);
});

it("what rounds to nothing has no sign", () => {
  expect(formatNumber(-0.04, 1, "de")).toBe("0,0");
});
