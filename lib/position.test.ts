import { expect, it } from "vitest";
import { de } from "./messages/generated/de.ts";
import { en } from "./messages/generated/en.ts";
import { fr } from "./messages/generated/fr.ts";
import { ja } from "./messages/generated/ja.ts";
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

it("names bearings by the nearest of sixteen points, and in letters by the nearest of eight or sixteen, of any turn", () => {
  expect([0, 11.3, 247.5, 359.9].map((bearing) => compassPoint(bearing, en))).toEqual([
    "north",
    "north-northeast",
    "west-southwest",
    "north",
  ]);
  expect([0, 22.6, 337.6, -45, 725].map((bearing) => compassLetters(bearing, en)).join(" ")).toBe(
    "N NE N NW N",
  );
  expect([0, 22.5, 112.5, 293].map((bearing) => compassAbbreviation(bearing, en)).join(" ")).toBe(
    "N NNE ESE WNW",
  );
  expect(compassAbbreviation(247.5, fr)).toBe("OSO");
  expect(compassLetters(90, de)).toBe("O");
  expect(compassPoint(337.5, ja)).toBe("北北西");
});
