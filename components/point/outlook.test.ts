import { fromKnots, toKnots } from "@open-metocean/geo/knots";
import fc from "fast-check";
import { expect, it } from "vitest";
import { civilOf, utc, weekdayOf, type Zone, zoneWith } from "#components/view-state/civil.ts";
import { formatClock, formatWeekdayDay } from "#components/view-state/format-time.ts";
import { defaultLimits, type Limits } from "#lib/passage/limits.ts";
import { HOUR_S } from "#lib/time.ts";
import { defaultUnits, toBeaufort, type Units, unitFor } from "#lib/units.ts";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";
import { outlookOf, outlookText } from "./outlook.ts";
import type { SeriesRow } from "./point-queries.ts";

/** Mon 14 Sep 2026 07:00 UTC. */
const now = Date.UTC(2026, 8, 14, 7) / 1000;
const { sail } = defaultLimits;
const english = { now, units: defaultUnits, zone: utc, limits: undefined };

/** An hour with gusts a quarter above the wind. @param knots null for an hour without values. */
const row = (hour: number, knots: number | null, sea: number | null = 1.4): SeriesRow => ({
  time: now + hour * HOUR_S,
  conditions: {
    Winds_10m_Intensity: knots === null ? null : fromKnots(knots),
    Winds_10m_Direction: 225,
    Gust_10m: knots === null ? null : fromKnots(1.25 * knots),
    Waves_Significant_Height: sea,
  },
});

/** South-westerly winds in knots, one per six hours from now on; hours in between repeat the value. */
const series = (...knots: (number | null)[]) =>
  knots.flatMap((wind, index) => Array.from({ length: 6 }, (_, hour) => row(6 * index + hour, wind)));
const calm = Array<number>(13).fill(14);
const gale = series(14, 18, 24, 30, 38, 30, 20, 14);

it.each<[string, readonly SeriesRow[], string | undefined]>([
  [
    "light winds have no direction",
    series(1, 3, 2, 0),
    "Light winds. Until Tue 06:00: max 3 kn (Mon 13:00), gusts 4 kn, sea 1.4 m.",
  ],
  [
    "one that hardly changes",
    series(14, 13, 15, 14),
    "F4 from SW now. Until Tue 06:00: max 15 kn (Mon 19:00), gusts 19 kn, sea 1.4 m.",
  ],
  [
    "a gale, its peak and when it is over",
    gale,
    "F8 from SW by Tue 07:00, below F6 from Tue 19:00. Until Wed 06:00: max 38 kn (Tue 07:00), gusts 48 kn, sea 1.4 m.",
  ],
  [
    "a storm after the gale, by its own force",
    series(14, 18, 24, 36, 52, 30, 20, 14),
    "F8 from SW by Tue 01:00, up to F10, below F6 from Tue 19:00. Until Wed 06:00: max 52 kn (Tue 07:00), gusts 65 kn, sea 1.4 m.",
  ],
  [
    "a rise by one force before it eases",
    series(36, 42, 20, 12, 8, 12),
    "F8 from SW now, up to F9, F5 or less from Mon 19:00. Until Tue 18:00: max 42 kn (Mon 13:00), gusts 53 kn, sea 1.4 m.",
  ],
  [
    "a rise by two forces",
    series(5, 5, 18, 18, 10),
    "F5 from SW by Mon 19:00. Until Tue 12:00: max 18 kn (Mon 19:00), gusts 23 kn, sea 1.4 m.",
  ],
  [
    "a wind that eases, and stays so",
    series(36, 30, 20, 12, 8, 12),
    "F8 from SW now, F5 or less from Mon 19:00. Until Tue 18:00: max 36 kn (Mon 07:00), gusts 45 kn, sea 1.4 m.",
  ],
  [
    "no easing that does not last",
    series(25, 25, 12, 12, 25, 25),
    "F6 from SW now. Until Tue 18:00: max 25 kn (Mon 07:00), gusts 32 kn, sea 1.4 m.",
  ],
  [
    "a quiet beginning does not hide what follows",
    series(...calm.slice(1), 12, 14, 25, 25, 14),
    "F4 from SW now. Until Thu 07:00: max 14 kn (Mon 07:00), gusts 18 kn, sea 1.4 m. Then until Fri 12:00: max 25 kn (Thu 19:00), gusts 32 kn, sea 1.4 m.",
  ],
  [
    "a storm in a week, by date",
    series(...calm, ...calm, 50),
    "F4 from SW now. Until Thu 07:00: max 14 kn (Mon 07:00), gusts 18 kn, sea 1.4 m. Then until Mon 21 00:00: max 50 kn (Sun 20 19:00), gusts 63 kn, sea 1.4 m.",
  ],
  [
    "a swell after the three days",
    [...series(...calm), row(80, 14, 4.2)],
    "F4 from SW now. Until Thu 07:00: max 14 kn (Mon 07:00), gusts 18 kn, sea 1.4 m. Then until Thu 15:00: max 14 kn (Thu 08:00), gusts 18 kn, sea 4.2 m.",
  ],
  [
    "nothing after the three days where no sea is known and the wind stays",
    [...calm, 14, 14].flatMap((knots, index) => [
      row(6 * index, knots, null),
      row(6 * index + 3, knots, null),
    ]),
    "F4 from SW now. Until Thu 07:00: max 14 kn (Mon 07:00), gusts 18 kn.",
  ],
  [
    "33.4 kn are a gale in metres per second, and are rounded up to one",
    series(14, 33.4, 14, 14),
    "F8 from SW by Mon 13:00, below F6 from Mon 19:00. Until Tue 06:00: max 34 kn (Mon 13:00), gusts 42 kn, sea 1.4 m.",
  ],
  [
    "hours without a value are counted",
    [row(0, null), row(1, 14), row(2, null), row(3, 14, null), row(4, 14), row(5, null)],
    "F4 from SW Mon 08:00. Until Mon 11:00: max 14 kn (Mon 08:00), gusts 18 kn, sea 1.4 m, 3 h not known.",
  ],
  ["no value", series(null, null), undefined],
  ["no hour", [], undefined],
  [
    "what was is not judged",
    [row(-24, 60), row(0, 14), row(1, 14)],
    "F4 from SW now. Until Mon 08:00: max 14 kn (Mon 07:00), gusts 18 kn, sea 1.4 m.",
  ],
])("%s", (_, rows, text) => {
  expect(outlookText(rows, english)).toBe(text);
});

