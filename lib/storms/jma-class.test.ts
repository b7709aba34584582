import { expect, it } from "vitest";
import { jmaClass } from "./jma-class.ts";

it.each([
  ["TD", 30, "TD", "Tropical depression"],
  ["TS", 47, "TS", "Tropical storm"],
  ["TS", 48, "STS", "Severe tropical storm"],
  ["HU", 64, "TY", "Typhoon, strong"],
  ["HU", 84, "TY", "Typhoon, strong"],
  ["HU", 85, "TY", "Typhoon, very strong"],
  ["HU", 105, "TY", "Typhoon, violent"],
  ["HU", null, "TY", "Typhoon"],
  ["TS", null, "TS", "Tropical storm"],
] as const)("%s of %s kt is %s of the JMA: %s", (type, vmax_kt, code, title) => {
  expect(jmaClass({ type, vmax_kt })).toEqual({ code, title });
});

it("has no class for what is no tropical cyclone", () => {
  expect(jmaClass({ type: "PT", vmax_kt: 70 })).toBeUndefined();
  expect(jmaClass({ type: null, vmax_kt: null })).toBeUndefined();
});
