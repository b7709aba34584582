import { expect, it } from "vitest";
import { tileOverlayFile } from "#lib/contract/tile-overlay.ts";
import { de, en, fr } from "#test/all-words.ts";
import { zoneWith } from "./civil.ts";
import { drawnTiles, tileTitle } from "./tile-overlays.ts";

const now = Date.UTC(2026, 10, 29, 3) / 1000;
const overlay = (more: object) => ({
  ...tileOverlayFile.parse({
    title: { en: "Rain radar", de: "Regenradar" },
    credit: "Radars",
    tiles: "https://a.org/{z}/{x}/{y}",
    ...more,
  }),
  id: "radar",
});
const radar = overlay({ tiles: "https://a.org/{HH}{mm}-{DD}/{z}/{x}/{y}", time: { every: 10, delay: 25 } });

it("a title is in the language of the page, or else in English", () => {
  expect([de, fr].map(({ language }) => tileTitle(radar, language))).toEqual(["Regenradar", "Rain radar"]);
  expect(tileTitle(overlay({ title: "Radar" }), "ja")).toBe("Radar");
});

it("the credit states the time of the picture in the zone of the page", () => {
  const zone = zoneWith(() => 3600, en);
  expect(drawnTiles(radar, now, now, zone)).toMatchObject({
    address: "https://a.org/0230-29/{z}/{x}/{y}",
    credit: expect.stringMatching(/^Rain radar, Sun 29 Nov 03:30 .*: Radars$/),
  });
  expect(drawnTiles(overlay({}), undefined, 0, zone)?.credit).toBe("Rain radar: Radars");
});

it("nothing is drawn for a time without a picture, and while the time is unknown", () => {
  const zone = zoneWith(() => 0, en);
  expect(drawnTiles(radar, undefined, now, zone)).toBeUndefined();
  expect(drawnTiles(radar, now + 7200, now, zone)).toBeUndefined();
});
