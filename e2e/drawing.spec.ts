import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, legendButton, openMap, test } from "./map.ts";
import { mapIsSettled, readPixels } from "./probe.ts";
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

  test("near the coast the map reads only the cells that it shows, at most 150 kB", async ({ page }) => {
    const cells: { name: string; bytes: number }[] = [];
    page.on("response", async (response) => {
      const name = /basemap\/coast\/(.+)$/.exec(response.url())?.[1];
      if (!name) return;
      const { responseBodySize } = await response.request().sizes();
      cells.push({ name, bytes: responseBodySize });
    });
    // This place is water behind Norway's islands, where the outline of 1:50 million has land.
    const place = "62.12,5.34";
    const paintsSea = async () => {
      await mapIsSettled(page);
      const { clientWidth, clientHeight } = await map(page).evaluate((canvas) => ({
        clientWidth: canvas.clientWidth,
        clientHeight: canvas.clientHeight,
      }));
      const [pixel] = await readPixels(page, [
        { x: Math.round(clientWidth / 2), y: Math.round(clientHeight / 2) },
      ]);
      // The probe's sea colour has the largest blue; land has less.
      return pixel?.[2] === 255;
    };
    await openMap(page, `e2e&l=bathy&c=${place}&z=5.8&t=${STEPS[0]}&o=`);
    expect(await paintsSea()).toBe(false);
    expect(cells).toEqual([]);
    await openMap(page, `e2e&l=bathy&c=${place}&z=8&t=${STEPS[0]}&o=`);
    await expect.poll(paintsSea).toBe(true);
    await expect.poll(() => cells.map(({ name }) => name).sort()).toEqual(["558.json", "index.json"]);
    expect(cells.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(150_000);
  });
});
