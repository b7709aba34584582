import type { Page } from "@playwright/test";
import { toKnots } from "#lib/knots.ts";
import { en } from "#lib/messages/generated/en.ts";
import { defaultUnits, textIn, unitFor } from "#lib/units.ts";
import { expectAccessible } from "./accessibility.ts";
import { expect, openMap, postPoints, test } from "./map.ts";
import { mapIsSettled, readPixels } from "./probe.ts";
import { STEPS } from "./test-archive.ts";

test.use({ viewport: { width: 960, height: 600 } });

const map = (page: Page) => page.getByRole("application", { name: "Weather map" });
const legendButton = (page: Page) => page.getByRole("button", { name: /^Wind speed, kn/ });

/** Whether nothing lies over the middle of the map. */
const middleIsFree = (page: Page) =>
  map(page).evaluate((canvas) => {
    const { x, y, width, height } = canvas.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === canvas;
  });

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("legends are chips that stay as they were left, and the time bar rides on the half sheet", async ({
    page,
    demo,
  }) => {
    await openMap(page, "c=35,-45&z=3", demo.url);
    await expect(legendButton(page)).toHaveAttribute("aria-expanded", "false");
    expect(await middleIsFree(page)).toBe(true);
    await legendButton(page).click();
    await page.getByText("What the symbols mean").click();
    await expect(
      page.getByRole("img", { name: /^Colours from 0 to 78 knots\. From 22: strong\./ }),
    ).toBeVisible();
    expect(await middleIsFree(page)).toBe(true);
    await expectAccessible(page, "legends unfolded on a phone");
    await page.reload();
    await mapIsSettled(page);
    await expect(legendButton(page)).toHaveAttribute("aria-expanded", "true");

    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("button", { name: /^Storms \(\d\)$/ })
      .click();
    await expect(page.getByRole("tab", { name: /^Storms/ })).toHaveAttribute("aria-selected", "true");
    const sheet = page.locator(".panel-sheet");
    const time = page.getByRole("region", { name: "Time" });
    await expect(async () => {
      const [over, under] = [(await time.boundingBox())!, (await sheet.boundingBox())!];
      expect(under.height).toBeCloseTo(422, 0);
      expect(Math.abs(over.y + over.height - under.y)).toBeLessThan(1.5);
      expect(over.y).toBeGreaterThan(100);
    }).toPass();
    await page.getByRole("button", { name: "Forward one step" }).click({ trial: true });
    await expectAccessible(page, "storms in the half sheet");
  });
});

test("the pointer reads value and direction of what is drawn, without a request", async ({ page }) => {
  await openMap(page, `e2e&c=48,-12&z=5&t=${STEPS[0]}&o=`);
  const requests: string[] = [];
  // The frames of the steps around are read ahead as soon as the page is used.
  const isReadAhead = (url: string) =>
    url.includes("/signed-frames/") && !url.includes(encodeURIComponent(STEPS[0]!));
  page.on("request", (request) => {
    if (!isReadAhead(request.url())) requests.push(request.url());
  });
  const readout = page.locator(".hover-readout");
  const { x, y, width, height } = (await map(page).boundingBox())!;
  for (const [right, down] of [
    [0.5, 0.5],
    [0.88, 0.97],
  ] as const) {
    const at = { x: Math.round(x + width * right), y: Math.round(y + height * down) };
    await page.mouse.move(at.x, at.y);
    const value = Number(await page.getByTestId("readout").getAttribute("data-value"));
    await expect(readout).toContainText(textIn(value, unitFor("m/s", defaultUnits, undefined, en)));
    await expect(readout).toContainText(/ from [NESW]{1,3}$/);
    const box = (await readout.boundingBox())!;
    expect(at.x < box.x || at.x > box.x + box.width || at.y < box.y || at.y > box.y + box.height).toBe(true);
    expect(box.x + box.width).toBeLessThanOrEqual(x + width);
    expect(box.y + box.height).toBeLessThanOrEqual(y + height);
  }
  expect(requests).toEqual([]);
  await page.mouse.move(x + width / 2, y + height / 2);
  const [expected] = await postPoints([{ latitude: 48, longitude: -12 }], STEPS[0]!);
  const shown = await readout.textContent();
  // Whole knots, and the middle of the map within a pixel.
  expect(Math.abs(Number.parseFloat(shown ?? "") - toKnots(expected!.Winds_10m_Intensity!))).toBeLessThan(
    1.6,
  );
});

test("near the coast the map reads the cells that it shows, and no more than 150 kB of them", async ({
  page,
}) => {
  const cells: { name: string; bytes: number }[] = [];
  page.on("response", async (response) => {
    const name = /basemap\/coast\/(.+)$/.exec(response.url())?.[1];
    if (!name) return;
    const { responseBodySize } = await response.request().sizes();
    cells.push({ name, bytes: responseBodySize });
  });
  // Water behind Norway's islands that the outline of 1:50 million has as land.
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
    // Blue of the probe's colours; land has less.
    return pixel?.[2] === 255;
  };
  await openMap(page, `e2e&c=${place}&z=5.8&t=${STEPS[0]}&o=`);
  expect(await paintsSea()).toBe(false);
  expect(cells).toEqual([]);
  await openMap(page, `e2e&c=${place}&z=8&t=${STEPS[0]}&o=`);
  await expect.poll(paintsSea).toBe(true);
  await expect.poll(() => cells.map(({ name }) => name).sort()).toEqual(["558.json", "index.json"]);
  expect(cells.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(150_000);
});
