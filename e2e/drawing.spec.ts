import type { Page } from "@playwright/test";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { expectAccessible } from "./accessibility.ts";
import { expect, legendButton, openMap, test } from "./map.ts";
import { mapIsSettled, type Pixel, randomPixels } from "./probe.ts";
import { STEPS } from "./test-archive.ts";

test.use({ viewport: { width: 960, height: 600 } });

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
      expect(under.height).toBeCloseTo(374, 0);
      expect(Math.abs(over.y + over.height - under.y)).toBeLessThan(1.5);
      expect(over.y).toBeGreaterThan(100);
    }).toPass();
    await page.getByRole("button", { name: "Forward one step" }).click({ trial: true });
    await expectAccessible(page, "storms in the half sheet");
  });
});

test.describe("every pixel", () => {
  test.use({ coarseMap: false });

  const { line } = knownCoast();
  const around = Array.from({ length: 8 }, (_, at) => (at * Math.PI) / 4);
  /** Pixels on the wrong side of the coast, of those with no coast within two pixels. @param shift Degrees to the east. */
  const wrongOf = (pixels: readonly Pixel[], zoom: number, shift = 0) =>
    pixels.filter(({ latitude, longitude, rgb: [, , blue] }) => {
      const degrees = (2 * 360) / (512 * 2 ** zoom);
      const isLand = (north: number, east: number) => {
        const x = longitude - shift + east * degrees;
        const shrink = Math.cos((latitude * Math.PI) / 180);
        return line.isLand({ latitude: latitude + north * degrees * shrink, longitude: x });
      };
      const land = isLand(0, 0);
      // The probe's sea colour and ramp have the largest blue; land has less.
      return (
        (blue === 255) === land && around.every((turn) => isLand(Math.cos(turn), Math.sin(turn)) === land)
      );
    });

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
    test(`the map fills the land of the service, to the pixel, from less than 150 kB: ${name}`, async ({
      page,
    }) => {
      let bytes = 0;
      page.on("response", (response) => {
        if (response.url().includes(".pmtiles")) bytes += Number(response.headers()["content-length"]);
      });
      await openMap(page, `e2e&l=bathy&c=${latitude},${longitude}&z=${zoom}&t=${STEPS[0]}&o=`);
      await mapIsSettled(page);
      const pixels = await randomPixels(page, 600, 8, { latitude, longitude, zoom });
      // Blends with the line and with labels are neither the probe's sea colour and ramp nor land.
      const filled = pixels.filter(
        ({ rgb: [red, green, blue] }) => blue === 255 || Math.min(red, green) > 200,
      );
      expect(wrongOf(filled, zoom)).toEqual([]);
      expect(filled.length).toBeGreaterThan(400);
      // Ten pixels beside it another coast is seen.
      expect(wrongOf(filled, zoom, 3600 / (512 * 2 ** zoom)).length).toBeGreaterThan(3);
      expect(bytes).toBeGreaterThan(1000);
      expect(bytes).toBeLessThan(150_000);
    });
});
