import { expect, it } from "vitest";
import { DAY_S, parseInstant } from "#lib/time.ts";
import { Catalog } from "./catalog.ts";
import { tideBeyond } from "./limit.ts";
import { predictTide } from "./tide.ts";

const catalog = new Catalog(false);
const now = parseInstant("2026-09-14T07:00:00Z");

it.each([
  ["Brest above 6 m", "ticon:brest-822-fra-uhslc_fd", { over: 6 }],
  ["Brest below 1.8 m", "ticon:brest-822-fra-uhslc_fd", { under: 1.8 }],
  ["Southampton with its double high waters", "ticon:southampton-sou-gbr-da_idh", { over: 4.2 }],
  ["one tide a day", "noaa:8729840", { over: 0.4 }],
  ["a subordinate station", "noaa:1610367", { over: 0.3 }],
])("%s: each time is that of the curve, from minute to minute", (_, id, limit) => {
  const station = catalog.station(id);
  const to = now + 5 * DAY_S;
  const { spells, datum } = tideBeyond(catalog, station, { ...limit, from: now, to });
  const { curve, datum: chartDatum } = predictTide(catalog, station, { days: 5, now, step: 1 });
  expect(datum).toBe(chartDatum);
  const level = "over" in limit ? limit.over! : limit.under!;
  const isBeyond = (height: number) => ("over" in limit ? height > level : height < level);
  const within = spells.filter((spell) => spell.to > now && spell.from < to);
  expect(within.length).toBeGreaterThan(2);
  let wrong = 0;
  for (const [minute, height] of curve!.heights_m.entries()) {
    const time = now + 60 * minute;
    const found = within.some((spell) => time >= spell.from && time <= spell.to);
    // Heights of the curve are rounded to a centimetre.
    if (found !== isBeyond(height) && Math.abs(height - level) > 0.02) wrong++;
  }
  expect(wrong).toBe(0);
  for (const { value, peak, from, to: end } of within) {
    expect(isBeyond(value) && peak >= from && peak <= end).toBe(true);
  }
});

it("a level that is never left is one time, and one that is never reached none; what is nearest is told", () => {
  const station = catalog.station("ticon:brest-822-fra-uhslc_fd");
  const asked = { from: now, to: now + DAY_S };
  const always = tideBeyond(catalog, station, { ...asked, over: -1 });
  const [spell] = always.spells;
  expect(spell).toMatchObject({ from: now - 2 * DAY_S, to: now + 2 * DAY_S });
  expect(spell).toMatchObject({ hasNoBegin: true, hasNoEnd: true });
  expect(spell!.peak).toBeGreaterThanOrEqual(now);
  const never = tideBeyond(catalog, station, { ...asked, over: 9 });
  expect(never.spells).toEqual([]);
  const { extremes } = predictTide(catalog, station, { days: 1, now });
  expect(never.nearest.value).toBe(Math.max(...extremes.map(({ height_m }) => height_m)));
});
