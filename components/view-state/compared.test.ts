import { expect, it } from "vitest";
import { parseCompared, writeCompared } from "./compared.ts";

it.each([
  ["wave.0", { layer: "wave", hours: 0, percent: 50, sampled: "a" }],
  ["wind.-24.30", { layer: "wind", hours: -24, percent: 30, sampled: "a" }],
  ["pressure.48.0", { layer: "pressure", hours: 48, percent: 0, sampled: "a" }],
  ["wind.6.b", { layer: "wind", hours: 6, percent: 50, sampled: "b" }],
  ["wind.6.30.b", { layer: "wind", hours: 6, percent: 30, sampled: "b" }],
] as const)("a link with %s opens the same comparison", (text, compared) => {
  expect(parseCompared(text)).toEqual(compared);
  expect(writeCompared(compared)).toBe(text);
});

it.each([
  "",
  "none.0",
  "wind",
  "wind.x",
  "wind.999",
  "wind.24.101",
  "wind.24.-1",
  "bogus.0",
  "wind.1.5.5",
  "wind.1.a",
  "wind.b",
])("%j is no comparison", (text) => {
  expect(parseCompared(text)).toBeNull();
});
