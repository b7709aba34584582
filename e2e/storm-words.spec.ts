import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, showView, test } from "./map.ts";
import { KEY } from "./server.ts";

test.use({ viewport: { width: 960, height: 900 } });

const card = (page: Page, name: string) => page.getByRole("region", { name: `Storm ${name}` });

test("the end of a forecast is named as its end, times are whole hours, and at other dates the storm is not drawn", async ({
  page,
  demo,
}) => {
  // The point lies east of the track, which approaches it until the last forecast point.
  await page.goto(`${demo.url}/?c=15,-46&z=3&l=none&o=storms&p=38,-72&storm=AL222026#key=${KEY}`);
  const approach = card(page, "DEMOREEF").getByRole("region", { name: "Closest approach" });
  const end = "Sun 20 Sep 06:00";
  await expect(approach).toContainText(`Calculated until ${end}, where the forecast ends.`);
  const verdict = card(page, "DEMOREEF").locator(".verdict");
  await expect(verdict).toContainText(/Still closing: [\d,]+\sn\smi, Sun\s06:00 \(end of forecast\)/);
  expect(await approach.innerText()).not.toMatch(/\d\d:(?!00)\d\d/);
  // The ship crosses the track, so that arrival and closest approach fall between forecast hours.
  await showView(page, "c=15,-46&z=3&l=none&o=storms&p=18.3,-50.2&storm=AL222026");
  await expect(approach).toContainText("34 kn winds: expected, earliest");
  expect(await approach.innerText()).not.toMatch(/\d\d:(?!00)\d\d/);
  await expect(approach).toContainText("Times are UTC, to the hour.");
  await expectAccessible(page, "the approach of a storm");
  // A link without a position goes to its storm.
  const open = (t: string) => page.goto(`${demo.url}/?l=none&o=storms&storm=AL222026&t=${t}#key=${KEY}`);
  const notDrawn = card(page, "DEMOREEF").getByText("forecast and cone of this bulletin are not drawn");
  await open("2026-09-23T12:00:00Z");
  await expect(notDrawn).toBeVisible();
  await open("2026-09-17T12:00:00Z");
  await expect(card(page, "DEMOREEF")).toContainText("Click a place on the map, or pin my ship");
  await expect(page).toHaveURL(/[?&]c=2\d[\d.]*,-5\d/);
  await expect(notDrawn).toHaveCount(0);
});
