import { fromKnots } from "@open-metocean/geo/knots";
import { expect, it } from "vitest";
import type { ChartRoom } from "#components/ui/time-chart.tsx";
import { utc } from "#components/view-state/civil.ts";
import { themedTable } from "#components/view-state/map-colours.ts";
import { colourIndex, colourScales, cssColour } from "#lib/catalog/colours.ts";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import { defaultUnits } from "#lib/units.ts";
import { ensembleOf } from "#test/ensemble-series.ts";
import { layOut } from "./meteogram.tsx";
import type { ModelSeries } from "./model-queries.ts";
import { type SeriesRow, seriesTimes } from "./point-queries.ts";

const start = Date.UTC(2026, 8, 15) / 1000;
const dayOf = (time: number) => Math.floor((time - start) / 86_400);

/** Ten days of hourly values: a gale on the third day, no wave values on the fourth. */
const rows = Array.from({ length: 241 }, (_, hour): SeriesRow => {
  const time = start + hour * HOUR_S;
  const [isGale, hasWaves] = [dayOf(time) === 2, dayOf(time) !== 3];
  return {
    time,
    conditions: {
      Winds_10m_Intensity: isGale ? 18 : 8,
      Winds_10m_Direction: 270,
      Gust_10m: isGale ? 23 : 11,
      Waves_Significant_Height: hasWaves ? 2 : null,
      Waves_Mean_Direction: hasWaves ? 180 : null,
      Waves_Mean_Period: hasWaves ? 8.6 : null,
      Currents_Intensity: 0.4,
      Currents_Direction: 100,
    },
  };
});
const windOnly = rows.map(({ time, conditions }) => ({
  time,
  conditions: { Winds_10m_Intensity: conditions.Winds_10m_Intensity },
}));
const zoneOf = (offset: (time: number) => number) => ({ words: en, offset, label: () => "" });
const at = (
  width: number,
  { series = rows as readonly SeriesRow[], units = {}, zone = utc, more = {} } = {},
) => layOut(series, width, { ...defaultUnits, ...units }, zone, more);
const row = (name: string, layout = at(348)) => layout.rows.find((one) => one.id === name)!;

it.each([
  ["wind", 90],
  ["wave", 0],
  ["current", 100],
])("points the arrows of %s to where it goes", (name, bearing) => {
  expect(new Set(row(name, at(1200)).arrows.map((arrow) => arrow.bearing))).toEqual(new Set([bearing]));
});

it("draws arrows of the current only where they are at most three hours apart: others show a false turn of the tide", () => {
  for (const width of [288, 348, 720, 1119])
    expect([row("current", at(width)).arrows.length, row("wind", at(width)).arrows.length > 0]).toEqual([
      0,
      true,
    ]);
  const autumn = Date.UTC(2026, 9, 25, 1) / 1000;
  const series = rows.slice(0, 49).map((one) => ({ ...one, time: one.time + autumn - start - 24 * HOUR_S }));
  // The clock is set back in the middle, where an interval of three clock hours lasts four.
  const zone = zoneOf((time) => (time < autumn ? 2 : 1) * HOUR_S);
  for (const layout of [at(1200), at(348, { series: rows.slice(0, 49) }), at(348, { series, zone })]) {
    const { arrows } = row("current", layout);
    expect(arrows.length).toBeGreaterThan(12);
    expect(arrows).toHaveLength(row("wind", layout).arrows.length);
  }
});

it("draws the limit of a gale at 34 kn in the chosen unit, and none far above a light wind", () => {
  const wind = row("wind");
  const y = wind.bottom - (34 / Number(wind.scale[0]!.text)) * (wind.bottom - wind.top);
  expect(wind.limit).toEqual({ text: "gale 34 kn", y: expect.closeTo(y, 5) });
  const limitIn = (speed: string) => row("wind", at(348, { units: { speed } })).limit?.text;
  expect(["m/s", "Bft"].map(limitIn)).toEqual(["gale 17.5 m/s", "gale Bft 8"]);
  expect(row("wind", at(348, { series: rows.slice(0, 48) })).limit).toBeUndefined();
});

