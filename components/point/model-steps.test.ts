import { expect, it } from "vitest";
import type { PointMeta } from "#lib/contract/point.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import { coarseParts, modelSteps } from "./model-steps.ts";

const start = Date.UTC(2026, 8, 15) / 1000;
const at = (...hours: number[]) => hours.map((hour) => start + hour * HOUR_S);
const every = (hours: number, from: number, to: number) =>
  Array.from({ length: (to - from) / hours }, (_, index) => from + hours * index);

it.each([
  ["hourly to 120 h, then every three", [...every(1, 0, 120), ...every(3, 120, 243)], [[120, 3]]],
  [
    "every three hours, then every six, then every twelve",
    [...every(3, 0, 144), ...every(6, 144, 240), ...every(12, 240, 300)],
    [
      [144, 6],
      [240, 12],
    ],
  ],
  ["every three hours throughout", every(3, 0, 240), []],
  ["every three hours with one step of the run before", [...every(1, 0, 2), ...every(3, 3, 240)], []],
  ["hourly with a gap", every(1, 0, 120).filter((hour) => hour < 50 || hour > 55), []],
  ["one step, as of depths", [0], []],
])("finds where the steps become longer: %s", (_, hours, parts) => {
  expect(coarseParts(at(...hours))).toEqual(
    parts.map(([from, of]) => ({ from: start + from! * HOUR_S, hours: of })),
  );
});

it("joins the steps of the runs that answered, by variable", () => {
  const entry = (variable: string, ...hours: number[]) => ({
    variable,
    valid_times: at(...hours).map(formatInstant),
  });
  const provenance = [entry("wind", 3, 6), entry("wave", 0, 3), entry("wind", 0)];
  expect(modelSteps({ provenance, nulls: [] } as unknown as PointMeta)).toEqual({
    wind: at(0, 3, 6),
    wave: at(0, 3),
  });
  expect(modelSteps(undefined)).toEqual({});
});
