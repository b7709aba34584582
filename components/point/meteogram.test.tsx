import { expect, it } from "vitest";
import type { ChartRoom } from "#components/ui/time-chart.tsx";
import { utc } from "#components/view-state/civil.ts";
import { themedTable } from "#components/view-state/map-colours.ts";
import { colourIndex, colourScales, cssColour } from "#lib/catalog/colours.ts";
import { fromKnots } from "#lib/knots.ts";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { layOut } from "./meteogram.tsx";
import type { SeriesRow } from "./point-queries.ts";

const start = Date.UTC(2026, 8, 15) / 1000;

/** Ten days, hourly: a gale on the third day, waves without values on the fourth. */
const rows = Array.from({ length: 241 }, (_, hour): SeriesRow => {
  const day = Math.floor(hour / 24);
  return {
    time: start + hour * HOUR_S,
    conditions: {
      Winds_10m_Intensity: day === 2 ? 18 : 8,
      Winds_10m_Direction: 270,
      Gust_10m: day === 2 ? 23 : 11,
      Waves_Significant_Height: day === 3 ? null : 2,
      Waves_Mean_Direction: day === 3 ? null : 180,
      Waves_Mean_Period: day === 3 ? null : 8.6,
      Currents_Intensity: 0.4,
      Currents_Direction: 100,
    },
  };
});
const at = (width: number, units = defaultUnits, zone = utc) => layOut(rows, width, units, zone);
const row = (name: string, layout = at(348)) => layout.rows.find((one) => one.id === name)!;

it("points arrows to where winds and waves go, against where they come from, and currents where they set", () => {
  expect(new Set(row("wind").arrows.map(({ bearing }) => bearing))).toEqual(new Set([90]));
  expect(new Set(row("wave").arrows.map(({ bearing }) => bearing))).toEqual(new Set([0]));
  const wide = row("current", at(1200));
  expect(new Set(wide.arrows.map(({ bearing }) => bearing))).toEqual(new Set([100]));
});

it("draws arrows of the current only where they are at most three hours apart: others show a false turn of the tide", () => {
  for (const width of [288, 348, 720, 1199]) {
    expect(row("current", at(width)).arrows).toEqual([]);
    expect(row("wind", at(width)).arrows).not.toEqual([]);
  }
  const autumn = Date.UTC(2026, 9, 25, 1) / 1000;
  const twoDays = rows.slice(0, 49).map((one) => ({ ...one, time: one.time + autumn - start - 24 * HOUR_S }));
  // The clock goes back in the middle: there three of its hours are four.
  const zone = { words: en, offset: (time: number) => (time < autumn ? 2 : 1) * HOUR_S, label: () => "" };
  const layouts = [
    at(1200),
    layOut(rows.slice(0, 49), 348, defaultUnits, utc),
    layOut(twoDays, 348, defaultUnits, zone),
  ];
  for (const layout of layouts) {
    const { arrows } = row("current", layout);
    expect(arrows.length).toBeGreaterThan(12);
    expect(arrows).toHaveLength(row("wind", layout).arrows.length);
  }
});

it("draws the limit of a gale at 34 kn in the chosen unit, and none far above a light wind", () => {
  const wind = row("wind");
  const height = wind.bottom - wind.top;
  expect(wind.limit).toEqual({
    text: "gale 34 kn",
    y: expect.closeTo(wind.bottom - (34 / Number(wind.scale[0]!.text)) * height, 5),
  });
  expect(row("wind", at(348, { ...defaultUnits, speed: "m/s" })).limit?.text).toBe("gale 17.5 m/s");
  expect(row("wind", at(348, { ...defaultUnits, speed: "Bft" })).limit?.text).toBe("gale Bft 8");
  const light = layOut(rows.slice(0, 48), 348, defaultUnits, utc);
  expect(row("wind", light).limit).toBeUndefined();
});

it("leaves a gap where values are missing, and no row of what has none", () => {
  expect(row("wave").paths[0]!.match(/M/g)).toHaveLength(2);
  const day = (x: number) => Math.floor((at(348).timeAt(x) - start) / 86_400);
  expect(row("wave").arrows.some(({ x }) => day(x) === 3)).toBe(false);
  const windOnly = rows.map(({ time, conditions }) => ({
    time,
    conditions: { Winds_10m_Intensity: conditions.Winds_10m_Intensity },
  }));
  expect(layOut(windOnly, 348, defaultUnits, utc).rows.map(({ id }) => id)).toEqual(["wind"]);
});

it("fills what is below a line with the colours of the map for its values, in each theme", () => {
  const { area, bottom } = row("wind");
  expect(area!.path).toContain(`${bottom}Z`);
  const { range } = colourScales.wind;
  const colourOf = (table: Uint8Array, value: number) => cssColour(table, colourIndex(value, range));
  const top = fromKnots(Number(row("wind").scale[0]!.text));
  expect(area!.colours.at(-1)).toEqual({
    offset: 1,
    colour: colourOf(themedTable(colourScales.wind, "light"), top),
  });
  const night = layOut(rows, 348, defaultUnits, utc, { theme: "night" }).rows[0]!.area!;
  expect(night.colours.at(-1)!.colour).toBe(colourOf(themedTable(colourScales.wind, "night"), top));
});

