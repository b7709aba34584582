import type { Page } from "@playwright/test";
import { variableNames } from "#lib/catalog/variables.ts";
import { expectAccessible, themes, widths } from "./accessibility.ts";
import { areasOf, chooseInMenu, expect, legendButton, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { askApi, KEY } from "./server.ts";

/** Heights in CSS pixels. The taller one shows a whole list, so that no row is half covered by the foot of the page. */
const [HEIGHT, TALL] = [800, 2400];

/** A view with a sampled point at sea, and storms. */
const VIEW = "c=21,-54&z=3&p=24,-58&o=storms,barbs";

/** Runs checks at every width of the page. */
async function atEveryWidth(
  page: Page,
  check: (phone: boolean) => Promise<void>,
  height = HEIGHT,
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    await check(width < 768);
  }
}

test("the map page, its panels, menus and dialogs, offline and on paper, have no axe violations", async ({
  page,
  demo,
}) => {
  // The test makes dozens of checks of one page.
  test.slow();
  await page.goto(`${demo.url}/?${VIEW}#key=no-such-key`);
  const key = page.getByRole("dialog", { name: "This key was refused" });
  await expect(key).toBeVisible();
  await expectAccessible(page, "the dialog for the key");
  await key.getByLabel("API key").fill(KEY);
  await key.getByRole("button", { name: "Use this key" }).click();
  await mapIsSettled(page);
  await page.goto(`${demo.url}/?${VIEW}#key=a-foreign-key`);
  await expect(page.getByRole("dialog", { name: "This link brings another API key" })).toBeVisible();
  await expectAccessible(page, "a link with another key");
  await page.keyboard.press("Escape");

  const chip = page.getByRole("button", { name: "Demo data. Not for navigation." });
  const menu = async (name: string, what: string) => {
    const button = page.getByRole("button", { name, exact: true });
    await button.click();
    await expect(button).toHaveAttribute("aria-expanded", "true");
    await expectAccessible(page, what, { within: ".top-bar" });
    await page.keyboard.press("Escape");
  };
  await atEveryWidth(page, async (phone) => {
    await page.getByRole("tab", { name: "Point" }).click();
    const raise = page.getByRole("button", { name: "Raise the panel" });
    const conditions = page.getByRole("region", { name: "Conditions" });
    if (phone && !(await conditions.isVisible())) await raise.click();
    await expect(conditions).toContainText("kn");
    await expectAccessible(page, "the map with the point panel", { inThemes: phone ? ["light"] : themes });
    await conditions.getByRole("button", { name: "Forecast table" }).click();
    await expect(page.getByRole("dialog").getByRole("table")).toBeVisible();
    await expectAccessible(page, "the forecast table", { within: "dialog" });
    await page.keyboard.press("Escape");
    await expect(chip).toBeInViewport({ ratio: 1 });
    await menu("Layer: Wind", "the layer chooser");
    await chooseInMenu(page, "Display");
    await expectAccessible(page, "the menu", { within: ".top-bar" });
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: /^Storms/ }).click();
    await expect(page.getByRole("button", { name: "DEMOREEF" })).toBeVisible();
    await expectAccessible(page, "the list of storms", { within: ".panel" });
    await page.getByRole("button", { name: "DEMOREEF" }).click();
    await expect(page.getByRole("region", { name: "Storm DEMOREEF" }).getByRole("table")).toBeVisible();
    await expectAccessible(page, "the card of a storm", {
      within: ".panel",
      inThemes: phone ? ["light"] : themes,
    });
    await page.getByRole("button", { name: "All storms" }).click();
  });

  await page.setViewportSize({ width: widths[0], height: HEIGHT });
  await legendButton(page).click();
  await expectAccessible(page, "the legend", { within: "main" });
  await page.keyboard.press("Escape");
  await page.getByRole("application", { name: "Weather map" }).focus();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys of the map" })).toBeVisible();
  await expectAccessible(page, "the keys of the map");
  await page.keyboard.press("Escape");
  const values = page.getByRole("button", { name: "List values in view" });
  await values.focus();
  await values.press("Enter");
  await expect(page.getByRole("dialog").getByRole("cell")).toHaveCount(25);
  await expectAccessible(page, "the values in view");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Point" }).click();
  await page.getByRole("button", { name: "Weather windows" }).click();
  const windows = page.getByRole("dialog", { name: "Weather windows" });
  await windows.getByRole("button", { name: "A box" }).click();
  await expect(windows).toContainText("places of a grid in the box");
  await expectAccessible(page, "weather windows in a box");
  await page.keyboard.press("Escape");

  await chip.click();
  await expect(page.getByRole("region", { name: "Not for navigation" })).toContainText("DEMO-WORLD");
  await expectAccessible(page, "the disclaimer", { within: "main" });
  await page.keyboard.press("Escape");
  await page.context().setOffline(true);
  await expect(page.getByText(/^Offline/).first()).toBeVisible();
  await expectAccessible(page, "a page that is offline");
  await page.context().setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  await expect(page.getByTestId("print-sheet")).toBeVisible();
  await expectAccessible(page, "the sheet that is printed");
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));

  const { id } = (await areasOf(demo)).find(({ storm_id }) => storm_id === null)!;
  await page.evaluate(() => localStorage.setItem("metocean-ship", "20,-55,0,0,2026-09-15T12:00:00Z"));
  await page.goto(`${demo.url}/?${VIEW}&storm=${id}&ship=10,-40,90,12,2026-09-15T12:00:00Z`);
  await expect(page.getByRole("dialog", { name: "This link brings another ship" })).toBeVisible();
  await expectAccessible(page, "a link with another ship");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "All storms" })).toBeVisible();
  await expectAccessible(page, "the card of an area", { within: ".panel" });
  await page.goto(`${demo.url}/?${VIEW}&tide=noaa:8443970`);
  const station = page.getByRole("region", { name: "Boston" });
  await station.getByText("Two weeks").click();
  await expect(station.getByRole("table")).toBeVisible();
  await expectAccessible(page, "the card of a station of tides", { within: ".panel" });
});

