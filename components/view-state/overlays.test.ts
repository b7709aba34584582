import { expect, it } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import { type Clock, sampledClock } from "./clock-context.ts";
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

it("offers isobars and lines of wave height once over every layer", () => {
  for (const layer of layerNames) {
    const titles = overlayNames
      .filter((name) => isOffered(name, layer))
      .map((name) => overlayTitle(name, layer, en));
    expect(
      titles.filter((title) => title === "Isobars"),
      layer,
    ).toHaveLength(1);
    expect(
      titles.filter((title) => title === "Lines of wave height"),
      layer,
    ).toHaveLength(1);
    for (const lined of ["pressure", "wave"] as const) {
      expect(isOffered(linesOverlay(lined, layer)!, layer)).toBe(true);
    }
  }
});

it("draws a layer's own lines by default, and those of other variables only when switched on", () => {
  expect(defaultOverlays).toContain(linesOverlay("pressure", "pressure"));
  expect(defaultOverlays).not.toContain(linesOverlay("pressure", "wind"));
});

it("switches an overlay on and off, keeping the order of the menu", () => {
  expect(toggled(["storms"], "barbs")).toEqual(["barbs", "storms"]);
  expect(toggled(["barbs", "storms"], "barbs")).toEqual(["storms"]);
});

it("draws the lines of wind over its own colours only", () => {
  expect(drawsLines("wind", "wind", defaultOverlays)).toBe(true);
  expect(drawsLines("gust", "wind", overlayNames)).toBe(false);
  for (const layer of layerNames.filter((name) => name !== "wind")) {
    expect(drawsLines("wind", layer, overlayNames)).toBe(false);
  }
});

it.each([
  ["wave.0", { layer: "wave", hours: 0, percent: 50, sampled: "a" }],
  ["wind.-24.30", { layer: "wind", hours: -24, percent: 30, sampled: "a" }],
  ["pressure.48.0", { layer: "pressure", hours: 48, percent: 0, sampled: "a" }],
  ["wind.6.b", { layer: "wind", hours: 6, percent: 50, sampled: "b" }],
  ["wind.6.30.b", { layer: "wind", hours: 6, percent: 30, sampled: "b" }],
] as const)("a link with %s opens the same comparison", (text, compared) => {
  expect(parseCompared(text)).toEqual(compared);
  expect(writeCompared(compared)).toBe(text);
});

it.each([
  "",
  "none.0",
  "wind",
  "wind.x",
  "wind.999",
  "wind.24.101",
  "wind.24.-1",
  "bogus.0",
  "wind.1.5.5",
  "wind.1.a",
  "wind.b",
])("%j is no comparison", (text) => {
  expect(parseCompared(text)).toBeNull();
});

it.each([
  { percent: 50, sampled: "b", side: "b", aside: 0.25 },
  { percent: 50, sampled: "a", side: "a", aside: -0.25 },
  { percent: 80, sampled: "b", side: "a", aside: -0.1 },
  { percent: 0, sampled: "a", side: "b", aside: 0 },
] as const)("a place that is gone to comes into the middle of the wider side: $percent %", (compared) => {
  const side = widerSide(compared);
  expect(side).toBe(compared.side);
  expect(asideOf(compared, side)).toBeCloseTo(compared.aside);
});

const NOON = Date.UTC(2026, 0, 1, 12) / 1000;

function openClock() {
  const chosen: number[] = [];
  const clock: Clock = {
    now: NOON,
    time: NOON,
    drawn: undefined,
    instants: [NOON, NOON + HOUR_S],
    present: NOON,
    window: { from: 0, to: 0, isPast: false },
    segments: [],
    stepHours: undefined,
    setTime: (time) => void chosen.push(time),
  };
  return { clock, chosen };
}

it("shows the time of the side on which the point was sampled, and what is chosen by it is shown by that side", () => {
  const { clock, chosen } = openClock();
  const b = sampledClock(clock, { hours: -6, sampled: "b" }, () => undefined);
  const before = NOON - 6 * HOUR_S;
  expect(b).toMatchObject({ time: before, instants: [before, before + HOUR_S], now: NOON });
  expect(b.drawn).toBeUndefined();
  b.setTime(before + HOUR_S);
  expect(chosen).toEqual([NOON + HOUR_S]);
});

it("leaves the map's own time to A, and to a map whose time is not known yet", () => {
  const { clock } = openClock();
  expect(sampledClock(clock, { hours: 24, sampled: "a" }, () => undefined)).toMatchObject({
    time: NOON,
    instants: clock.instants,
  });
  const early = { ...clock, time: undefined };
  expect(sampledClock(early, { hours: 24, sampled: "b" }, () => undefined).time).toBeUndefined();
});