it("draws pressure between ends of its own, ten hectopascals apart at least", () => {
  const level = rows.map(({ time }, hour) => ({ time, conditions: { Pressure: 1012 + (hour % 3) } }));
  const { scale, area } = layOut(level, 348, defaultUnits, utc).rows[0]!;
  expect(area).toBeUndefined();
  const [top, middle] = scale.map(({ text }) => Number(text));
  expect(2 * (top! - middle!)).toBeGreaterThanOrEqual(10);
  expect(top).toBeGreaterThan(1014);
});

it("says at the cursor what the panel does not have above the chart", () => {
  const shown = rows.map((one) => ({ ...one, conditions: { ...one.conditions, Pressure: 1012.4 } }));
  const layout = layOut(shown, 348, defaultUnits, utc);
  expect(row("pressure", layout).valueAt?.(start + HOUR_S)).toBe("1012.4");
  expect(row("pressure", layout).valueAt?.(start + 60)).toBeUndefined();
  expect(row("wind", layout).valueAt).toBeUndefined();
});

it("is high enough where there is little to show, and has a further row above the days", () => {
  const windOnly = rows.map(({ time, conditions }) => ({
    time,
    conditions: { Winds_10m_Intensity: conditions.Winds_10m_Intensity },
  }));
  const further = (room: ChartRoom) => ({ ...room, id: "tide", title: "", scale: [], paths: [], arrows: [] });
  const { axisY, rows: drawn } = layOut(windOnly, 348, defaultUnits, utc, { further });
  expect(axisY).toBe(300);
  expect(drawn.map(({ id }) => id)).toEqual(["wind", "tide"]);
  expect(drawn[1]!.titleY).toBeGreaterThan(drawn[0]!.bottom);
  const all = layOut(rows, 348, defaultUnits, utc);
  expect(row("wind", all).bottom - row("wind", all).top).toBe(96);
});

it.each([288, 347, 358, 720])(
  "keeps arrows, numbers and days apart on %d px, and the rows one below the other",
  (width) => {
    const layout = at(width);
    for (const { arrows, numbers } of layout.rows)
      for (const line of [arrows, numbers ?? []])
        for (const [index, { x }] of line.entries()) {
          expect(x).toBeGreaterThanOrEqual(7);
          expect(x).toBeLessThanOrEqual(width - 7);
          if (index > 0) expect(x - line[index - 1]!.x).toBeGreaterThanOrEqual(15);
        }
    const labelled = layout.days.filter(({ labelled }) => labelled);
    expect(labelled.length).toBeGreaterThan(width > 600 ? 8 : 4);
    for (const [index, { middle }] of labelled.entries())
      if (index > 0) expect(middle - labelled[index - 1]!.middle).toBeGreaterThanOrEqual(26);
    for (const [index, { titleY }] of layout.rows.entries()) {
      const above = layout.rows[index - 1];
      if (above)
        expect(titleY - 8).toBeGreaterThan(
          Math.max(above.bottom, ...(above.numbers ?? []).map(({ y }) => y)),
        );
    }
  },
);

it("begins days by the chosen clock", () => {
  const zone = { words: en, offset: () => -5 * HOUR_S, label: () => "UTC−5" };
  const { days } = at(348, defaultUnits, zone);
  expect((days[0]!.time - start) / HOUR_S).toBe(5);
});

it("marks every day and draws arrows by any clock, also where the steps are three hours and its midnight is none", () => {
  // As a series is: hourly for six days, then every three hours.
  const mixed = rows.filter(({ time }, hour) => hour <= 144 || time % (3 * HOUR_S) === 0);
  for (const ahead of [1, 2, 5.5, -3.5, -5]) {
    const zone = { words: en, offset: () => ahead * HOUR_S, label: () => "" };
    const { days, rows: drawn, x, timeAt } = layOut(mixed, 348, defaultUnits, zone);
    expect(days).toHaveLength(10);
    for (const [index, { time, x: at, middle }] of days.entries()) {
      expect((time + ahead * HOUR_S) % (24 * HOUR_S)).toBe(0);
      expect(at).toBeCloseTo(x(time), 5);
      expect(timeAt(middle) - time).toBeLessThanOrEqual(12 * HOUR_S + 1);
      if (index > 0) expect(time - days[index - 1]!.time).toBe(24 * HOUR_S);
    }
    const arrows = drawn.find(({ id }) => id === "wind")!.arrows.map((arrow) => timeAt(arrow.x));
    expect(arrows.filter((time) => time > start + 7 * 24 * HOUR_S).length).toBeGreaterThan(4);
  }
});
