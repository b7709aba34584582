import type { Place } from "@open-metocean/geo/sphere";
import type { Page } from "@playwright/test";
import { COAST_WIDTH } from "#components/map/basemap.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { expectAccessible } from "./accessibility.ts";
import { expect, legendButton, openMap, showView, test } from "./map.ts";
import { type Camera, mapIsSettled, type Pixel, randomPixels } from "./probe.ts";
import { STEPS } from "./test-archive.ts";

test.use({ viewport: { width: 960, height: 600 } });

/** A longitude from −180 to 180. */
const turned = (longitude: number) => longitude - 360 * Math.round(longitude / 360);

const map = (page: Page) => page.getByRole("application", { name: "Weather map" });

/** Whether nothing covers the middle of the map. */
const middleIsFree = (page: Page) =>
  map(page).evaluate((canvas) => {
    const { x, y, width, height } = canvas.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === canvas;
  });

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the legend opens beside the middle of the map, and the time bar lies on the half-height sheet", async ({
    page,
    demo,
  }) => {
    await openMap(page, "c=35,-45&z=3", demo.url);
    expect(await middleIsFree(page)).toBe(true);
    await legendButton(page).click();
    await expect(
      page.getByRole("img", { name: /^Colours from 0 to 78 knots\. From 22: strong\./ }).last(),
    ).toBeVisible();
    await expectAccessible(page, "the legend open on a phone");
    await page.keyboard.press("Escape");
    // Touching a tab raises the sheet.
    await page.getByRole("tab", { name: /^Storms/ }).click();
    await expect(page.getByRole("tab", { name: /^Storms/ })).toHaveAttribute("aria-selected", "true");
    const sheet = page.locator(".panel-sheet");
    const time = page.getByRole("region", { name: "Time" });
    await expect(async () => {
      const [over, under] = [(await time.boundingBox())!, (await sheet.boundingBox())!];
      expect(under.height).toBeCloseTo(377, 0);
      expect(Math.abs(over.y + over.height - under.y)).toBeLessThan(1.5);
      expect(over.y).toBeGreaterThan(100);
    }).toPass();
    await page.getByRole("button", { name: "Forward one step" }).click({ trial: true });
    await expectAccessible(page, "storms in the half sheet");
  });
});