it("leaves a gap where values are missing, and no row of what has none", () => {
  const { paths, arrows } = row("wave");
  expect(paths[0]!.match(/M/g)).toHaveLength(2);
  expect(arrows.some(({ x }) => dayOf(at(348).timeAt(x)) === 3)).toBe(false);
  expect(at(348, { series: windOnly }).rows.map(({ id }) => id)).toEqual(["wind"]);
});

it.each(["light", "night"] as const)(
  "fills what is below a line with the colours of the map by %s",
  (theme) => {
    const { area, bottom, scale } = row("wind", at(348, { more: { theme } }));
    expect(area!.path).toContain(`${bottom}Z`);
    const index = colourIndex(fromKnots(Number(scale[0]!.text)), colourScales.wind.range);
    const colour = cssColour(themedTable(colourScales.wind, theme), index);
    expect(area!.colours.at(-1)).toEqual({ offset: 1, colour });
  },
);

it("draws pressure between ends of its own, ten hectopascals apart at least, and says it at the cursor", () => {
  const series = rows.map(({ time, conditions }, hour) => ({
    time,
    conditions: { ...conditions, Pressure: 1012.4 + (hour % 3) },
  }));
  const { scale, area, valueAt } = row("pressure", at(348, { series }));
  expect(area).toBeUndefined();
  const [top = 0, middle = 0] = scale.map(({ text }) => Number(text));
  expect(2 * (top - middle)).toBeGreaterThanOrEqual(10);
  expect(top).toBeGreaterThan(1014.4);
  expect([start + 3 * HOUR_S, start + 60].map((time) => valueAt?.(time))).toEqual(["1012.4", undefined]);
  expect(row("wind").valueAt).toBeUndefined();
});

it("is high enough where there is little to show, and has a further row above the days", () => {
  const further = (room: ChartRoom) => ({ ...room, id: "tide", title: "", scale: [], paths: [], arrows: [] });
  const { axisY, rows: drawn } = at(348, { series: windOnly, more: { further } });
  expect([axisY, ...drawn.map(({ id }) => id)]).toEqual([300, "wind", "tide"]);
  expect(drawn[1]!.titleY).toBeGreaterThan(drawn[0]!.bottom);
  expect(row("wind").bottom - row("wind").top).toBe(96);
});

/** Distances between neighbouring places. */
const apart = (places: readonly number[]) => places.slice(1).map((place, index) => place - places[index]!);

it.each([288, 347, 358, 720])(
  "keeps arrows, numbers and days apart on %d px, and the rows one below the other",
  (width) => {
    const layout = at(width);
    const drawn = (part: "arrows" | "numbers") => layout.rows.flatMap<object>((one) => one[part] ?? []);
    expect(Math.min(drawn("arrows").length, drawn("numbers").length)).toBeGreaterThanOrEqual(4);
    for (const { arrows, numbers = [] } of layout.rows)
      for (const places of [arrows, numbers].map((line) => line.map(({ x }) => x))) {
        expect(Math.min(7, ...places)).toBe(7);
        expect(Math.max(width - 7, ...places)).toBe(width - 7);
        expect(Math.min(14, ...apart(places))).toBe(14);
      }
    const labelled = layout.days.filter((day) => day.labelled).map(({ middle }) => middle);
    expect(labelled).toHaveLength(10);
    expect(Math.min(...apart(labelled))).toBeGreaterThanOrEqual(26);
    for (const [index, { bottom, numbers = [] }] of layout.rows.slice(0, -1).entries())
      expect(layout.rows[index + 1]!.titleY - 8).toBeGreaterThan(
        Math.max(bottom, ...numbers.map(({ y }) => y)),
      );
  },
);

