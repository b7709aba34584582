import { expect, it } from "vitest";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { Catalog } from "./catalog.ts";
import { tideExtremes } from "./extremes.ts";
import { tideBeyond } from "./limit.ts";
import { predictTide } from "./tide.ts";

const catalog = new Catalog(false);
const now = parseInstant("2026-09-14T07:00:00Z");
const brest = catalog.station("ticon:brest-822-fra-uhslc_fd");

it.each([
  ["Brest above 6 m", brest.id, { over: 6 }],
  ["Brest below 1.8 m", brest.id, { under: 1.8 }],
  ["Southampton with its double high waters", "ticon/southampton-sou-gbr-da_idh", { over: 4.2 }],
  ["one tide a day", "noaa/8729840", { over: 0.4 }],
  ["a subordinate station", "noaa/1610367", { over: 0.3 }],
] as [string, string, { over?: number; under?: number }][])(
  "%s: each time is that of the curve, from minute to minute",
  (_, id, limit) => {
    const station = catalog.station(id.replace("/", ":"));
    const to = now + 5 * DAY_S;
    const { spells, datum } = tideBeyond(catalog, station, { ...limit, from: now, to });
    const { curve, datum: chartDatum } = predictTide(catalog, station, { days: 5, now, step: 1 });
    expect(datum).toBe(chartDatum);
    const { over, under = Number.NEGATIVE_INFINITY } = limit;
    const excess = (height: number) => (over === undefined ? under - height : height - over);
    const within = spells.filter((spell) => spell.to > now && spell.from < to);
    expect(within.length).toBeGreaterThan(2);
    const wrong = curve!.heights_m.filter((height, minute) => {
      const time = now + 60 * minute;
      const isFound = within.some((spell) => time >= spell.from && time <= spell.to);
      // Heights of the curve are rounded to a centimetre.
      return isFound !== excess(height) > 0 && Math.abs(excess(height)) > 0.02;
    });
    expect(wrong).toEqual([]);
    for (const { value, peak, from, to: end } of within)
      expect(excess(value) > 0 && peak >= from && peak <= end).toBe(true);
  },
);

it("a level that is never left is one span, one that is never reached is none, and the nearest approach is reported", () => {
  const period = { from: now, to: now + DAY_S };
  const [spell] = tideBeyond(catalog, brest, { ...period, over: -1 }).spells;
  const always = { from: now - 2 * DAY_S, to: now + 2 * DAY_S, hasNoBegin: true, hasNoEnd: true };
  expect(spell).toMatchObject(always);
  expect(spell!.peak).toBeGreaterThanOrEqual(now);
  const never = tideBeyond(catalog, brest, { ...period, over: 9 });
  const { extremes } = predictTide(catalog, brest, { days: 1, now });
  const highest = Math.max(...extremes.map(({ height_m }) => height_m));
  expect([never.spells, never.nearest.value]).toEqual([[], highest]);
});

it("a wrongly named station has its corrected name in watches too", () => {
  const all = new Catalog(true);
  const station = all.station("ticon:port_isaac-pti-gbr-cco");
  const period = { from: now, to: now + DAY_S };
  expect(station.name).not.toBe("Port Isaac");
  expect(tideBeyond(all, station, { ...period, over: 3 }).station).toBe("Port Isaac");
  expect(tideExtremes(all, station, period).station).toBe("Port Isaac");
});
