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

/** Winds in knots from southwest, one every six hours from now on, hourly between as the one before. */
function series(...knots: (number | null)[]): SeriesRow[] {
  return knots.flatMap((wind, index) =>
    Array.from({ length: 6 }, (_, hour) => ({
      time: now + (6 * index + hour) * HOUR_S,
      conditions: {
        Winds_10m_Intensity: wind === null ? null : fromKnots(wind),
        Winds_10m_Direction: 225,
      },
    })),
  );
}

const outlook = (...knots: (number | null)[]) => outlookText(series(...knots), now, defaultUnits, utc);

it("says until when light winds last, without a direction that they do not have", () => {
  expect(outlook(1, 3, 2, 0, 3, 2, 1, 1, 2)).toBe("Light winds until Wed 16");
});

it("says of a wind that hardly changes how strong, from where and until when", () => {
  expect(outlook(14, 13, 15, 14, 18, 14, 13)).toBe("F4 from SW until Wed 16");
});

it("says by when a wind becomes strong or a gale, its peak and when that is over", () => {
  expect(outlook(14, 18, 24, 30, 38, 30, 20, 14)).toBe(
    "F8 from SW by tomorrow, peak 38 kn, below F6 tomorrow 19:00",
  );
  expect(outlook(14, 24, 30, 30, 24)).toBe("F6 from SW by 13:00, peak 30 kn tonight");
  expect(outlook(5, 5, 16, 16, 10)).toBe("F4 from SW by tonight, peak 16 kn");
});

it("follows a rise at the end of three days to its peak, over a lull, and no further", () => {
  const rising = [14, 14, 14, 14, 14, 14, 14, 14, 14, 18, 24, 34, 47];
  expect(outlook(...rising, 61, 50, 20, 14, 70)).toBe("F8 from SW by Thu 17, peak 61 kn");
  const row = (hour: number, knots: number) => ({ ...series(knots)[0]!, time: now + hour * HOUR_S });
  const threeHourly = [row(72, 47), row(75, 46), row(78, 55), row(81, 61), row(84, 40), row(87, 30)];
  const rows = [...series(14, 14, 14, 14, 14, 14, 14, 14, 14, 18, 24, 34), ...threeHourly];
  expect(outlookText(rows, now, defaultUnits, utc)).toMatch(/^F8 from SW by Thu 17, peak 61 kn/);
  expect(outlook(14, 14, 30, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 60)).toMatch(/peak 30 kn/);
});

it("calls a gale what is shown as a gale: 34 knots", () => {
  expect(outlook(14, 33.4, 33.4, 14)).toMatch(/^F6 .*peak 33 kn/);
  expect(outlook(14, 33.6, 33.6, 14)).toMatch(/^F8 .*peak 34 kn/);
});

it("says when a wind that is there eases, and to what", () => {
  expect(outlook(36, 30, 20, 12, 8, 8)).toBe("F8 from SW, easing F3 tomorrow");
});

it("leaves out hours without a value, and says nothing where there is none", () => {
  expect(outlook(null, 14, null, 14, 14)).toBe("F4 from SW until tomorrow");
  expect(outlook(null, null)).toBeUndefined();
  expect(outlookText([], now, defaultUnits, utc)).toBeUndefined();
});

it("judges what comes, not what was", () => {
  const storm = series(60).map((row) => ({ ...row, time: row.time - 24 * HOUR_S }));
  expect(outlookText([...storm, ...series(14, 14)], now, defaultUnits, utc)).toMatch(/^F4 from SW until/);
});

it.each([en, de, es, fr, ja, pt, zh])("is one short sentence in $language", (words) => {
  const text = outlookText(series(14, 18, 24, 30, 38, 30, 20, 14), now, defaultUnits, { ...utc, words });
  expect(text).toContain("38");
  expect(text!.length).toBeLessThan(75);
});