it("draws lines where the steps of a model are longer as such, and names the hours", () => {
  const hours = Array.from({ length: 241 }, (_, hour) => hour).filter(
    (hour) => hour <= 120 || hour % 3 === 0,
  );
  const steps = { wind: hours.map((hour) => start + hour * HOUR_S) };
  const layout = at(348, { more: { steps } });
  const change = start + 120 * HOUR_S;
  expect(layout.coarse).toEqual([{ from: change, hours: 3 }]);
  const { paths, coarse } = row("wind", layout);
  expect(coarse).toHaveLength(paths.length);
  const ends = (path: string) => [...path.matchAll(/[ML]([\d.]+) /g)].map(([, x]) => Number(x));
  expect(ends(paths[0]!).at(-1)).toBeCloseTo(layout.x(change), 1);
  expect([ends(coarse![0]!)[0], ends(coarse![0]!).at(-1)]).toEqual([ends(paths[0]!).at(-1), 348]);
  expect(layout.height).toBeGreaterThan(at(348).height);
  // The steps of waves are not longer.
  expect(row("wave", layout).coarse).toBeUndefined();
});

it("draws slack and strength of a tidal current on every day, to the end of the chart", () => {
  // A tide whose phase makes three-hour steps always hit 0.8 kn.
  const tide = (time: number) => {
    const phase = 2 * Math.PI * ((time - start) / (12 * HOUR_S) + 1 / 8);
    return fromKnots(Math.hypot(1.13 * Math.cos(phase), 0.06 * Math.sin(phase)));
  };
  const series = seriesTimes(start, start).map((time) => ({
    time,
    conditions: { Currents_Intensity: tide(time), Winds_10m_Intensity: 8 },
  }));
  const layout = at(348, { series });
  const { paths, top, bottom } = row("current", layout);
  const points = [...paths[0]!.matchAll(/([\d.]+) ([\d.]+)/g)].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  );
  for (let day = 0; day < 10; day++) {
    const drawn = points.filter(([x]) => dayOf(layout.timeAt(x)) === day).map(([, y]) => y);
    // An hour from slack it runs at 0.3 kn.
    expect(Math.max(...drawn)).toBeGreaterThan(bottom - 0.22 * (bottom - top));
    expect(Math.min(...drawn)).toBeLessThan(top + 0.3 * (bottom - top));
  }
});

it.each([1, 2, 5.5, -3.5, -5])(
  "marks every day, and draws arrows to the end, by a clock %d h ahead",
  (ahead) => {
    const { days, rows: drawn, x, timeAt } = at(348, { zone: zoneOf(() => ahead * HOUR_S) });
    expect(days).toHaveLength(10);
    expect(new Set(apart(days.map(({ time }) => time)))).toEqual(new Set([24 * HOUR_S]));
    for (const { time, x: place, middle } of days) {
      expect((time + ahead * HOUR_S) % (24 * HOUR_S)).toBe(0);
      expect(place).toBeCloseTo(x(time), 5);
      expect(timeAt(middle) - time).toBeLessThanOrEqual(12 * HOUR_S + 1);
    }
    const late = drawn[0]!.arrows.filter((arrow) => timeAt(arrow.x) > start + 7 * 24 * HOUR_S);
    expect(late.length).toBeGreaterThan(4);
  },
);

const modelOf = (title: string, more: number, hours = rows.length): ModelSeries => ({
  name: title.toLowerCase(),
  title,
  hasWind: true,
  reply: { results: [], execution_time: "" },
  rows: rows.map(({ time, conditions }, hour) => ({
    time,
    conditions: {
      Winds_10m_Intensity: hour < hours ? conditions.Winds_10m_Intensity! + more : null,
      Waves_Significant_Height: title === "LATE" ? null : (conditions.Waves_Significant_Height ?? null),
    },
  })),
});

