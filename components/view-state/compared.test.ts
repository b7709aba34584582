import { expect, it } from "vitest";
import { asideOf, parseCompared, widerSide, writeCompared } from "./compared.ts";

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

it.each([
  { percent: 50, sampled: "b", side: "b", aside: 0.25 },
  { percent: 50, sampled: "a", side: "a", aside: -0.25 },
  { percent: 80, sampled: "b", side: "a", aside: -0.1 },
  { percent: 0, sampled: "a", side: "b", aside: 0 },
] as const)("a place that is gone to comes into the middle of the wider side: $percent %", (compared) => {
  const side = widerSide(compared);
  expect(side).toBe(compared.side);
  expect(asideOf(compared, side)).toBeCloseTo(compared.aside);
});
