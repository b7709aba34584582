import type { Map as MapLibreMap } from "maplibre-gl";
import { expect, it } from "vitest";
import { mercatorView } from "#components/map/map-view.ts";
import type { Frame } from "#lib/field/frame.ts";
import { turned } from "#lib/symbols/symbols.ts";
import { glyphsOf } from "./glyph-atlas.ts";
import {
  coverOf,
  glyphOutlines,
  type LabelBox,
  placeSymbols,
  readLabelBoxes,
  sameLabels,
} from "./placed-symbols.ts";

/** A wind of 28 kn from 230° everywhere. */
function wind(): Frame {
  const values = new Int16Array(2 * 91 * 180);
  for (let node = 0; node < values.length; node += 2) values.set([1100, 930], node);
  return {
    grid: {
      latitude: { start: -90, step: 2, count: 91 },
      longitude: { start: -180, step: 2, count: 180 },
    },
    time: 0,
    bands: ["eastward_wind_10m", "northward_wind_10m"].map((name) => ({ name, scale: 0.01, offset: 0 })),
    values,
    perNode: 2,
  };
}

const pair = { before: wind(), after: wind(), later: 0 };
const view = mercatorView({ width: 1400, height: 800, centre: { latitude: 20, longitude: 178 }, zoom: 3 });
const glyphs = glyphsOf("wind");
const outlines = glyphOutlines(glyphs);
const atSea = () => false;
/** Labels on both sides of 180°, some of a single letter. */
const labels: LabelBox[] = Array.from({ length: 60 }, (_, index) => ({
  latitude: -25 + 11 * (index % 7),
  longitude: 140 + 1.3 * index - (index > 30 ? 360 : 0),
  halfWidth: index % 3 === 0 ? 6 : 40,
  halfHeight: index % 3 === 0 ? 6 : 9,
}));

it("leaves no stroke of a symbol under a label, and leaves out no symbol that is clear of all", () => {
  const all = placeSymbols(view, pair, atSea);
  const clear = placeSymbols(view, pair, atSea, coverOf(view, labels, outlines));
  const remaining = new Set(clear.map(({ position }) => position.join()));
  const at = { x: 0, y: 0 };
  /** Least distance of a stroke from the inside of a label, pixels; 0 or less under it. */
  const distance = ({ position, glyph, turn }: (typeof all)[number]) => {
    view.project(position[1], position[0], at);
    const { x, y } = at;
    const points = glyphs
      .get(glyph)!
      .lines.flat()
      .map((point) => turned(point, turn));
    return Math.min(
      ...labels.flatMap(({ latitude, longitude, halfWidth, halfHeight }) => {
        view.project(latitude, longitude, at);
        return points.map(([right, up]) =>
          Math.max(Math.abs(x + right - at.x) - halfWidth, Math.abs(y - up - at.y) - halfHeight),
        );
      }),
    );
  };
  expect(all.length - clear.length).toBeGreaterThan(20);
  for (const symbol of all) {
    if (distance(symbol) <= 0) expect(remaining.has(symbol.position.join())).toBe(false);
    // A label may be marked up to a square beyond its edge, and a stroke between two ends.
    else if (distance(symbol) > 12) expect(remaining.has(symbol.position.join())).toBe(true);
  }
});

it("reads the labels that MapLibre has placed, and none from a version without an index", () => {
  const unproject = ([x, y]: [number, number]) => ({ lng: x / 10, lat: y / 10 });
  const grid = { bboxes: [150, 120, 250, 140], circles: [300, 400, 7] };
  const map = { style: { placement: { collisionIndex: { grid } } }, unproject };
  expect(readLabelBoxes(map as unknown as MapLibreMap)).toEqual([
    { longitude: 10, latitude: 3, halfWidth: 50, halfHeight: 10 },
    { longitude: 20, latitude: 30, halfWidth: 7, halfHeight: 7 },
  ]);
  expect(readLabelBoxes({ style: {}, unproject } as unknown as MapLibreMap)).toEqual([]);
});

it("tells the same labels from others, so that a resting map is not drawn again and again", () => {
  const moved = labels.map((box) => ({ ...box, longitude: box.longitude + 0.01 }));
  expect(sameLabels(labels, moved, 0.02)).toBe(true);
  expect(sameLabels(labels, moved, 0.005)).toBe(false);
  expect(sameLabels(labels, labels.slice(1), 0.02)).toBe(false);
  const wider = labels.map((box) => ({ ...box, halfWidth: box.halfWidth + 1 }));
  expect(sameLabels(labels, wider, 0.02)).toBe(false);
});
