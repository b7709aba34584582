import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonErrorAt } from "./json-error.ts";

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
};

it("finds an error exactly where the engine's parser does", () => {
  const pieces = fc.constantFrom(
    ...'{}[],:"\\ab01-+.eE \n\t/u',
    "true",
    "null",
    '"k"',
    '"\\u00e9"',
    "1e5",
    "\u0001",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      expect(jsonErrorAt(text) === undefined, text).toBe(parses(text));
    }),
    { numRuns: 5000 },
  );
  fc.assert(fc.property(fc.json(), (text) => jsonErrorAt(text) === undefined));
});

it.each([
  ["", 0, "Expecting value"],
  ['{"a": }', 6, "Expecting value"],
  ['{"a" 1}', 5, "Expecting ':' delimiter"],
  ['{"a": 1 "b": 2}', 8, "Expecting ',' delimiter"],
  ['{"a": 1,}', 8, "Expecting property name enclosed in double quotes"],
  ["{'a': 1}", 1, "Expecting property name enclosed in double quotes"],
  ["[1,]", 3, "Expecting value"],
  ["[1] 2", 4, "Extra data"],
  ["[NaN]", 1, "Expecting value"],
  ['{"a": "b', 6, "Invalid or unterminated string"],
])("reports where and why %s is not JSON", (text, position, reason) => {
  expect(jsonErrorAt(text)).toEqual({ position, reason });
});

it("needs no call stack for depth and length", () => {
  expect(jsonErrorAt(`${"[".repeat(500_000)}x`)).toEqual({ position: 500_000, reason: "Expecting value" });
  expect(jsonErrorAt(`["${"a\\n".repeat(2_000_000)}`)?.position).toBe(1);
  expect(jsonErrorAt(`["${"a".repeat(8_000_000)}"`)?.reason).toBe("Expecting ',' delimiter");
});
