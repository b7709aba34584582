import { fromKnots } from "@open-metocean/geo/knots";
import { expect, it } from "vitest";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";
import { renderInPage } from "#test/render.tsx";
import { DayStrip } from "./day-strip.tsx";

const midnight = Date.UTC(2026, 0, 1) / 1000;
const now = midnight + 3 * HOUR_S;
const hours = (missing: number) =>
  Array.from({ length: 40 }, (_, hour) => ({
    time: midnight + hour * HOUR_S,
    conditions: {
      Winds_10m_Intensity: fromKnots(19.4),
      Gust_10m: hour === missing ? null : fromKnots(24.4),
      Waves_Significant_Height: 2.26,
    },
  }));
const strip = (missing: number, search = "tz=utc") =>
  renderInPage(<DayStrip rows={hours(missing)} />, { clock: { now, time: midnight + DAY_S }, search });

it("names the hours of a part of a day, and the highest values rounded up", () => {
  const html = strip(-1);
  expect(html).toContain(
    'aria-label="Thu 1 Jan from 03:00: strongest wind 20 kn, gusts 25 kn, sea 2.3 m. Show 03:00 on the map"',
  );
  for (const part of ["03–24 h", "00–16 h"]) expect(html).toContain(part);
  expect(html.match(/aria-current="date"[^>]*aria-label="Fri 2 Jan until 16:00/g)).toHaveLength(1);
});

it("a highest value of a day with unknown hours is a lower bound, rounded down, in words as well", () => {
  const html = strip(10);
  expect(html).toContain("gusts ≥24 kn, sea 2.3 m");
  expect(html).toContain(">G≥24<");
  expect(html).not.toContain("≥25");
});

it.each([en, de, es, fr, ja, pt, zh])(
  "the words below the icons occur in the names of the actions: $language",
  (words) => {
    const { point, screen, compare } = words;
    const { table, watch, windows, series, compare: compared } = point.verbs;
    const named = [
      [table, point.table.title],
      [watch, screen.panel.watch],
      [windows, screen.panel.windows],
      [series, screen.panel.series],
      [compared, compare.runs.show],
    ];
    for (const [word, name] of named) expect(name!.toLowerCase()).toContain(word!.toLowerCase());
  },
);
