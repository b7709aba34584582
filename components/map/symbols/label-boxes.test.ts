import { expect, it, vi } from "vitest";
import { mercatorView } from "#components/map/map-view.ts";
import { turned } from "#lib/symbols/symbols.ts";
import { fakeMap, frameOf, steady } from "#test/map.ts";
import { glyphsOf } from "./glyph-atlas.ts";
import {
  coverOf,
  glyphOutlines,
  type LabelBox,
  placeSymbols,
  readLabelBoxes,
  watchLabels,
} from "./placed-symbols.ts";

/** Labels on both sides of 180°, some of a single letter. */
const labels: LabelBox[] = Array.from({ length: 60 }, (_, index) => ({
  latitude: -25 + 11 * (index % 7),
  longitude: 140 + 1.3 * index - (index > 30 ? 360 : 0),
  halfWidth: index % 3 === 0 ? 6 : 40,
  halfHeight: index % 3 === 0 ? 6 : 9,
}));

it("leaves no stroke of a symbol under a label, and leaves out no symbol that is clear of all", () => {
  const view = mercatorView({ width: 1400, height: 800, centre: { latitude: 20, longitude: 178 }, zoom: 3 });
  const glyphs = glyphsOf("wind");
  const wind = steady(frameOf({ eastward_wind_10m: 11, northward_wind_10m: 9.3 }));
  const all = placeSymbols(view, wind, () => false);
  const clear = placeSymbols(view, wind, () => false, coverOf(view, labels, glyphOutlines(glyphs)));
  const remaining = new Set(clear.map(({ position }) => position.join()));
  const at = { x: 0, y: 0 };
  expect(all.length - clear.length).toBeGreaterThan(20);
  for (const { position, glyph, turn } of all) {
    view.project(position[1], position[0], at);
    const { x, y } = at;
    const strokes = glyphs.get(glyph)!.lines.flat();
    const points = strokes.map((point) => turned(point, turn));
    /** Least distances of a stroke from the interior of the labels, pixels; 0 or less under a label. */
    const distances = labels.flatMap(({ latitude, longitude, halfWidth, halfHeight }) => {
      view.project(latitude, longitude, at);
      return points.map(([right, up]) =>
        Math.max(Math.abs(x + right - at.x) - halfWidth, Math.abs(y - up - at.y) - halfHeight),
      );
    });
    const distance = Math.min(...distances);
    // The mask may extend a square beyond the edge of a label, and points of a stroke are checked only at
    // intervals.
    if (distance <= 0 || distance > 12) expect(remaining.has(position.join())).toBe(distance > 0);
  }
});

it("reads the labels that MapLibre has placed, and none from a version without an index", () => {
  const unproject = ([x, y]: [number, number]) => ({ lng: x / 10, lat: y / 10 });
  const grid = { bboxes: [150, 120, 250, 140], circles: [300, 400, 7] };
  const style = { placement: { collisionIndex: { grid } } };
  expect(readLabelBoxes(fakeMap({ style, unproject }))).toEqual([
    { longitude: 10, latitude: 3, halfWidth: 50, halfHeight: 10 },
    { longitude: 20, latitude: 30, halfWidth: 7, halfHeight: 7 },
  ]);
  expect(readLabelBoxes(fakeMap({ style: {}, unproject }))).toEqual([]);
});

it("reports labels as soon as a frame of a resting map has others, and the same ones only once", () => {
  const bboxes = [150, 120, 250, 140];
  let isMoving = true;
  let frame = () => {};
  const map = fakeMap({
    style: { placement: { collisionIndex: { grid: { bboxes } } } },
    unproject: ([x, y]: [number, number]) => ({ lng: x / 10, lat: y / 10 }),
    getZoom: () => 2,
    isMoving: () => isMoving,
    // Other events, such as idle, come later.
    on: (event: string, listener: () => void) => {
      if (event === "render") frame = listener;
    },
  });
  const onChange = vi.fn();
  watchLabels(map, () => true, onChange);
  const reports = () => {
    frame();
    return onChange.mock.calls.length;
  };
  expect(reports()).toBe(0);
  isMoving = false;
  expect([reports(), reports()]).toEqual([1, 1]);
  // A move by less than a pixel, a wider label, and another one.
  bboxes.splice(0, 4, 151, 120, 251, 140);
  expect(reports()).toBe(1);
  bboxes.splice(0, 4, 145, 120, 255, 140);
  expect(reports()).toBe(2);
  bboxes.push(300, 300, 340, 320);
  expect(reports()).toBe(3);
});
