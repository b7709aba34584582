import { expect, it } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import { sampledClock } from "./clock-context.ts";
import { asideOf, parseCompared, widerSide, writeCompared } from "./compared.ts";
import {
  defaultOverlays,
  drawsLines,
  isOffered,
  layerNames,
  linesOverlay,
  overlayNames,
  overlayTitle,
  toggled,
} from "./overlays.ts";

it.each(layerNames)(
  "offers isobars and lines of wave height once over %s, lines of wind over wind only",
  (layer) => {
    const offered = overlayNames.filter((name) => isOffered(name, layer));
    const titles = offered.map((name) => overlayTitle(name, layer, en));
    for (const lines of ["Isobars", "Lines of wave height"])
      expect(titles.filter((title) => title === lines)).toHaveLength(1);
    for (const lined of ["pressure", "wave"] as const) expect(offered).toContain(linesOverlay(lined, layer));
    expect(drawsLines("wind", layer, overlayNames)).toBe(layer === "wind");
  },
);

it("draws a layer's own lines by default, and those of other variables only when switched on", () => {
  expect(defaultOverlays(4)).toContain(linesOverlay("pressure", "pressure"));
  expect(defaultOverlays(4)).not.toContain(linesOverlay("pressure", "wind"));
  expect(drawsLines("wind", "wind", defaultOverlays(4))).toBe(true);
  expect(drawsLines("gust", "wind", overlayNames)).toBe(false);
});

it("draws tides and the graticule by default only near a coast", () => {
  for (const name of ["tides", "graticule"] as const)
    expect([7.9, 8].map((zoom) => defaultOverlays(zoom).includes(name))).toEqual([false, true]);
  expect(defaultOverlays(7.9)).toContain("names");
});

it("switches an overlay on and off, keeping the order of the menu", () => {
  expect(toggled(["storms"], "barbs")).toEqual(["barbs", "storms"]);
  expect(toggled(["barbs", "storms"], "barbs")).toEqual(["storms"]);
});

it.each([
  ["wave.0", { layer: "wave", hours: 0, percent: 50, sampled: "a" }],
  ["wind.-24.30", { layer: "wind", hours: -24, percent: 30, sampled: "a" }],
  ["pressure.48.0", { layer: "pressure", hours: 48, percent: 0, sampled: "a" }],
  ["wind.6.b", { layer: "wind", hours: 6, percent: 50, sampled: "b" }],
  ["wind.6.30.b", { layer: "wind", hours: 6, percent: 30, sampled: "b" }],
  ["wind.0~demo-late", { layer: "wind", hours: 0, percent: 50, sampled: "a", model: "demo-late" }],
  ["wave.0.30.b~my.wrf_2", { layer: "wave", hours: 0, percent: 30, sampled: "b", model: "my.wrf_2" }],
  [
    "wind.0.d~demo-late",
    { layer: "wind", hours: 0, percent: 50, sampled: "a", model: "demo-late", difference: true },
  ],
  ["wind.0.r1", { layer: "wind", hours: 0, percent: 50, sampled: "a", earlier: 1 }],
  [
    "wind.0.30.d.r2~gfs",
    { layer: "wind", hours: 0, percent: 30, sampled: "a", model: "gfs", earlier: 2, difference: true },
  ],
  ["wave.-24.30.b.d", { layer: "wave", hours: -24, percent: 30, sampled: "b", difference: true }],
] as const)("a link with %s opens the same comparison", (text, compared) => {
  expect(parseCompared(text)).toEqual(compared);
  expect(writeCompared(compared)).toBe(text);
});

it.each(
  "none.0 wind wind.x wind.999 wind.24.101 wind.24.-1 bogus.0 wind.1.5.5 wind.1.a wind.b wind.0.d.b wind.0.dd wind.0.r0 wind.0.r wind.0.r1.d wind.0~ wind.0~a~b wind.0~a/b".split(
    " ",
  ),
)("%j is no comparison", (text) => {
  expect(parseCompared(text)).toBeNull();
});

it.each([
  { percent: 50, sampled: "b", side: "b", aside: 0.25 },
  { percent: 50, sampled: "a", side: "a", aside: -0.25 },
  { percent: 80, sampled: "b", side: "a", aside: -0.1 },
  { percent: 0, sampled: "a", side: "b", aside: 0 },
] as const)("a place that is gone to comes into the middle of the wider side: $percent %", (compared) => {
  const side = widerSide(compared);
  expect([side, asideOf(compared, side)]).toEqual([compared.side, expect.closeTo(compared.aside)]);
});

it.each([
  ["a", 24, 0],
  ["b", -6, -6 * HOUR_S],
] as const)(
  "shows the time of the side on which the point was sampled, and chooses by it: %s",
  (sampled, hours, by) => {
    const noon = Date.UTC(2026, 0, 1, 12) / 1000;
    const chosen: number[] = [];
    const clock = {
      now: noon,
      time: noon,
      drawn: undefined,
      instants: [noon, noon + HOUR_S],
      present: noon,
      window: { from: 0, to: 0, isPast: false },
      segments: [],
      stepHours: undefined,
      setTime: (time: number) => void chosen.push(time),
    };
    const shown = sampledClock(clock, { hours, sampled }, () => undefined);
    const time = noon + by;
    expect(shown).toMatchObject({ time, instants: [time, time + HOUR_S], now: noon, drawn: undefined });
    shown.setTime(time + HOUR_S);
    expect(chosen).toEqual([noon + HOUR_S]);
    const early = { ...clock, time: undefined };
    expect(sampledClock(early, { hours, sampled }, () => undefined).time).toBeUndefined();
  },
);
