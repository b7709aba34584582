import { expect, it } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { defaultUnits } from "#lib/units.ts";
import { frameOf, globeGrid, steady } from "#test/map.ts";
import { valuesInView, viewSummary } from "./view-summary.ts";

const grid = globeGrid(10);
/**
 * A west wind that increases northward, 0 at the equator to 9 m/s at the pole, without values east of 90°E.
 */
const west = (latitude: number, longitude: number) =>
  longitude > 90 ? Number.NaN : Math.max(0, latitude / 10);
const pair = steady(frameOf({ u: west, v: (...place) => 0 * west(...place) }, { grid }));
const wind = [{ variable: "wind" as const, pair }];
const half = steady(
  frameOf({ u: (...place) => west(...place) / 2, v: (...place) => 0 * west(...place) }, { grid }),
);
const even = frameOf(
  { air_pressure_at_mean_sea_level: (latitude) => 1009 + latitude / 10 },
  { grid, offset: 1000 },
);
const isobars = { variable: "pressure" as const, pair: steady(even) };
const gusts = { variable: "gust" as const, pair, time: "Thu 1 Jan 06:00 UTC" };
const centre = { latitude: 30, longitude: 0 };
const box = { south: 0, north: 60, west: -60, east: 60 };
const metres = { ...defaultUnits, speed: "m/s" } as const;

it.each([
  [
    "the value at the centre, the range in view, and where it is highest",
    viewSummary(wind, centre, box, defaultUnits, en),
    /^Centre 30°00\.0′N 000°00\.0′E\. Wind speed 6 knots from west\. In view 0 to 12 knots, highest near 60°00/,
  ],
  [
    "isobars over the layer",
    viewSummary([...wind, isobars, { variable: "wave", pair: undefined }], centre, box, defaultUnits, en),
    /^Centre .* Wind speed 6 knots from west\. .*W\. Pressure 1012\.0 hectopascals\. In view 1009\.0 to 1015\.0 hectopascals, highest near [^.]*\.[^.]*\.[^.]*\.$/,
  ],
  [
    "both of two pictures by their letters, the second with its time",
    viewSummary(wind, centre, box, defaultUnits, en, gusts),
    /^Centre .*E\. A: Wind speed 6 knots from west\. In view .* B: Thu 1 Jan 06:00 UTC: Gusts? .* knots.* In view /,
  ],
  [
    "a difference in place of both, with its signs",
    viewSummary([{ ...wind[0]!, base: half }], centre, box, defaultUnits, en),
    /^Centre .*E\. B − A: Wind speed \+3 kn\. In view 0 kn to \+6 kn, highest near 60°00/,
  ],
  [
    "the first alone while the second is read",
    viewSummary(wind, centre, box, defaultUnits, en, { ...gusts, pair: undefined }),
    /^Centre .*E\. Wind speed 6 knots/,
  ],
  [
    "that there are no values",
    viewSummary(
      wind,
      { latitude: 15, longitude: 140 },
      { south: 10, north: 20, west: 120, east: 160 },
      defaultUnits,
      en,
    ),
    /^Centre 15°00\.0′N 140°00\.0′E\. Wind speed not available there\. No values in view\.$/,
  ],
  [
    "it in Japanese",
    viewSummary(wind, centre, box, metres, ja),
    /^中心 30°00\.0′N 000°00\.0′E。\S.*、西から。表示範囲で/,
  ],
])("tells %s", (_, summary, text) => {
  expect(summary).toMatch(text);
});

it.each([
  { south: -60, north: 60, west: -170, east: 150 },
  { south: -60, north: 60, west: 100, east: 300 },
])("misses no storm that is a single node of the field, across 180° either: $west to $east", (view) => {
  const storm = steady(
    frameOf(
      {
        u: (latitude, longitude) => (latitude === 11 && longitude === 123 ? 40 : 5),
        v: () => 0,
      },
      { grid: globeGrid(1) },
    ),
  );
  const summary = viewSummary([{ variable: "wind", pair: storm }], centre, view, metres, en);
  expect(summary).toContain("In view 5.0 to 40.0 metres per second, highest near 11°00.0′N 123°00.0′E");
});

it("lists what is in view from north to south, across 180° in the convention of the API", () => {
  const rows = valuesInView(pair, "wind", { south: -10, north: 10, west: 170, east: 190 }, 2);
  const places = rows.map((row) => row.map(({ latitude, longitude }) => `${latitude} ${longitude}`));
  expect(places).toEqual([
    ["5 175", "5 -175"],
    ["-5 175", "-5 -175"],
  ]);
});