test.describe("every pixel", () => {
  test.use({ coarseMap: false });

  // One page moves from coast to coast, because opening it costs more than a view.
  let page: Page;
  /** Bytes of the file of the land: its head, which a page reads once, and those of the view. */
  let [ofHead, ofView] = [0, 0];
  test.beforeAll(async ({ browser }) => {
    page = await browser.newPage({ viewport: { width: 960, height: 600 } });
    page.on("response", (response) => {
      if (!response.url().includes(".pmtiles")) return;
      const { "content-length": length, "content-range": range = "" } = response.headers();
      if (range.startsWith("bytes 0-")) ofHead += Number(length);
      else ofView += Number(length);
    });
  });
  test.afterAll(() => page.close());

  const { line } = knownCoast();
  const around = Array.from({ length: 8 }, (_, at) => (at * Math.PI) / 4);
  /** Land of the service at a place and at so many pixels around it; undefined where the coast is nearer than that. */
  const landWithin = ({ latitude, longitude }: Place, zoom: number, pixels: number) => {
    const degrees = (pixels * 360) / (512 * 2 ** zoom);
    const shrink = Math.cos((latitude * Math.PI) / 180);
    const isLand = (north: number, east: number) =>
      line.isLand({
        latitude: latitude + north * degrees * shrink,
        longitude: turned(longitude + east * degrees),
      });
    const land = isLand(0, 0);
    return around.every((turn) => isLand(Math.cos(turn), Math.sin(turn)) === land) ? land : undefined;
  };
  /** Whether the service has no coast within so many pixels, not even that of an islet. */
  const isOffCoast = (place: Place, zoom: number, pixels: number) => {
    const miles = ((pixels * 360) / (512 * 2 ** zoom)) * 60 * Math.cos((place.latitude * Math.PI) / 180);
    return (
      landWithin(place, zoom, pixels) !== undefined && !((line.nearestCoastTo(place)?.miles ?? miles) < miles)
    );
  };

  /** Land, and a colour of the probe on land through the veil, whose red has a share of the colour below it. */
  const [LAND, VEILED] = [
    [239, 231, 216],
    [undefined, 196, 222],
  ] as const;
  /** Pixels on each side of the middle of the line that it colours, the last half of one blended with its neighbours. */
  const HALF_LINE = COAST_WIDTH / 2 + 0.5;
  const fillOf = ({ rgb: [red, green, blue] }: Pixel, isOverLand: boolean) => {
    if (green === 0 && blue === 255) return "colours";
    const [asRed = red, asGreen, asBlue] = isOverLand ? VEILED : LAND;
    return Math.max(Math.abs(red - asRed), Math.abs(green - asGreen), Math.abs(blue - asBlue)) > 2
      ? "line"
      : "land";
  };

  /** Pixels that do not show the coast of the service. @param shift Pixels by which that is shifted to the east. */
  const wrongOf = (pixels: readonly Pixel[], zoom: number, isOverLand: boolean, shift = 0) =>
    pixels.filter((pixel) => {
      const place = {
        latitude: pixel.latitude,
        longitude: turned(pixel.longitude - (shift * 360) / (512 * 2 ** zoom)),
      };
      const fill = fillOf(pixel, isOverLand);
      // The middle of the line is within a pixel of the coast. Borders are lines on land.
      if (fill === "line") return isOffCoast(place, zoom, 1 + HALF_LINE) && !line.isLand(place);
      const land = landWithin(place, zoom, 1);
      return land !== undefined && land !== (fill === "land");
    });

  /**
   * Expects that the map shows the coast of the service in this view. @returns How many pixels tell it from a coast ten pixels
   * beside it.
   */
  const expectCoast = async (page: Page, camera: Camera, isOverLand: boolean) => {
    await mapIsSettled(page);
    const pixels = await randomPixels(page, 600, 8, camera);
    expect(wrongOf(pixels, camera.zoom, isOverLand), `zoom ${camera.zoom}`).toEqual([]);
    const ofOthers = [-10, 10].map((shift) => wrongOf(pixels, camera.zoom, isOverLand, shift).length);
    return Math.max(...ofOthers);
  };

  /** All zooms, or the one that is given. */
  const zoomsOf = (zoom: number) =>
    process.env.THOROUGH === "1" ? Array.from({ length: 10 }, (_, at) => 3 + at) : [zoom];

  for (const [name, latitude, longitude, zoom] of [
    ["the Mediterranean", 36, 19, 3.4],
    ["Norway's fjords", 62.12, 5.34, 8],
    ["Norway and its islands from afar", 62.12, 5.34, 4.5],
    ["Brittany", 48.35, -4.6, 10],
    ["a harbour of Brittany", 48.37, -4.48, 12],
    ["Cornwall", 50.15, -5.1, 9],
    ["Chiloé", -42.3, -73.3, 7],
    ["the Bahamas", 24.1, -76.4, 6],
    ["Lofoten", 68.15, 13.8, 7],
    ["the Inland Sea of Japan", 34.2, 133.2, 8],
    ["Venice", 45.42, 12.35, 11],
    ["Fiji, at 180°", -16.8, 179.95, 9],
    ["Antarctica", -64.8, -62.9, 5],
  ] as const)
    test(`fill, veil and line of the map are the coast of the service to the pixel, and no colours are on land without the veil: ${name}`, async () => {
      const zooms = zoomsOf(zoom);
      test.setTimeout(120_000 * zooms.length);
      const turnTo = async (key: "=" | "-", zoom: number) => {
        await map(page).press(key);
        await expect(page).toHaveURL(new RegExp(`z=${zoom}(?!\\d)`));
      };
      const view = `e2e&l=bathy&c=${latitude},${longitude}&z=${zooms[0]}&t=${STEPS[0]}&o=`;
      ofView = 0;
      if (page.url() === "about:blank") await openMap(page, view);
      else await showView(page, view);
      expect(ofHead).toBeGreaterThan(1000);
      expect(ofHead + ofView).toBeLessThan(150_000);
      const ofOthers: number[] = [];
      // Depths end at the coast, winds go on below the veil.
      for (const zoom of zooms) {
        if (zoom !== zooms[0]) await turnTo("=", zoom);
        ofOthers.push(await expectCoast(page, { latitude, longitude, zoom }, false));
      }
      await map(page).press("1");
      await expect(legendButton(page)).toHaveAccessibleName(/^kn: /);
      for (const zoom of zooms.toReversed()) {
        if (zoom !== zooms.at(-1)) await turnTo("-", zoom);
        ofOthers.push(await expectCoast(page, { latitude, longitude, zoom }, true));
      }
      expect(Math.max(...ofOthers)).toBeGreaterThan(5);
    });
});
