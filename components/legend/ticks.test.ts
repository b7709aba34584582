import { expect, it } from "vitest";
import { legendTicks } from "#components/legend/ticks.ts";

it.each([
  ["kn", ["0", "10", "20", "30", "40", "50", "60"], [2, 10.2889]],
  ["m/s", ["0", "5", "10", "15", "20", "25", "30"], [2, 10]],
  ["Bft", ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"], [5, 8]],
] as const)("numbers in %s stand where their speed is", (unit, texts, [index, value]) => {
  const ticks = legendTicks(unit, [0, 32]);
  expect(ticks.map(({ text }) => text)).toEqual(texts);
  expect(ticks[index]?.value).toBeCloseTo(value, 3);
});
