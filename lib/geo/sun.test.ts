import { expect, it } from "vitest";
import { nightsAt } from "./sun.ts";

const DAY_S = 86_400;

/** Nights of a UTC day, from midnight to midnight. */
function nightsOf(day: string, latitude: number, longitude: number) {
  const from = Date.parse(`${day}T00:00:00Z`) / 1000;
  return nightsAt({ latitude, longitude }, from, from + DAY_S);
}

/** Formats a time to the nearest minute, as in published tables. */
const clock = (time: number) => new Date((time + 30) * 1000).toISOString().slice(11, 16);

// Times published by the U.S. Naval Observatory, UTC.
it.each([
  ["Anchorage", 61.216667, -149.866667, "2020-01-05", "19:11", "00:57"],
  ["Anchorage", 61.216667, -149.866667, "2020-06-25", "12:22", "07:42"],
  ["Auckland", -36.833333, 174.8, "2020-01-05", "17:09", "07:44"],
  ["Brasilia", -15.8, -47.85, "2020-03-25", "09:16", "21:18"],
  ["Brasilia", -15.8, -47.85, "2020-12-15", "08:35", "21:39"],
  ["Singapore", 1.283333, 103.833333, "2020-10-25", "22:46", "10:51"],
])(
  "is dark at %s as the Naval Observatory's tables have it (%f, %f, %s)",
  (_, latitude, longitude, day, rise, set) => {
    const nights = nightsOf(day, latitude, longitude);
    expect(nights.length).toBeLessThanOrEqual(2);
    expect(nights.flatMap(({ from, to }) => [from, to]).map(clock)).toEqual(
      expect.arrayContaining([rise, set]),
    );
  },
);

it("has no night where the sun does not set, and no day where it does not rise", () => {
  expect(nightsOf("2026-06-21", 78, 15)).toEqual([]);
  const [night] = nightsOf("2026-12-21", 78, 15);
  expect(night!.to - night!.from).toBe(DAY_S);
});
