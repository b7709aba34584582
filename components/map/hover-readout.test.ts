import { expect, it } from "vitest";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { fr } from "#lib/messages/generated/fr.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { defaultUnits } from "#lib/units.ts";
import { frameOf, steady } from "#test/map.ts";
import { besides, hoverText } from "./hover-readout.tsx";

/** The field is missing east of 0°. */
const westOf0 = (value: number) => (_: number, longitude: number) => (longitude > 0 ? Number.NaN : value);
const bands = {
  wind: { eastward_wind_10m: westOf0(10.9), northward_wind_10m: westOf0(-4.5) },
  current: { surface_eastward_sea_water_velocity: 0.6, surface_northward_sea_water_velocity: 0 },
  gust: { wind_speed_of_gust: 18 },
};
const text = (layer: keyof typeof bands, words = en, longitude = -0.7) =>
  hoverText(
    { pair: steady(frameOf(bands[layer])), layer, units: defaultUnits },
    { latitude: 0.3, longitude },
    words,
  );

it.each([
  ["wind", en, "23 kn from WNW"],
  ["current", en, "1.2 kn setting E"],
  ["gust", en, "35 kn"],
  ["wind", fr, "23\u00a0nd d’ONO"],
  ["current", de, "1,2 kn nach O"],
  ["current", ja, "東へ 1.2 kt"],
] as const)(
  "reads %s of the drawn frames in the unit and the order of the language",
  (layer, words, read) => {
    expect(text(layer, words)).toBe(read);
  },
);

it.each([
  ["kn", 20.4, en, "+5 kn"],
  ["kn", 15, en, "−6 kn"],
  ["kn", 18.1, en, "0 kn"],
  ["Bft", 20.4, en, "+5 kn"],
  ["m/s", 20.4, de, "+2,4 m/s"],
] as const)("reads a difference with its sign, in %s", (speed, gust, words, read) => {
  const [pair, base] = [gust, 18].map((value) => steady(frameOf({ wind_speed_of_gust: westOf0(value) })));
  const reading = { pair, base, layer: "gust" as const, units: { ...defaultUnits, speed } };
  expect(hoverText(reading, { latitude: 0.3, longitude: -0.7 }, words)).toBe(read);
  expect(hoverText(reading, { latitude: 0.3, longitude: 1.9 }, words)).toBeUndefined();
});

it("takes the difference of speeds, not the speed of the difference", () => {
  const wind = (eastward_wind_10m: number) => steady(frameOf({ eastward_wind_10m, northward_wind_10m: 0 }));
  const reading = { pair: wind(-12), base: wind(10), layer: "wind" as const, units: defaultUnits };
  expect(hoverText(reading, { latitude: 0, longitude: 0 }, en)).toBe("+4 kn");
});

it.each([
  [38.7, en, "12 of 31 members (39%)"],
  [37, en, "≈ 11 of 31 members (37%)"],
  [1.2, en, "< 1 of 31 members (1%)"],
  [0, fr, "0 sur 31 membres (0\u202f%)"],
  [3.2, de, "1 von 31 Mitgliedern (3\u00a0%)"],
] as const)("counts the members that a share of %s % stands for", (share, words, read) => {
  const pair = steady(frameOf({ wind_speed_over_34kn: share }));
  const reading = { pair, layer: "wind_speed_over_34kn" as const, units: defaultUnits };
  const place = { latitude: 0.3, longitude: -0.7 };
  expect(hoverText({ ...reading, members: 31 }, place, words)).toBe(read);
  expect(hoverText(reading, place, words)).toMatch(/^\d+\s?%$/);
});

it("reads a spread as a difference of speeds, never in Beaufort", () => {
  const pair = steady(frameOf({ wind_speed_spread: 2.57 }));
  const reading = { pair, layer: "wind_speed_spread" as const, members: 31 };
  const units = { ...defaultUnits, speed: "Bft" as const };
  expect(hoverText({ ...reading, units }, { latitude: 0.3, longitude: -0.7 }, en)).toBe("5 kn");
});

it("says nothing where nothing is painted", () => {
  expect(text("wind", en, 1.9)).toBeUndefined();
  const empty = { pair: undefined, layer: "wind" as const, units: defaultUnits };
  expect(hoverText(empty, { latitude: 0, longitude: 0 }, en)).toBeUndefined();
});

it("stays clear of the pointer and within the map, at every edge", () => {
  for (const x of [0, 5, 700, 795, 800]) {
    for (const y of [0, 300, 595, 600]) {
      const place: Partial<Record<"left" | "right" | "top" | "bottom", number>> = besides({ x, y }, 800, 600);
      const west = place.left ?? 800 - place.right! - 150;
      const north = place.top ?? 600 - place.bottom! - 44;
      expect(west >= 0 && west + 150 <= 800 && north >= 0 && north + 44 <= 600).toBe(true);
      expect(x >= west && x <= west + 150 && y >= north && y <= north + 44).toBe(false);
    }
  }
});
