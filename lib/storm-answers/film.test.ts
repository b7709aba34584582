import { expect, it } from "vitest";
import { aheadPoint, BASE, stormOf, trackPoint } from "#test/storms.ts";
import { stormFilm } from "./film.ts";

const HOUR = 3600;
const fixes = [0, 6, 12, 18].map((hour) =>
  trackPoint(
    hour,
    { latitude: 15, longitude: 179 + hour / 6 > 180 ? hour / 6 - 181 : 179 + hour / 6 },
    { vmax_kt: 40 + hour },
  ),
);
/** The bulletin of an hour, with the fixes known by then. */
function bulletin(hour: number, hasForecast = true) {
  const observed = fixes.filter(({ time }) => time <= BASE + hour * HOUR);
  const points = [0, 24].map((fhr) => aheadPoint(fhr, { latitude: 16, longitude: 179 }));
  const forecast = { issued_at: BASE + hour * HOUR, cone_source: "nhc" as const, points };
  const entry = stormOf(points, { tracks: hasForecast ? { observed, forecast } : { observed } });
  return { issued_at: BASE + hour * HOUR, entry };
}
const history = [0, 6, 12, 54].map((hour) => bulletin(hour));
const film = stormFilm(history)!;
const opacities = (hour: number) => film.at(BASE + hour * HOUR).forecasts.map(({ opacity }) => opacity);

it("begins with the first fix and ends with the last fix or bulletin", () => {
  expect([film.begins, film.ends]).toEqual([BASE, BASE + 54 * HOUR]);
  expect(film.issues.map((time) => (time - BASE) / HOUR)).toEqual([0, 6, 12, 54]);
  expect(film.at(BASE - HOUR)).toEqual(film.at(BASE));
  expect(film.at(BASE + 99 * HOUR)).toEqual(film.at(BASE + 54 * HOUR));
  expect(stormFilm([])).toBeUndefined();
});

it("shows the fixes up to a time and the place between two of them, across 180°", () => {
  const { observed, place, vmaxKt } = film.at(BASE + 9 * HOUR);
  expect(observed).toEqual(fixes.slice(0, 2));
  expect(place.longitude).toBeCloseTo(-179.5, 2);
  expect(vmaxKt).toBe(49);
  expect(film.at(BASE + 6 * HOUR)).toMatchObject({ observed: fixes.slice(0, 2), place: { longitude: 180 } });
  expect(film.at(BASE + 30 * HOUR).place).toEqual({ latitude: 15, longitude: -178 });
});

it("shows no forecast before it was issued; the newest is drawn whole and the others fade", () => {
  expect(opacities(5.99)).toEqual([1]);
  expect(opacities(6)).toEqual([expect.closeTo(1 - (0.85 * 6) / 48, 9), 1]);
  expect(opacities(53)).toHaveLength(3);
  expect(opacities(54)).toEqual([0.15, 0.15, expect.closeTo(1 - (0.85 * 42) / 48, 9), 1]);
});

it("fades the last forecast when a bulletin has none any more", () => {
  const ended = stormFilm([...history, bulletin(66, false)])!;
  expect(ended.at(ended.ends).forecasts.map(({ issuedAt }) => (issuedAt - BASE) / HOUR)).toEqual([
    0, 6, 12, 54,
  ]);
  expect(ended.at(ended.ends).forecasts.at(-1)!.opacity).toBeLessThan(0.8);
});
