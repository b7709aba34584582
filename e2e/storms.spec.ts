import type { Page } from "@playwright/test";
import { areasOf, expect, openMap, pageIsHydrated, stormsOf, test } from "./map.ts";
import { viewIsDrawn } from "./probe.ts";
import { KEY } from "./server.ts";

// Reduced motion: the map then moves to another place at once.
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

const ids = (page: Page) =>
  page
    .getByRole("region", { name: "Storms" })
    .getByRole("listitem")
    .evaluateAll((rows) => rows.map((row) => row.querySelector("[data-opens]")?.getAttribute("data-opens")));

test("the storm panel lists the service's storms, opens one by keyboard, and the link restores the view", async ({
  page,
  demo,
}) => {
  const [jtwc, jma] = [await stormsOf(demo, "jtwc"), await stormsOf(demo, "jma")];
  const named = jtwc.find(({ is_invest, tracks }) => !is_invest && tracks.forecast)!;
  await page.goto(`${demo.url}/?z=4&l=none&o=storms#key=${KEY}`);
  await page.getByRole("tab", { name: `Storms (${jtwc.length})` }).click();
  const listed = async () => (await ids(page)).toSorted();
  await expect.poll(listed).toEqual(jtwc.map(({ id }) => id));
  await page.getByRole("button", { name: "Provider and areas" }).press("Enter");
  await page.getByRole("checkbox", { name: "Areas of interest too" }).press("Space");
  await expect.poll(listed).toEqual(jtwc.filter((one) => !one.is_invest).map(({ id }) => id));
  await page.getByRole("button", { name: "JMA" }).press("Enter");
  await expect.poll(listed).toEqual(jma.filter((one) => !one.is_invest).map(({ id }) => id));
  await page.getByRole("button", { name: "JTWC and NHC" }).press("Enter");
  await expect.poll(() => ids(page)).toContain(named.id);
  await expect(page.getByText("JTWC and NHC · 1-minute winds")).toBeVisible();

  await page.getByRole("listitem").getByRole("button", { name: named.name! }).press("Enter");
  const card = page.getByRole("region", { name: `Storm ${named.name}` });
  await expect(card).toContainText(`${named.tracks.observed.at(-1)!.vmax_kt} kn (1-minute mean)`);
  await expect(card.getByRole("row")).toHaveCount(named.tracks.forecast!.points.length + 1);
  await card.getByRole("button", { name: "100-200-300" }).press("Enter");
  await expect(page).toHaveURL(
    new RegExp(`storm=${named.id}.*danger=classic|danger=classic.*storm=${named.id}`),
  );

  // The map returns to its earlier view, unless the user has moved it since.
  const centre = () => new URL(page.url()).searchParams.get("c");
  await viewIsDrawn(page);
  const framed = centre();
  const map = page.getByRole("application", { name: "Weather map" });
  await map.press("ArrowUp");
  await expect.poll(centre).not.toBe(framed);
  await viewIsDrawn(page);
  const moved = centre();
  await card.getByRole("button", { name: "All storms" }).press("Enter");
  await page.getByRole("listitem").getByRole("button", { name: named.name! }).press("Enter");
  await expect.poll(centre).not.toBe(moved);
  await viewIsDrawn(page);
  await card.getByRole("button", { name: "All storms" }).press("Enter");
  await expect.poll(centre).toBe(moved);
  await page.goBack();
  await expect(card).toBeVisible();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await pageIsHydrated(page);
  await page.getByRole("button", { name: "Raise the panel" }).press("Enter");
  await expect(card.getByRole("button", { name: "100-200-300" })).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("areas where storms may form are listed with their likelihood, open by keyboard, and the link restores them", async ({
  page,
  demo,
}) => {
  const areas = await areasOf(demo);
  const invest = areas.find(({ storm_id }) => storm_id !== null)!;
  const nameless = areas.find(({ storm_id }) => storm_id === null)!;
  await page.goto(`${demo.url}/?z=4&l=none&o=storms#key=${KEY}`);
  await page.getByRole("tab", { name: "Storms" }).click();
  const list = page.getByRole("region", { name: "Areas of interest" });
  await expect(list.getByRole("button")).toHaveCount(areas.length);
  await expect(list).toContainText(`${invest.percent_7d} % in 7 days`);

  await list.getByRole("button", { name: "Disturbance without a number" }).press("Enter");
  const card = page.getByRole("region", { name: "Area Disturbance without a number" });
  await expect(card).toContainText(nameless.text.slice(0, 40));
  await expect(page).toHaveURL(new RegExp(`storm=${nameless.id}`));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await pageIsHydrated(page);
  await page.getByRole("button", { name: "Raise the panel" }).press("Enter");
  await expect(card).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await card.getByRole("button", { name: "All storms" }).press("Enter");
  await list.getByRole("button", { name: invest.name! }).press("Enter");
  const alert = page.getByRole("region", { name: "Formation alert" });
  await expect(alert).toContainText("120 n mi on both sides of a line");
});

test("a click on the symbol of an area opens its card", async ({ page, demo }) => {
  const areas = await areasOf(demo);
  const { id, place } = areas.find(({ storm_id }) => storm_id === null)!;
  await openMap(page, `c=${place!.lat},${place!.lon}&z=4&l=none&o=storms`, demo.url);
  await page.getByRole("application", { name: "Weather map" }).click();
  await expect(page).toHaveURL(new RegExp(`storm=${id}`));
});
