import { fromKnots } from "@open-metocean/geo/knots";
import { expect, it } from "vitest";
import type { ChartRoom } from "#components/ui/time-chart.tsx";
import { utc, zoneWith } from "#components/view-state/civil.ts";
import { tintOf } from "#components/view-state/map-colours.ts";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { renderInPage } from "#test/render.tsx";
import { forecastRows } from "./forecast-rows.ts";
import { ForecastTable, PrintedTable } from "./forecast-table.tsx";
import type { SeriesRow } from "./point-queries.ts";

const start = Date.UTC(2026, 8, 15, 22) / 1000;
const hoursOf = (count: number, every = 1) =>
  Array.from(
    { length: count },
    (_, hour): SeriesRow => ({
      time: start + every * hour * HOUR_S,
      conditions: {
        Winds_10m_Intensity: fromKnots(10 + hour),
        Winds_10m_Direction: 270,
        Gust_10m: hour === 1 ? null : fromKnots(40),
        Waves_Significant_Height: null,
        Swell_Significant_Height: 2,
        Swell_Mean_Direction: 180,
        Swell_Mean_Period: 11.6,
        // There is a trace in the third hour.
        Precipitation: hour === 2 ? 0.02 : hour % 2,
        Pressure: 1008.2,
      },
    }),
  );
const further = (room: ChartRoom) => ({
  ...room,
  id: "tide",
  title: "Tide, m",
  at: "Brest",
  scale: [],
  paths: [],
  arrows: [],
  valueAt: (time: number) => (time === start ? "4.2" : undefined),
});
const asked = { units: defaultUnits, theme: "light", words: en, further } as const;
const sample = { apiKey: "", place: { latitude: 48, longitude: -5 }, time: start + 1.5 * HOUR_S };

it("has a row of each known quantity, in the colours of the map, with directions, periods and the tide", () => {
  const series = hoursOf(4);
  const rows = forecastRows(series, asked);
  const textOf = (id: string) => series.map((hour) => rows.find((row) => row.id === id)!.cellAt(hour).text);
  expect(rows.map(({ id }) => id)).toEqual([
    "wind",
    "wind direction",
    "gust",
    "swell",
    "swell direction",
    "swell period",
    "rain",
    "pressure",
    "tide",
  ]);
  expect(rows.at(-1)!.head).toBe("Tide, m · Brest");
  expect([textOf("wind"), textOf("gust"), textOf("rain"), textOf("tide")]).toEqual([
    ["10", "11", "12", "13"],
    ["40", "—", "40", "40"],
    ["", "1.0", "", "1.0"],
    ["4.2", "—", "—", "—"],
  ]);
  expect([rows[0]!.head, rows[4]!.spokenHead, rows[5]!.head]).toEqual([
    "Wind, kn",
    "Swell, direction from",
    "Period, s",
  ]);
  const cell = (row: number) => rows[row]!.cellAt(series[0]!);
  expect(cell(0).tint).toEqual(tintOf("wind", fromKnots(10), "light"));
  expect([cell(1), cell(4).towards, cell(7).tint]).toEqual([{ text: "W", towards: 90 }, 0, undefined]);
});

it("is a table with headings of days, hours and quantities; an hour is a button, and lighter between the model's steps", () => {
  const hours = hoursOf(4);
  const html = renderInPage(
    <ForecastTable
      hours={hours}
      quantities={forecastRows(hours, asked)}
      sample={sample}
      zone={utc}
      isStep={(time) => time !== start + HOUR_S}
      onTime={() => undefined}
    />,
  );
  expect(html.match(/scope="colgroup" colSpan="2"/g)).toHaveLength(2);
  expect(html.match(/scope="col"/g)).toHaveLength(4);
  expect(html.match(/scope="row"/g)).toHaveLength(10);
  expect(html).toContain('aria-label="Show Wed 16 Sep 00:00 on the map"');
  // The time of the map lies after the second hour.
  expect(html).toMatch(/aria-current="time"[^>]*><button[^>]*font-normal text-muted[^>]*>23:00/);
  expect(html.match(/aria-current/g)).toHaveLength(1);
  expect(html.match(/text-muted" aria-label/g)).toHaveLength(1);
});

it.each([
  [80, 80],
  [100, 50],
])("is printed with one line per hour, of %d at most a page: %d", (count, lines) => {
  const zone = zoneWith(() => 0, en);
  const hours = hoursOf(count, 3).map((row) => ({ ...row, time: row.time + 2 * HOUR_S }));
  const html = renderInPage(
    <PrintedTable heading="Brest" hours={hours} quantities={forecastRows(hours, asked)} zone={zone} />,
  );
  expect(html.match(/<tr/g)).toHaveLength(lines + 1);
  expect(html).toContain("Brest");
});
