import fc from "fast-check";
import { expect, it } from "vitest";
import { civilOf, type Zone, zoneWith } from "#components/view-state/civil.ts";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import { daysAhead, type Highest, type Sky } from "./days.ts";
import type { SeriesRow } from "./point-queries.ts";

/** Sun 25 Oct 2026 00:00 UTC; in central Europe the clock is set back an hour later. */
const midnight = Date.UTC(2026, 9, 25) / 1000;
const europe = zoneWith((time) => (time < midnight + HOUR_S ? 2 : 1) * HOUR_S, en);
const zones = [europe, ...[0, 5.5, 12, -9, -3.5, 14].map((ahead) => zoneWith(() => ahead * HOUR_S, en))];

const value = fc.option(
  fc.integer({ min: 0, max: 6000 }).map((hundredths) => hundredths / 100),
  { freq: 15 },
);

/** Hours with gaps, in any order of values. */
const randomSeries = fc
  .record({
    hours: fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 260, size: "max" }),
    begins: fc.integer({ min: -40, max: 40 }),
    step: fc.constantFrom(1, 1, 1, 3),
  })
  .map(({ hours, begins, step }) =>
    hours.map(
      ([wind, gust, wave], hour): SeriesRow => ({
        time: midnight + (begins + step * hour) * HOUR_S,
        conditions: { Winds_10m_Intensity: wind, Gust_10m: gust, Waves_Significant_Height: wave },
      }),
    ),
  );

const dayOf = (time: number, zone: Zone) => {
  const { year, month, day } = civilOf(time, zone);
  return `${year}-${month}-${day}`;
};

it("has the highest values of every hour of the whole local day, and names the hours that it lacks", () => {
  fc.assert(
    fc.property(
      randomSeries,
      fc.constantFrom(...zones),
      fc.integer({ min: -30, max: 90 }),
      (rows, zone, hour) => {
        const now = midnight + hour * HOUR_S + 1700;
        const days = daysAhead(rows, now, zone);
        const coming = rows.filter(({ time }) => time > now - HOUR_S);
        const known = coming.filter(({ conditions }) => typeof conditions.Winds_10m_Intensity === "number");
        // No day with a known wind is left out, and none appears twice.
        expect(days.map(({ date }) => `${date.year}-${date.month}-${date.day}`)).toEqual([
          ...new Set(known.map(({ time }) => dayOf(time, zone))),
        ]);
        for (const { date, from, until, ...of } of days) {
          const name = `${date.year}-${date.month}-${date.day}`;
          const hours = coming.filter(({ time }) => dayOf(time, zone) === name);
          const quantities = [
            ["wind", "Winds_10m_Intensity"],
            ["gust", "Gust_10m"],
            ["wave", "Waves_Significant_Height"],
          ] as const;
          for (const [quantity, field] of quantities) {
            const peak: Highest | undefined = of[quantity];
            const counted = hours.filter(
              ({ time }) => (from === undefined || time >= from) && (until === undefined || time < until),
            );
            const values = counted.flatMap(({ conditions }) => conditions[field] ?? []);
            expect(peak?.value).toBe(values.length > 0 ? Math.max(...values) : undefined);
            if (!peak) continue;
            expect(rows.find(({ time }) => time === peak.time)?.conditions[field]).toBe(peak.value);
            // The first moment of the day or of what is known, and its last.
            const begin = from ?? counted[0]!.time;
            const end = until ?? counted.at(-1)!.time + HOUR_S;
            expect(peak.isAtLeast).toBe(values.length < (end - begin) / HOUR_S);
          }
          // Without a stated beginning and end, the hours are those of the whole day.
          if (from === undefined) expect(dayOf(hours[0]!.time - HOUR_S, zone)).not.toBe(name);
          else expect(hours.some(({ time }) => time === from)).toBe(true);
          const last = hours.at(-1)!.time;
          if (until === undefined) expect(dayOf(last + HOUR_S, zone)).not.toBe(name);
          else expect(hours.some(({ time }) => time === until - HOUR_S)).toBe(true);
        }
      },
    ),
    { numRuns: 1000, endOnFailure: true },
  );
});

it("counts 25 hours of the day on which the clock is set back", () => {
  const rows = Array.from({ length: 72 }, (_, hour) => ({
    time: midnight + (hour - 26) * HOUR_S,
    conditions: { Winds_10m_Intensity: hour === 48 ? 30 : 10 },
  }));
  // The last hour of that Sunday is 22:00 UTC.
  const days = daysAhead(rows, midnight - 26 * HOUR_S, europe);
  expect(days.map(({ date, wind, from, until }) => [date.day, wind.value, from, until])).toEqual([
    [24, 10, undefined, undefined],
    [25, 30, undefined, undefined],
    [26, 10, undefined, midnight + 46 * HOUR_S],
  ]);
});

it.each<[Sky | undefined, object]>([
  ["clear", { Cloud_Cover: 10, Precipitation: 0 }],
  ["partly", { Cloud_Cover: 50, Precipitation: 0 }],
  ["cloudy", { Cloud_Cover: 90 }],
  ["rain", { Cloud_Cover: 10, Precipitation: 0.5 }],
  ["heavyRain", { Precipitation: 3 }],
  [undefined, {}],
])("the sky is %s with %j", (sky, conditions) => {
  const rows = [{ time: midnight, conditions: { Winds_10m_Intensity: 5, ...conditions } }];
  expect(daysAhead(rows, midnight, europe)[0]!.sky).toBe(sky);
});
