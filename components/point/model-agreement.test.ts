import { fromKnots } from "@open-metocean/geo/knots";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilOf, type Zone, zoneWith } from "#components/view-state/civil.ts";
import { HOUR_S } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";
import { type Agreement, agreementOf, agreementText, dayText, dayWinds } from "./model-agreement.ts";
import { momentText } from "./outlook.ts";
import type { SeriesRow } from "./point-queries.ts";

/** Sun 25 Oct 2026 00:00 UTC; in central Europe the clock is set back an hour later. */
const midnight = Date.UTC(2026, 9, 25) / 1000;
type ModelZone = Zone<"models">;
const zoneOf = (offset: (time: number) => number) => zoneWith(offset, en) as ModelZone;
const europe = zoneOf((time) => (time < midnight + HOUR_S ? 2 : 1) * HOUR_S);
const zones = [europe, ...[0, 5.5, 12, -9, -3.5, 14].map((ahead) => zoneOf(() => ahead * HOUR_S))];
const utc = zones[1]!;

interface Model {
  title: string;
  rows: SeriesRow[];
}

const rowsOf = (winds: readonly (number | null)[]): SeriesRow[] =>
  winds.map((wind, hour) => ({
    time: midnight + hour * HOUR_S,
    conditions: { Winds_10m_Intensity: wind },
  }));

const LENGTH = 200;