it.each<[string, readonly SeriesRow[], Partial<Limits>, string | undefined]>([
  ["hours above them", gale, {}, "Above your boat's limits 18 h, first Tue 01:00."],
  [
    "that none is above",
    gale,
    { wind_kt: 40, gust_kt: 50 },
    "Wind, gusts and sea within your boat's limits.",
  ],
  ["gusts alone", gale, { wind_kt: 40, gust_kt: 40 }, "Above your boat's limits 6 h, first Tue 07:00."],
  [
    "a sea",
    gale,
    { wind_kt: null, gust_kt: null, beam_sea_m: 1.3 },
    "Above your boat's limits 48 h, first Mon 07:00.",
  ],
  [
    "that it may be more, where hours lack a value",
    [...gale, row(48, null), row(49, 14)],
    {},
    "Above your boat's limits at least 18 h, first Tue 01:00.",
  ],
  ["nothing where it is not known", [...gale, row(48, 14, null)], { wind_kt: 40, gust_kt: 50 }, undefined],
])("says of the limits of the vessel: %s", (_, rows, limits, text) => {
  expect(outlookOf(rows, { ...english, limits: { ...sail, ...limits } })?.limits).toBe(text);
});

const value = (most: number) =>
  fc.option(
    fc.integer({ min: 0, max: 100 * most }).map((hundredths) => hundredths / 100),
    { freq: 20 },
  );

/** Hourly rows at first, then possibly coarser steps, with gaps; a quantity may be unknown throughout. */
const randomSeries = fc
  .record({
    steps: fc.array(fc.tuple(value(45), value(60), value(16)), { minLength: 2, maxLength: 120, size: "max" }),
    calmed: fc.constantFrom(1, 0.1, 0.2, 0.5),
    calmUntil: fc.integer({ min: 0, max: 250 }),
    lacks: fc.constantFrom("", "", "gust", "sea"),
    begins: fc.integer({ min: -30, max: 3 }),
    coarseFrom: fc.integer({ min: 0, max: 200 }),
  })
  .map(({ steps, calmed, calmUntil, lacks, begins, coarseFrom }) => {
    let time = now + begins * HOUR_S;
    return steps.map(([wind, gust, sea]): SeriesRow => {
      const at = time;
      time += at >= now + coarseFrom * HOUR_S ? 3 * HOUR_S : HOUR_S;
      const factor = at < now + calmUntil * HOUR_S ? calmed : 1;
      const part = (one: number | null) => (one === null ? null : Math.round(100 * factor * one) / 100);
      return {
        time: at,
        conditions: {
          Winds_10m_Intensity: part(wind),
          Winds_10m_Direction: wind === 0 ? null : (7 * at) % 360,
          Gust_10m: lacks === "gust" ? null : part(gust),
          Waves_Significant_Height: lacks === "sea" ? null : part(sea),
        },
      };
    });
  });

