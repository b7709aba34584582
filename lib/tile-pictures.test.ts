import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { pictureTime, tilesAt } from "./tile-pictures.ts";

const now = Date.UTC(2026, 10, 29, 3, 47) / 1000;
const at = (text: string) => Date.parse(`2026-11-${text}Z`) / 1000;
const radar = { every: 10, delay: 25, keep: 48 };

it.each([
  ["the clock", now, at("29T03:20")],
  ["the hour after it, which the map shows at first", at("29T04:00"), at("29T03:20")],
  ["an earlier time, exactly", at("29T01:00"), at("29T01:00")],
  ["an earlier time between two pictures", at("29T01:09"), at("29T01:00")],
  ["the oldest picture", at("27T03:50"), at("27T03:50")],
  ["an earlier one, which is gone", at("27T03:40"), undefined],
  ["the hours ahead, for which there is none", at("29T04:50"), undefined],
])("draws the newest picture that exists and is not later than the map: %s", (_, time, picture) => {
  expect(pictureTime(radar, time, now)).toBe(picture);
});

it("pictures of days begin at midnight UTC", () => {
  expect(pictureTime({ every: 1440, delay: 300, keep: 480 }, now, now)).toBe(at("28T00:00"));
  expect(pictureTime({ every: 1440, delay: 0, keep: 480 }, now - 30 * HOUR_S, now)).toBe(at("27T00:00"));
});

it("the address has the time in parts or as a whole, and keeps the place of the tile", () => {
  const picture = at("29T03:20");
  expect(tilesAt("https://a.org/{YYYY}/{MM}/{DD}/{HH}{mm}/{z}/{x}/{y}.png?t={time}", picture)).toBe(
    "https://a.org/2026/11/29/0320/{z}/{x}/{y}.png?t=2026-11-29T03:20:00Z",
  );
  expect(tilesAt("https://a.org/?box={bbox-epsg-3857}", picture)).toBe("https://a.org/?box={bbox-epsg-3857}");
});