/** Winds that are calm, strong or of a gale for some hours, at the limits of the forces too. */
const winds = fc
  .array(
    fc.tuple(
      fc.constantFrom(2, 8, 10.74, 10.75, 12, 17.14, 17.15, 25),
      fc.constantFrom(1, 2, 12, 13, 24, 60),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => {
    const all = parts.flatMap(([wind, hours]) => Array.from({ length: hours }, () => wind));
    return Array.from({ length: LENGTH }, (_, hour): number | null => all[hour] ?? all[0]!);
  });

/** Models that know everything, end early, begin late, have a gap, or know nothing (lack the wind, or are absent). */
const known = fc.oneof(
  { weight: 4, arbitrary: fc.constant(() => true) },
  fc.nat(LENGTH).map((end) => (hour: number) => hour < end),
  fc.nat(40).map((start) => (hour: number) => hour >= start),
  fc.tuple(fc.nat(LENGTH), fc.nat(9)).map(
    ([from, length]) =>
      (hour: number) =>
        hour < from || hour > from + length,
  ),
  fc.constant(() => false),
);

const randomModels = fc.array(fc.tuple(winds, known), { minLength: 2, maxLength: 8 }).map((models) =>
  models.map(
    ([all, isKnown], index): Model => ({
      title: `M${index}`,
      rows: rowsOf(all.map((wind, hour) => (isKnown(hour) ? wind : null))),
    }),
  ),
);

/** Forces by the table of the World Meteorological Organization, of winds in tenths of m s-1. */
const isForce = (force: number, wind: number) => Math.round(wind * 10) >= (force === 8 ? 172 : 108);

/** Winds of the coming hours, NaN for unknown. */
const comingOf = ({ rows }: Model, now: number) =>
  rows
    .filter(({ time }) => time + HOUR_S > now)
    .map(({ time, conditions }) => ({ time, wind: conditions.Winds_10m_Intensity ?? Number.NaN }));

function expectTrue(said: Agreement, models: readonly Model[], now: number): void {
  const { force } = said;
  const hours = (title: string) => comingOf(models.find((one) => one.title === title)!, now);
  const all = [
    ...said.have,
    ...said.unknown,
    ...[...said.later, ...said.never].map(({ title }) => title),
  ].sort();
  expect(all).toEqual(models.map(({ title }) => title).sort());
  // Gales come first: strong winds are counted only where no hour of any model has a gale.
  if (said.force === 6)
    expect(models.some((one) => comingOf(one, now).some(({ wind }) => isForce(8, wind)))).toBe(false);
  const before = (title: string, end: number) => hours(title).filter(({ time }) => time < end);
  const has = (title: string) => before(title, said.until).some(({ wind }) => isForce(force, wind));
  expect(said.have).toEqual(models.map(({ title }) => title).filter(has));
  const isClear = (title: string, end: number) =>
    before(title, end).every(({ wind }) => wind >= 0 && !isForce(force, wind));
  for (const { title, time } of [...said.later, ...said.never]) {
    expect(time).toBeGreaterThanOrEqual(said.until);
    expect(isClear(title, time)).toBe(true);
  }
  for (const { title } of said.later)
    expect(hours(title).some(({ time, wind }) => time >= said.until && isForce(force, wind))).toBe(true);
  for (const { title } of said.never) {
    expect(hours(title).some(({ wind }) => isForce(force, wind))).toBe(false);
  }
  // A model that cannot say is never counted as one that has none.
  for (const title of said.unknown) {
    expect(
      before(title, said.until).some(({ wind }) => Number.isNaN(wind)) || hours(title).length === 0,
    ).toBe(true);
    expect(has(title)).toBe(false);
  }
}

it("counts what models say in every hour, and counts none that does not know as one that has no gale", () => {
  fc.assert(
    fc.property(randomModels, fc.integer({ min: -30 * 60, max: (LENGTH + 2) * 60 }), (models, minutes) => {
      const now = midnight + minutes * 60;
      const said = agreementOf(models, now);
      if (said) return expectTrue(said, models, now);
      // Nothing is said only where no model knows the first hour and none has a strong wind.
      for (const model of models) {
        const hours = comingOf(model, now);
        expect(hours.some(({ wind }) => isForce(6, wind))).toBe(false);
        expect(hours[0]?.wind ?? Number.NaN).toBeNaN();
      }
    }),
    { numRuns: 2000, endOnFailure: true },
  );
});

/** A time of a sentence by the clock of a zone, as weekday, day and clock; the day is left out within six days. */
const labels = (time: number, zone: Zone) => {
  const { year, month, day, hour, minute } = civilOf(time, zone);
  const weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][
    new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  ]!;
  const clock = `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
  return [`${weekday} ${clock}`, `${weekday} ${day} ${clock}`];
};

it("writes the same counts and times in the sentence, by the clock of every zone", () => {
  fc.assert(
    fc.property(
      randomModels,
      fc.constantFrom(...zones),
      fc.integer({ min: -60, max: LENGTH * 60 }),
      (models, zone, minutes) => {
        const now = midnight + minutes * 60;
        const said = agreementOf(models, now);
        if (!said) return;
        const text = agreementText(said, now, zone);
        const [, all, some, of, what, when, time] =
          /^(?:All (\d+)|(\d+) of (\d+)) models (?:has|have|stays|stay) (F[68] or more|below F6) (now|(?:before|up to) (\w{3}(?: \d+)? \d\d:\d\d))/.exec(
            text,
          ) ?? [];
        expect(Number(all ?? of)).toBe(models.length);
        const force = what === "F8 or more" ? 8 : 6;
        // The clock is set back once, so a time may name two hours; one of them is meant.
        const times = Array.from({ length: LENGTH + 2 }, (_, hour) => midnight + hour * HOUR_S).filter(
          (one) =>
            one > now - HOUR_S && (when === "now" ? one <= now + HOUR_S : labels(one, zone).includes(time!)),
        );
        const count = (end: number) =>
          models.filter((model) => {
            const hours = comingOf(model, now).filter((hour) => hour.time < end);
            return what === "below F6"
              ? hours.length > 0 && hours.every(({ wind }) => wind >= 0 && !isForce(6, wind))
              : hours.some(({ wind }) => isForce(force, wind));
          }).length;
        expect(times.map(count)).toContain(Number(all ?? some));
        for (const title of said.unknown) expect(text).toMatch(new RegExp(`not known: .*\\b${title}\\b`));
        for (const [kind, list] of [
          ["before", said.later],
          ["up to", said.never],
        ] as const)
          if (said.have.length > 0 && list.length > 0 && list.length <= 2)
            for (const one of list)
              expect(text).toMatch(
                new RegExp(`\\b${one.title}\\b[^,;]* none ${kind} ${momentText(one.time, now, zone)}`),
              );
      },
    ),
    { numRuns: 1000, endOnFailure: true },
  );
});

/** A model with a gale at some hours. */
const model = (title: string, gales: readonly number[], length = LENGTH, below = fromKnots(20)): Model => ({
  title,
  rows: rowsOf(
    Array.from({ length: LENGTH }, (_, hour) =>
      hour >= length ? null : gales.includes(hour) ? fromKnots(40) : below,
    ),
  ),
});

describe("the sentence of models", () => {
  const say = (...models: Model[]) => {
    const said = agreementOf(models, midnight);
    return said && agreementText(said, midnight, utc);
  };
  const early = [model("GFS", [100]), model("AIFS", [105]), model("UKMO", [113]), model("ARPEGE", [101])];

  it.each<[string, Model[], string]>([
    [
      "counts the many and names the one that has it later",
      [...early, model("ECMWF", [126])],
      "4 of 5 models have F8 or more before Thu 18:00; ECMWF none before Fri 06:00.",
    ],
    [
      "names the few, and counts the others up to the end that all of them know",
      [model("UKMO", [100]), model("GFS", []), model("ECMWF", [], 180), model("AIFS", [])],
      "1 of 4 models has F8 or more before Thu 05:00 (UKMO); 3 others none up to Sun 1 12:00.",
    ],
    [
      "names a model that ends before, or knows nothing",
      [...early, model("EWAM", [], 78), model("GWAM", [], 0)],
      "4 of 6 models have F8 or more before Thu 18:00; not known: EWAM, GWAM.",
    ],
    ["says where all have it", early, "All 4 models have F8 or more before Thu 18:00."],
    [
      "tells those that have none each with its end",
      [early[0]!, early[1]!, early[2]!, model("ECMWF", []), model("EWAM", [], 150)],
      "3 of 5 models have F8 or more before Thu 18:00; EWAM none up to Sat 31 06:00, ECMWF none up to Mon 2 08:00.",
    ],
    [
      "counts strong winds where no model has a gale",
      [model("GFS", [], LENGTH, 12), model("ECMWF", [])],
      "1 of 2 models has F6 or more now; ECMWF none up to Mon 2 08:00.",
    ],
    [
      "says up to when there is neither",
      [model("GFS", []), model("ECMWF", []), model("EWAM", [], 78)],
      "2 of 3 models stay below F6 up to Mon 2 08:00; not known: EWAM.",
    ],
  ])("%s", (_, models, text) => {
    expect(say(...models)).toBe(text);
  });

  it("is not there where no model knows anything", () => {
    expect(say(model("GFS", [], 0), model("ECMWF", [], 0))).toBeUndefined();
  });

  it.each([en, fr, es, de, pt, ja, zh])("has all its numbers, times and names in $language", (words) => {
    const zone = { ...utc, words };
    const said = agreementOf(
      [...early, model("ECMWF", [126]), model("ICON", []), model("EWAM", [], 78)],
      midnight,
    )!;
    const text = agreementText(said, midnight, zone);
    expect(text).not.toMatch(/undefined|NaN/);
    for (const part of ["4", "7", "8", "18:00", "ECMWF", "06:00", "ICON", "08:00", "EWAM"])
      expect(text).toContain(part);
  });
});

it("has the lowest and highest of the strongest winds of a day, of the models that know all its hours", () => {
  fc.assert(
    fc.property(
      randomModels,
      fc.constantFrom(...zones),
      fc.nat(LENGTH * 60),
      fc.nat(LENGTH - 1),
      (models, zone, minutes, hour) => {
        const [now, time] = [midnight + minutes * 60, midnight + hour * HOUR_S];
        const said = dayWinds(models, time, now, zone);
        const dayOf = (of: number) => labels(of, zone)[1]!.slice(0, -6);
        const hours = (one: Model) => comingOf(one, now).filter((at) => dayOf(at.time) === dayOf(time));
        const isWhole =
          hours(models[0]!).length > 0 &&
          comingOf(models[0]!, now).some((at) => at.time > time && dayOf(at.time) !== dayOf(time));
        expect(said !== undefined).toBe(isWhole);
        if (!said) return;
        const peaks = models.map((one) => ({
          title: one.title,
          wind: Math.max(...hours(one).map(({ wind }) => wind)),
        }));
        expect([...said.unknown].sort()).toEqual(
          peaks.filter(({ wind }) => Number.isNaN(wind)).map(({ title }) => title),
        );
        expect([...said.known].sort((a, b) => a.title.localeCompare(b.title))).toEqual(
          peaks.filter(({ wind }) => !Number.isNaN(wind)),
        );
        for (const [index, { wind }] of said.known.entries())
          expect(wind).toBeGreaterThanOrEqual(said.known[index - 1]?.wind ?? 0);
      },
    ),
    { numRuns: 1000, endOnFailure: true },
  );
});

it("writes the range of a day with the models at its ends, and one number where they say the same", () => {
  const say = (...models: Model[]) =>
    dayText(
      dayWinds(models, midnight + 30 * HOUR_S, midnight, utc)!,
      midnight + 30 * HOUR_S,
      defaultUnits,
      utc,
    );
  const calm = model("GFS", [], LENGTH, fromKnots(11.2));
  expect(say(model("UKMO", [40]), calm, model("AIFS", []), model("EWAM", [], 30))).toBe(
    "Mon 26 Oct: strongest wind 12 kn (GFS) to 40 kn (UKMO); not known: EWAM",
  );
  expect(say(calm, model("AIFS", [], LENGTH, fromKnots(11.9)))).toBe(
    "Mon 26 Oct: strongest wind 12 kn in 2 models",
  );
  expect(say(calm, model("EWAM", [], 30))).toBeUndefined();
});