const manyUnits: Units[] = [
  defaultUnits,
  { ...defaultUnits, speed: "m/s", length: "ft" },
  { ...defaultUnits, speed: "km/h", length: "fm" },
  { ...defaultUnits, speed: "Bft" },
];

/** The row whose time a text such as `Thu 15:00` or `Thu 17 15:00` names; undefined if there is none. */
function timeIn(text: string, rows: readonly SeriesRow[], zone: Zone): number | undefined {
  return rows.find(({ time }) => {
    const day = zone.words.dates.days[weekdayOf(civilOf(time, zone))]!;
    const clock = formatClock(time, zone);
    return (
      time > now - HOUR_S && [`${day} ${clock}`, `${formatWeekdayDay(time, zone)} ${clock}`].includes(text)
    );
  })?.time;
}

/** Numbers in a sentence that precede or follow a unit, converted back to the unit of the API. */
function numbersIn(text: string, answered: string, units: Units, zone: Zone): number[] {
  const unit = unitFor(answered, units, undefined, zone.words);
  const found = text.matchAll(
    new RegExp(
      `(\\d+(?:[.,]\\d+)?)[\\s\\u00a0\\u202f]?${unit.symbol}(?![\\p{L}/])|(?<!\\p{Script=Latin})${unit.symbol}[\\s\\u00a0\\u202f]?(\\d+)`,
      "gu",
    ),
  );
  return [...found].map(([, before, after]) => Number((before ?? after)!.replace(",", ".")));
}

/** The end that the sentence with the highest values names. */
function untilIn(text: string, language: string): string {
  const ends: Record<string, [string, string]> = {
    en: ["ntil ", ": "],
    de: ["is ", ": "],
    fr: ["usqu’à ", "\u00a0: "],
    es: ["asta ", ": "],
    pt: ["té ", ": "],
    ja: ["", "まで"],
    zh: ["至", "："],
  };
  const [from, to] = ends[language]!;
  const start = text.indexOf(from) + from.length;
  const until = text.slice(start, text.indexOf(to, start));
  return language === "ja" ? until.replace("その後", "") : until;
}

it.each([en, de, es, fr, ja, pt, zh])(
  "no hour of its time is worse than it says, in $language and in all units",
  (words) => {
    fc.assert(
      fc.property(
        randomSeries,
        fc.constantFrom(...manyUnits),
        fc.constantFrom(0, 5.5, -9, 13),
        (rows, units, ahead) => {
          const zone = zoneWith(() => ahead * HOUR_S, words);
          const outlook = outlookOf(rows, { now, units, zone, limits: sail });
          if (!outlook) return;
          const named = [outlook.highest, outlook.later].filter((one) => one !== undefined);
          let begin = now - HOUR_S;
          for (const text of named) {
            const end = timeIn(untilIn(text, words.language), rows, zone)!;
            const spoken = rows.filter(({ time }) => time > begin && time <= end);
            expect(spoken.length).toBeGreaterThan(0);
            const [wind, gust = Number.NaN] = numbersIn(text, "m/s", units, zone);
            const [sea = Number.NaN] = numbersIn(text, "m", units, zone);
            const shown = (api: string, number: number) => unitFor(api, units, undefined, words).to(number);
            // The bar beside the sentence has the colour of its strongest wind.
            const peak = text === outlook.highest ? outlook.peak : outlook.laterPeak;
            expect(peak).toBe(Math.max(...spoken.map((row) => row.conditions.Winds_10m_Intensity ?? -1)));
            for (const { conditions } of spoken) {
              const { Winds_10m_Intensity: w, Gust_10m: g, Waves_Significant_Height: s } = conditions;
              if (typeof w === "number") expect(shown("m/s", w)).toBeLessThanOrEqual(wind! + 1e-6);
              if (typeof g === "number") expect(shown("m/s", g)).toBeLessThanOrEqual(gust + 1e-6);
              if (typeof s === "number") expect(shown("m", s)).toBeLessThanOrEqual(sea + 1e-6);
            }
            begin = end;
          }
          // Times that the sentence leaves out have no strong wind after a weak one.
          const strongest = (steps: readonly SeriesRow[]) =>
            toBeaufort(Math.max(0, ...steps.map(({ conditions }) => conditions.Winds_10m_Intensity ?? 0)));
          const judged = rows.filter(({ time }) => time > now - HOUR_S && time <= begin);
          const silent = rows.filter(({ time }) => time > begin);
          expect(strongest(silent)).toBeLessThan(strongest(judged) + 2);
        },
      ),
      { numRuns: 300, endOnFailure: true },
    );
  },
);

