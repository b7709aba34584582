import { expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import type { Frame } from "#lib/field/frame.ts";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { defaultUnits } from "#lib/units.ts";
import { valuesInView, viewSummary } from "./view-summary.ts";

/** A west wind that grows northward, 0 at the equator to 9 m/s at the pole, without values east of 90°E. */
function frame(): Frame {
  const grid = {
    latitude: { start: -90, step: 10, count: 19 },
    longitude: { start: -180, step: 10, count: 36 },
  };
  const values = new Int16Array(19 * 36 * 2);
  for (let row = 0; row < 19; row++) {
    for (let column = 0; column < 36; column++) {
      const missing = column * 10 - 180 > 90;
      const at = 2 * (row * 36 + column);
      values[at] = missing ? FILL : Math.max(0, row - 9) * 100;
      values[at + 1] = missing ? FILL : 0;
    }
  }
  const bands = ["u", "v"].map((name) => ({ name, scale: 0.01, offset: 0 }));
  return { grid, time: 0, bands, values, perNode: 2 };
}
const pair = { before: frame(), after: frame(), later: 0 };
const wind = [{ variable: "wind" as const, pair }];
const box = { south: 0, north: 60, west: -60, east: 60 };

it("describes the value at the centre, the range in view, and where it is highest", () => {
  expect(viewSummary(wind, { latitude: 30, longitude: 0 }, box, defaultUnits, en)).toMatch(
    /^Centre 30°00\.0′N 000°00\.0′E\. Wind speed 6 knots from west\. In view 0 to 11 knots, highest near 58°45/,
  );
});

it("describes isobars over the layer too", () => {
  const grid = {
    latitude: { start: -90, step: 10, count: 19 },
    longitude: { start: -180, step: 10, count: 36 },
  };
  const bands = [{ name: "air_pressure_at_mean_sea_level", scale: 1, offset: 1000 }];
  const values = Int16Array.from({ length: 19 * 36 }, (_, node) => Math.floor(node / 36));
  const even: Frame = { grid, time: 0, bands, values, perNode: 1 };
  const isobars = { variable: "pressure" as const, pair: { before: even, after: even, later: 0 } };
  const heights = { variable: "wave" as const, pair: undefined };
  const centre = { latitude: 30, longitude: 0 };
  expect(viewSummary([...wind, isobars, heights], centre, box, defaultUnits, en)).toMatch(
    /^Centre .* Wind speed 6 knots from west\. .*W\. Pressure 1012\.0 hectopascals\. In view 1009\.1 to 1014\.9 hectopascals, highest near [^.]*\.[^.]*\.[^.]*\.$/,
  );
});

it("of two pictures tells both by their letters, the second with its time", () => {
  const gusts = { variable: "gust" as const, pair, time: "Thu 1 Jan 06:00 UTC" };
  const compared = viewSummary(wind, { latitude: 30, longitude: 0 }, box, defaultUnits, en, gusts);
  expect(compared).toMatch(
    /^Centre .*E\. A: Wind speed 6 knots from west\. In view .* B: Thu 1 Jan 06:00 UTC: Gusts? .* knots.* In view /,
  );
  const awaited = viewSummary(wind, { latitude: 30, longitude: 0 }, box, defaultUnits, en, {
    ...gusts,
    pair: undefined,
  });
  expect(awaited).toBe(viewSummary(wind, { latitude: 30, longitude: 0 }, box, defaultUnits, en));
});

it("says that there are no values", () => {
  const land = { south: 10, north: 20, west: 120, east: 160 };
  expect(viewSummary(wind, { latitude: 15, longitude: 140 }, land, defaultUnits, en)).toBe(
    "Centre 15°00.0′N 140°00.0′E. Wind speed not available there. No values in view.",
  );
});

it("lists what is in view from north to south, across 180° in the convention of the API", () => {
  const rows = valuesInView(pair, "wind", { south: -10, north: 10, west: 170, east: 190 }, 2);
  expect(rows.map((row) => row.map(({ latitude, longitude }) => [latitude, longitude]))).toEqual([
    [
      [5, 175],
      [5, -175],
    ],
    [
      [-5, 175],
      [-5, -175],
    ],
  ]);
});

it("reads the view aloud as a sentence of the language", () => {
  const centre = { latitude: 30, longitude: 0 };
  const metres = { ...defaultUnits, speed: "m/s" } as const;
  expect(viewSummary(wind, centre, box, metres, de)).toMatch(
    /^Mitte 30°00\.0′N 000°00\.0′E\. Windgeschwindigkeit 3,0 Meter pro Sekunde aus West\. In der Ansicht 0,1 bis 5,9 /,
  );
  expect(viewSummary(wind, centre, box, metres, ja)).toMatch(
    /^中心 30°00\.0′N 000°00\.0′E。\S.*、西から。表示範囲で/,
  );
});
