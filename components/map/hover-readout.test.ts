import { expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import type { Frame } from "#lib/field/frame.ts";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { fr } from "#lib/messages/generated/fr.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { defaultUnits } from "#lib/units.ts";
import { besides, hoverText } from "./hover-readout.tsx";

/** A frame of one value for each band, missing east of 0°. */
function frame(bands: Record<string, number>): Frame {
  const stored = Object.values(bands);
  const values = new Int16Array(3 * 3 * stored.length);
  for (let node = 0; node < 9; node++) {
    stored.forEach((value, band) => {
      values[node * stored.length + band] = node % 3 === 2 ? FILL : Math.round(value * 100);
    });
  }
  return {
    grid: { latitude: { start: -1, step: 1, count: 3 }, longitude: { start: -1, step: 1, count: 3 } },
    time: 0,
    bands: Object.keys(bands).map((name) => ({ name, scale: 0.01, offset: 0 })),
    values,
    perNode: stored.length,
  };
}

const west = { latitude: 0.3, longitude: -0.7 };
const text = (
  layer: "wind" | "current" | "gust",
  bands: Record<string, number>,
  place = west,
  words = en,
) => {
  const drawn = frame(bands);
  return hoverText(
    { pair: { before: drawn, after: drawn, later: 0 }, layer, units: defaultUnits },
    place,
    words,
  );
};
const wind = { eastward_wind_10m: 10.9, northward_wind_10m: -4.5 };

it("reads value and direction of the drawn frames, in the chosen unit", () => {
  expect(text("wind", wind)).toBe("23 kn from WNW");
  expect(
    text("current", { surface_eastward_sea_water_velocity: 0.6, surface_northward_sea_water_velocity: 0 }),
  ).toBe("1.2 kn setting E");
  expect(text("gust", { wind_speed_of_gust: 18 })).toBe("35 kn");
});

it("is written in the order of a language, with its comma, units and points of the compass", () => {
  const current = { surface_eastward_sea_water_velocity: 0.6, surface_northward_sea_water_velocity: 0 };
  expect(text("wind", wind, west, fr)).toBe("23\u00a0nd d’ONO");
  expect(text("current", current, west, de)).toBe("1,2 kn nach O");
  expect(text("current", current, west, ja)).toBe("東へ 1.2 kt");
});

it("says nothing where nothing is painted", () => {
  expect(text("wind", wind, { latitude: 0, longitude: 0.9 })).toBeUndefined();
  expect(hoverText({ pair: undefined, layer: "wind", units: defaultUnits }, west, en)).toBeUndefined();
});

it("stays clear of the pointer and within the map, at every edge", () => {
  for (const x of [0, 5, 700, 795, 800]) {
    for (const y of [0, 300, 595, 600]) {
      const { left, right, top, bottom } = {
        left: undefined,
        right: undefined,
        top: undefined,
        bottom: undefined,
        ...besides({ x, y }, 800, 600),
      };
      const [west = 800 - (right ?? 0) - 150, north = 600 - (bottom ?? 0) - 44] = [left, top];
      expect(west).toBeGreaterThanOrEqual(0);
      expect(west + 150).toBeLessThanOrEqual(800);
      expect(north).toBeGreaterThanOrEqual(0);
      expect(north + 44).toBeLessThanOrEqual(600);
      const covers = x >= west && x <= west + 150 && y >= north && y <= north + 44;
      expect(covers).toBe(false);
    }
  }
});