it("draws each other model thin beside the shown one, with dashes of its own and a name at its end, where it ends", () => {
  const models = [modelOf("GFS", 0), modelOf("ECMWF", 2), modelOf("LATE", 30, 100)];
  const layout = at(348, { more: { models } });
  const { others = [], names = [], paths, title, scale, bottom, top } = row("wind", layout);
  expect(title).toBe("Wind, kn");
  expect(paths).toHaveLength(1);
  // GFS is the shown line itself.
  expect(others).toHaveLength(2);
  expect(new Set(others.map(({ dashes }) => dashes)).size).toBe(2);
  expect(names.map(({ text, isMain }) => [text, isMain])).toEqual([
    ["GFS", true],
    ["ECMWF", false],
    ["LATE", false],
  ]);
  const end = layout.x(start + 99 * HOUR_S);
  expect(others[1]!.path).toMatch(new RegExp(`L${end.toFixed(1)} [\\d.]+$`));
  expect(names[2]!.x).toBeCloseTo(end + 3, 1);
  // The lines end before the names of those that reach the end.
  expect(layout.x(rows.at(-1)!.time)).toBeLessThan(names[1]!.x);
  // The scale has room for the strongest.
  expect(fromKnots(Number(scale[0]!.text))).toBeGreaterThan(8 + 30);
  for (const { y } of names) {
    expect(y).toBeGreaterThan(top);
    expect(y).toBeLessThan(bottom);
  }
  // A model without waves has neither line nor name there, and models that equal the shown one have no second line.
  expect(row("wave", layout).others).toEqual([]);
  expect(row("wave", layout).names?.map(({ text }) => text)).toEqual(["GFS"]);
  expect(row("current", layout).others).toEqual([]);
});

it("has no names of models in a low row, and names nothing while no models are compared", () => {
  const series = rows.map(({ time, conditions }) => ({
    time,
    conditions: { ...conditions, Pressure: 1010 },
  }));
  const models = [modelOf("GFS", 1), modelOf("ECMWF", 2)].map((model) => ({
    ...model,
    rows: model.rows.map(({ time, conditions }) => ({ time, conditions: { ...conditions, Pressure: 1005 } })),
  }));
  const pressure = row("pressure", at(348, { series, more: { models } }));
  expect([pressure.others?.length, pressure.names]).toEqual([2, []]);
  expect(row("wind").others).toBeUndefined();
});

/** Members with 12, 14 … 72 knots at every step; their waves and gusts have the same numbers. */
const ensemble = ensembleOf(
  Array.from({ length: 31 }, (_, member) => Array.from({ length: 81 }, () => 12 + 2 * member)),
  { midnight: start, step: 3, outputs: ["Winds_10m_Intensity", "Gust_10m"] },
);

it("draws what members say as bands in place of the area, with gusts in a row of their own", () => {
  const layout = at(348, { more: { ensemble } });
  const [wind, gust] = [row("wind", layout), row("gust", layout)];
  for (const { bands, area } of [wind, gust]) {
    expect(area).toBeUndefined();
    expect([bands?.outer, bands?.inner, bands?.median, bands?.control].every((path) => path !== "")).toBe(
      true,
    );
  }
  // The dashed line of the gusts is in their own row.
  expect(wind.paths).toHaveLength(1);
  expect(wind.title).not.toContain("dashed");
  // The scale reaches the highest tenth, which has 66 knots.
  expect(wind.scale[0]).toMatchObject({ text: "80" });
  // Members know nothing of the waves here.
  expect(row("wave", layout)).toMatchObject({ area: { path: expect.any(String) } });
  expect(row("wave", layout).bands).toBeUndefined();
});

it("has no bands beside the lines of models and of earlier runs, which would cover each other", () => {
  const models = [{ name: "m", title: "M", hasWind: true, rows, reply: {} as ModelSeries["reply"] }];
  for (const more of [{ models }, { earlier: [{ run: start, rows }] }])
    expect(at(348, { more: { ensemble, ...more } }).rows.flatMap(({ bands }) => bands ?? [])).toEqual([]);
  expect(at(348).rows.map(({ id }) => id)).not.toContain("gust");
});
