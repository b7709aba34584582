import { expect, it } from "vitest";
import type { TidePrediction } from "#lib/contract/tides.ts";
import { tides } from "#lib/messages/generated/en/tides.ts";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { defaultUnits, type Units } from "#lib/units.ts";
import { valueStyle } from "./format-tide.ts";
import { tideRow } from "./tide-row.tsx";

const from = "2026-09-14T00:00:00Z";
const start = parseInstant(from);
const words = { ...en, tides };

/** Highs of 5 m at 3:00 and 15:00, lows of 1 m between them. */
function prediction(regime: TidePrediction["regime"]): TidePrediction {
  const heights = Array.from({ length: 6 * 48 }, (_, index) => 3 + 2 * Math.sin((index * Math.PI) / 36));
  const extremes = [3, 9, 15, 21, 27, 33].map((hour, index) => ({
    time: new Date((start + hour * HOUR_S) * 1000).toISOString().replace(".000", ""),
    type: index % 2 === 0 ? ("high" as const) : ("low" as const),
    height_m: index % 2 === 0 ? 5 : 1,
  }));
  const curve = { step_minutes: 10, heights_m: heights };
  return { kind: "tide", from, regime, extremes, datum: "LAT", curve } as unknown as TidePrediction;
}

const room = {
  width: 240,
  titleY: 11,
  top: 16,
  bottom: 64,
  x: (time: number) => ((time - start) / HOUR_S) * 10,
};

it("draws the tide of the chart's days with its high and low waters marked, in the unit of heights", () => {
  const tide = prediction("semidiurnal");
  const rowIn = (units: Units) => tideRow(tide, valueStyle(tide, units, words), words)!(room);
  const row = rowIn(defaultUnits);
  expect(row.title).toBe("Tide, m above LAT");
  expect(row.marks!.map(({ x }) => x)).toEqual([30, 90, 150, 210]);
  const [high, low] = row.marks!;
  expect(high!.y).toBeCloseTo(16, 5);
  expect(low!.y).toBeCloseTo(64 - 48 / 5, 5);
  // Nothing is drawn beside the picture.
  expect(Math.max(...row.paths[0]!.match(/[\d.]+(?= )/g)!.map(Number))).toBeLessThanOrEqual(240);
  expect(row.valueAt!(start + 3 * HOUR_S)).toBe("5.0");
  expect(rowIn({ ...defaultUnits, length: "ft" }).valueAt!(start + 3 * HOUR_S)).toBe("16.4");
});

it("has no row where there is hardly any tide", () => {
  const tide = prediction("none");
  expect(tideRow(tide, valueStyle(tide, defaultUnits, words), words)).toBeUndefined();
});