test("the task page, its form and the API page have no axe violations", async ({ page, demo }) => {
  // The test makes dozens of checks of one page.
  test.slow();
  const points = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      latitude: (i % 120) - 60,
      longitude: (i % 359) - 179,
      timestamp: "2026-09-15T12:00:00Z",
    }));
  const task = (task_name: string, count: number, variables = ["wind"]) =>
    askApi(`${demo.url}/MetOcean/async`, { points: points(count), variables, task_name }) as Promise<{
      task_id: string;
    }>;
  const long = "A name that is rather long, so that it has to be broken somewhere, or it is too wide";
  const { task_id: cancelled } = await task("One that is cancelled", 100_000);
  await askApi(`${demo.url}/cancel_task/${cancelled}`, {});
  await task(long, 1);
  const { task_id: running } = await task("One that runs", 200_000, [...variableNames]);
  await page.goto(`${demo.url}/tasks#key=${KEY}`);
  await expect(page.getByRole("listitem").filter({ hasText: long })).toContainText("Done");
  await expect(page.getByRole("progressbar")).toBeVisible();
  await atEveryWidth(page, () => expectAccessible(page, "the list of tasks"), TALL);
  await askApi(`${demo.url}/cancel_task/${running}`, {});

  await page.getByRole("button", { name: "New task" }).click();
  const form = page.getByRole("dialog", { name: "New task" });
  await atEveryWidth(page, async () => {
    await form.getByRole("button", { name: "A box of the map" }).click();
    await expectAccessible(page, "the form for a box");
    await form.getByRole("button", { name: "A list of points" }).click();
    await expectAccessible(page, "the form for points");
  });

  await page.goto(`${demo.url}/docs`);
  await page.setViewportSize({ width: widths[0], height: HEIGHT });
  await expectAccessible(page, "the page of the API");
});
