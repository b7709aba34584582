import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { expect, pageIsHydrated, test } from "./map.ts";
import { KEY } from "./server.ts";

test.use({ viewport: { width: 960, height: 900 } });

const card = (page: Page, name: string) => page.getByRole("region", { name: `Storm ${name}` });

test("what a forecast does not reach is told as its end, and times are whole hours", async ({
  page,
  demo,
}) => {
  // East of the track, which leads towards it until the last forecast point.
  await page.goto(`${demo.url}/?c=15,-46&z=3&o=storms&p=38,-72&storm=AL222026#key=${KEY}`);
  const approach = card(page, "DEMOREEF").getByRole("region", { name: "Closest approach" });
  const end = "Sun 20 Sep 06:00";
  await expect(approach).toContainText(`Looked at until ${end}, where the forecast ends.`);
  const verdict = card(page, "DEMOREEF").locator(".verdict");
  await expect(verdict).toContainText(/Still closing: [\d,]+ n mi, Sun 06:00 \(end of forecast\)/);
  expect(await approach.innerText()).not.toMatch(/\d\d:(?!00)\d\d/);
  // A ship that crosses the track: arrival and closest approach fall between forecast hours.
  await page.goto(`${demo.url}/?c=15,-46&z=3&o=storms&p=18.3,-50.2&storm=AL222026#key=${KEY}`);
  await expect(approach).toContainText("34 kn winds: expected, earliest");
  expect(await approach.innerText()).not.toMatch(/\d\d:(?!00)\d\d/);
  await expect(approach).toContainText("Times are UTC, to the hour.");
  await expectAccessible(page, "the approach of a storm");
});

test("storms of the JMA have its own classes, and radii their own threshold", async ({ page, demo }) => {
  await page.route("**/storms?*provider=jma*", async (route) => {
    const reply = await route.fetch();
    const answer = await reply.json();
    const [storm] = answer.results.filter(({ is_invest }: { is_invest: boolean }) => !is_invest);
    const points = [...storm.tracks.observed, ...storm.tracks.forecast.points];
    points.forEach((point, index) => {
      const wind = index % 2 === 0 ? 95 : 55;
      Object.assign(point, { vmax_kt: wind, type: wind >= 64 ? "HU" : "TS", category: wind >= 64 ? 2 : 0 });
    });
    Object.assign(storm.tracks.observed.at(-1), { vmax_kt: 95, type: "HU", category: 2 });
    await route.fulfill({ response: reply, json: answer });
  });
  await page.goto(`${demo.url}/?c=35,165&z=3&o=storms&sp=jma#key=${KEY}`);
  await pageIsHydrated(page);
  await page.getByRole("tab", { name: /^Storms/ }).click();
  const row = page.getByRole("button", { name: /DEMOPIER/ });
  await expect(row).toContainText("Typhoon, very strong, 95 kn");
  await row.click();
  const jma = card(page, "DEMOPIER");
  await expect(jma.getByRole("definition").first()).toHaveText("Typhoon, very strong");
  await expect(jma.getByRole("columnheader", { name: "30 kn" })).toBeVisible();
  await expect(jma.getByRole("table").first()).toContainText("TY");
  await expect(jma.getByRole("table").first()).toContainText("STS");
  await expect(jma).not.toContainText(/[Cc]ategory|Cat\. \d|Gales/);
  await expectAccessible(page, "the card of a storm of the JMA");
});

test("over other dates the card tells that today's forecast is not drawn", async ({ page, demo }) => {
  const open = (t: string) =>
    page.goto(`${demo.url}/?c=15,-46&z=3&o=storms&storm=AL222026&t=${t}#key=${KEY}`);
  const notDrawn = card(page, "DEMOREEF").getByText("forecast and cone of this bulletin are not drawn");
  await open("2026-09-23T12:00:00Z");
  await expect(notDrawn).toBeVisible();
  await open("2026-09-17T12:00:00Z");
  await expect(card(page, "DEMOREEF")).toContainText("Click a place on the map, or pin my ship");
  await expect(notDrawn).toHaveCount(0);
});
