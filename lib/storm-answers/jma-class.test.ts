import { expect, it } from "vitest";
import { jmaClass } from "./provenance.ts";

it.each([
  ["TD", 30, "TD", undefined],
  ["TS", 47, "TS", undefined],
  ["TS", 48, "STS", undefined],
  ["HU", 64, "TY", "strong"],
  ["HU", 84, "TY", "strong"],
  ["HU", 85, "TY", "veryStrong"],
  ["HU", 105, "TY", "violent"],
  ["HU", null, "TY", undefined],
  ["TS", null, "TS", undefined],
] as const)("%s of %s kt is %s of the JMA: %s", (type, vmax_kt, code, strength) => {
  expect(jmaClass({ type, vmax_kt })).toEqual({ code, strength });
});

it("has no class for what is no tropical cyclone", () => {
  expect(jmaClass({ type: "PT", vmax_kt: 70 })).toBeUndefined();
  expect(jmaClass({ type: null, vmax_kt: null })).toBeUndefined();
});
