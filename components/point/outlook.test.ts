import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { fromKnots } from "#lib/knots.ts";
import { HOUR_S } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";
import { outlookText } from "./outlook.ts";
import type { SeriesRow } from "./point-queries.ts";

/** Mon 14 Sep 2026 07:00 UTC. */
const now = Date.UTC(2026, 8, 14, 7) / 1000;

const row = (hour: number, knots: number | null): SeriesRow => ({
  time: now + hour * HOUR_S,
  conditions: { Winds_10m_Intensity: knots === null ? null : fromKnots(knots), Winds_10m_Direction: 225 },
});

/** Winds in knots from southwest, one every six hours from now on, hourly between as the one before. */
const series = (...knots: (number | null)[]) =>
  knots.flatMap((wind, index) => Array.from({ length: 6 }, (_, hour) => row(6 * index + hour, wind)));
const calm = Array<number>(9).fill(14);
const late = [row(72, 47), row(75, 46), row(78, 55), row(81, 61), row(84, 40), row(87, 30)];

it.each<[string, readonly SeriesRow[], string | undefined]>([
  ["light winds have no direction", series(1, 3, 2, 0, 3, 2, 1, 1, 2), "Light winds until Wed 16"],
  ["one that hardly changes", series(14, 13, 15, 14, 18, 14, 13), "F4 from SW until Wed 16"],
  [
    "a gale, its peak and when it is over",
    series(14, 18, 24, 30, 38, 30, 20, 14),
    "F8 from SW by tomorrow, peak 38 kn, below F6 tomorrow 19:00",
  ],
  ["a strong wind", series(14, 24, 30, 30, 24), "F6 from SW by 13:00, peak 30 kn tonight"],
  ["one that rises by two forces", series(5, 5, 16, 16, 10), "F4 from SW by tonight, peak 16 kn"],
  [
    "a rise at the end of three days, followed to its peak and no further",
    series(...calm, 18, 24, 34, 47, 61, 50, 20, 14, 70),
    "F8 from SW by Thu 17, peak 61 kn",
  ],
  [
    "one over a lull of steps of three hours",
    [...series(...calm, 18, 24, 34), ...late],
    "F8 from SW by Thu 17, peak 61 kn",
  ],
  [
    "a wind far ahead is not judged",
    series(14, 14, 30, ...calm, 14, 14, 60),
    "F6 from SW by tonight, peak 30 kn, below F6 tonight 01:00",
  ],
  ["33.4 kn are shown as 33: no gale", series(14, 33.4, 33.4, 14), "F6 from SW by 13:00, peak 33 kn"],
  ["33.6 kn are shown as 34: a gale", series(14, 33.6, 33.6, 14), "F8 from SW by 13:00, peak 34 kn"],
  ["one that eases", series(36, 30, 20, 12, 8, 8), "F8 from SW, easing F3 tomorrow"],
  ["hours without a value are left out", series(null, 14, null, 14, 14), "F4 from SW until tomorrow"],
  ["no value", series(null, null), undefined],
  ["no hour", [], undefined],
  ["what was is not judged", [row(-24, 60), ...series(14, 14)], "F4 from SW until tonight"],
])("%s", (_, rows, text) => {
  expect(outlookText(rows, now, defaultUnits, utc)).toBe(text);
});

it.each([en, de, es, fr, ja, pt, zh])("is one short sentence in $language", (words) => {
  const text = outlookText(series(14, 18, 24, 30, 38, 30, 20, 14), now, defaultUnits, { ...utc, words });
  expect(text).toContain("38");
  expect(text!.length).toBeLessThan(75);
});
