import { expect, it } from "vitest";
import { readAngle } from "./read-angle.ts";

it.each([
  ["48.5", "latitude", 48.5],
  ["48,5", "latitude", 48.5],
  ["−48,5", "latitude", -48.5],
  ["48°30.0′N", "latitude", 48.5],
  ["48 30", "latitude", 48.5],
  ["-48 30", "latitude", -48.5],
  ["48-30-00S", "latitude", -48.5],
  ["4830N", "latitude", 48.5],
  ["北緯48度30分", "latitude", 48.5],
  ["005 15W", "longitude", -5.25],
  ["W005 15.0", "longitude", -5.25],
  ["5°15'00\"W", "longitude", -5.25],
  ["354.75", "longitude", -5.25],
  ["0", "longitude", 0],
] as const)("reads %s as a %s", (text, axis, degrees) => {
  expect(readAngle(text, axis)).toBe(degrees);
});

it("takes the letter of another column, and the meaning of O from the reader's language", () => {
  expect(readAngle("4830.0", "latitude", "S")).toBe(-48.5);
  expect(readAngle("5,25", "longitude", "O", ["fr"])).toBe(-5.25);
  expect(readAngle("5,25 O", "longitude", "", ["de"])).toBe(5.25);
  expect(readAngle("5,25 O", "longitude", "", ["en"])).toBeNaN();
});

it.each([
  ["", "latitude"],
  ["x", "latitude"],
  ["91", "latitude"],
  ["4830", "latitude"],
  ["48N", "longitude"],
  ["5W", "latitude"],
  ["361", "longitude"],
  ["-181", "longitude"],
  ["48 61", "latitude"],
  ["48 5 -5 1", "latitude"],
  ["-48N", "latitude"],
  ["1e1", "latitude"],
  ["Infinity", "latitude"],
] as const)("takes %j for no %s", (text, axis) => {
  expect(readAngle(text, axis)).toBeNaN();
});
