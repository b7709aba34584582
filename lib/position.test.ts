import { expect, it } from "vitest";
import { de } from "./messages/generated/de.ts";
import { en } from "./messages/generated/en.ts";
import { es } from "./messages/generated/es.ts";
import { fr } from "./messages/generated/fr.ts";
import { ja } from "./messages/generated/ja.ts";
import { pt } from "./messages/generated/pt.ts";
import { zh } from "./messages/generated/zh.ts";
import { compassAbbreviation, compassLetters, compassPoint, positionText } from "./position.ts";

it.each([
  [48.5, -5.17, "48°30.0′N 005°10.2′W"],
  [-0.00001, 0, "00°00.0′S 000°00.0′E"],
  [-33.99999, 179.99999, "34°00.0′S 180°00.0′E"],
  [10, 180, "10°00.0′N 180°00.0′E"],
  [17.975, 192.6567, "17°58.5′N 167°20.6′W"],
  [17.975, -540.5, "17°58.5′N 179°30.0′E"],
])("formats %d, %d as on a chart", (latitude, longitude, text) => {
  expect(positionText(latitude, longitude)).toBe(text);
});

it("names the nearest of sixteen bearings", () => {
  expect([0, 11.2, 11.3, 247.5, 359.9].map((bearing) => compassPoint(bearing, en))).toEqual([
    "north",
    "north",
    "north-northeast",
    "west-southwest",
    "north",
  ]);
});

it("abbreviates the nearest of eight bearings, of any turn", () => {
  expect([0, 22.4, 22.6, 180, 337.6, -45, 725].map((bearing) => compassLetters(bearing, en))).toEqual([
    "N",
    "N",
    "NE",
    "S",
    "N",
    "NW",
    "N",
  ]);
});

it("abbreviates the sixteen points", () => {
  expect([0, 22.5, 112.5, 247.5, 293, 337.6].map((bearing) => compassAbbreviation(bearing, en))).toEqual([
    "N",
    "NNE",
    "ESE",
    "WSW",
    "WNW",
    "NNW",
  ]);
});

it("points of the compass have the names and letters of a language", () => {
  expect(compassAbbreviation(247.5, fr)).toBe("OSO");
  expect(compassLetters(90, de)).toBe("O");
  expect(compassPoint(337.5, ja)).toBe("北北西");
  for (const { catalog } of [en, fr, es, de, pt, ja, zh]) {
    expect(new Set(catalog.compass.letters).size).toBe(16);
    expect(new Set(catalog.compass.points).size).toBe(16);
  }
});
