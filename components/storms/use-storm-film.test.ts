import { expect, it } from "vitest";
import { stormFilm } from "#lib/storm-answers/film.ts";
import { aheadPoint, BASE, stormOf, trackPoint } from "#test/storms.ts";
import { filmStops, nextStop } from "./use-storm-film.ts";

const HOUR = 3600;
const hours = (times: readonly number[]) => times.map((time) => (time - BASE) / HOUR);
const observed = [-12, -6, 0].map((hour) => trackPoint(hour, { latitude: 20, longitude: 179 + hour / 6 }));
const entry = stormOf([aheadPoint(0, { latitude: 20, longitude: 179 })]);
const stops = filmStops(
  stormFilm(
    [-3, 0, 3].map((hour) => ({
      issued_at: BASE + hour * HOUR,
      entry: { ...entry, tracks: { ...entry.tracks, observed } },
    })),
  )!,
);

it("stops at each fix and each bulletin once", () => {
  expect(hours(stops)).toEqual([-12, -6, -3, 0, 3]);
});

it("steps from any time to the next stop or the one before, and not beyond the ends", () => {
  expect(nextStop(stops, BASE - 6 * HOUR, 1)).toBe(BASE - 3 * HOUR);
  expect(nextStop(stops, BASE - 5 * HOUR, -1)).toBe(BASE - 6 * HOUR);
  expect(nextStop(stops, BASE - 6 * HOUR, -1)).toBe(BASE - 12 * HOUR);
  expect(nextStop(stops, BASE + 3 * HOUR, 1)).toBeUndefined();
  expect(nextStop(stops, BASE - 12 * HOUR, -1)).toBeUndefined();
});