it("names forces and hours above limits that hold in every hour, of 2,000 random series", () => {
  fc.assert(
    fc.property(
      randomSeries,
      fc.constantFrom<Partial<Limits>>({}, { wind_kt: 10, gust_kt: 12 }, { wind_kt: null, gust_kt: null }),
      (rows, own) => {
        const limits = { ...sail, ...own };
        const outlook = outlookOf(rows, { ...english, limits });
        if (!outlook) return;
        const end = timeIn(untilIn(outlook.highest, "en"), rows, utc)!;
        const near = rows.filter(({ time }) => time > now - HOUR_S && time <= end);
        const forces = near.flatMap(({ time, conditions: { Winds_10m_Intensity: wind } }) =>
          typeof wind === "number" ? [{ time, force: toBeaufort(wind) }] : [],
        );
        const first = forces[0]!.force;
        const { trend } = outlook;
        const [, force, most = force, less, at] =
          /^F(\d+).*?(?:, up to F(\d+))?(?:, below .*)?(?:, F(\d+) or less from (.*))?\.$/.exec(trend) ?? [];
        const [, when] = / by (.*?)[.,]/.exec(trend) ?? [];
        const [, below] = /below F6 from (.*)\.$/.exec(trend) ?? [];
        const peak = Math.max(...forces.map((one) => one.force));
        if (trend === "Light winds.") expect(peak).toBeLessThan(2);
        else expect(Number(most)).toBe(peak);
        if (when) {
          expect(forces.find((one) => one.force >= Number(force))?.time).toBe(timeIn(when, rows, utc));
        } else if (force) {
          // If no rise is stated, no hour is two forces above the first one, and no gale is left out.
          expect(Number(force)).toBe(first);
          expect(peak).toBeLessThan(first + 2);
        }
        const later = (from: string | undefined) => {
          const start = from === undefined ? Number.POSITIVE_INFINITY : timeIn(from, rows, utc)!;
          return forces.filter(({ time }) => time >= start);
        };
        for (const one of later(at)) expect(one.force).toBeLessThanOrEqual(Number(less));
        for (const one of later(below)) expect(one.force).toBeLessThan(6);

        const over = near.filter(
          ({ conditions: { Winds_10m_Intensity: w, Gust_10m: g, Waves_Significant_Height: s } }) =>
            [
              [toKnots(w ?? 0), limits.wind_kt],
              [toKnots(g ?? 0), limits.gust_kt],
              [s ?? 0, limits.head_sea_m],
            ].some(([one, most]) => most !== null && one! > most!),
        );
        const text = outlook.limits ?? "";
        if (over.length === 0) expect(text).not.toContain("Above");
        else {
          expect(Number(/(\d+) h/.exec(text)?.[1])).toBeGreaterThanOrEqual(over.length);
          expect(timeIn(/first (.*)\.$/.exec(text)![1]!, rows, utc)).toBe(over[0]!.time);
        }
      },
    ),
    { numRuns: 2000, endOnFailure: true },
  );
});

it.each([en, de, es, fr, ja, pt, zh])("is short in $language", (words) => {
  const outlook = outlookOf(gale, { ...english, zone: { ...utc, words }, limits: sail });
  expect(outlook!.highest).toContain("38");
  expect(outlook!.trend.length).toBeLessThan(70);
  expect(outlook!.highest.length).toBeLessThan(85);
});
