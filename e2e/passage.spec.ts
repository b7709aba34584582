import type { Page } from "@playwright/test";
import type { Plan } from "#lib/contract/passage.ts";
import { passageResponse } from "#lib/contract/passage-reply.ts";
import { planToText } from "#lib/passage/plan-link.ts";
import { expectAccessible } from "./accessibility.ts";
import { counted } from "./counted.ts";
import { expect, openMap, test } from "./map.ts";
import { askApi } from "./server.ts";

/** A day and a half across the Bay of Biscay. */
const plan: Plan = {
  name: "Biscay",
  route: [
    { latitude: 48, longitude: -6, leg: "great_circle", name: "Ushant" },
    { latitude: 46, longitude: -8, leg: "great_circle" },
    { latitude: 44, longitude: -9, leg: "great_circle", name: "Finisterre" },
  ],
  vessel: { kind: "fixed", speed_kt: 10 },
};
const LINK = `c=46,-8&z=4&l=none&o=&plan=${planToText(plan).text}`;

const outlook = (page: Page) => page.getByRole("region", { name: "What it will be like" });
const departures = (page: Page) => outlook(page).getByRole("table", { name: "Departures compared" });

const plannedDeparture = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("metocean-plan") ?? "{}").plan?.departure);

/** Evaluation of the next five days by the service. */
async function sweep(url: string, more: object = {}) {
  const reply = await askApi(`${url}/passages/evaluate`, {
    ...more,
    route: plan.route.map(({ latitude, longitude }) => ({ latitude, longitude })),
    vessel: plan.vessel,
    departures: { from: "2026-09-15T12:00:00Z", to: "2026-09-20T12:00:00Z", step_hours: 3 },
    storms: "jtwc",
  });
  return passageResponse.parse(reply).result;
}

test("the departure on which most models agree is found and chosen in three actions, and who differs is said", async ({
  quietPage: page,
  demo,
}) => {
  const models = ["demo-world", "demo-early", "demo-late"];
  const { comparison } = (await sweep(demo.url, { models })).meta;
  const goOf = ({ models: said }: (typeof comparison & object)[number]) =>
    said.filter(({ says }) => says === "GO").length;
  const most = Math.max(...comparison!.map(goOf));
  // One model of the demo has no waves, and so not all three say GO.
  expect([most, comparison!.some(({ agreed }) => agreed === "GO")]).toEqual([2, false]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page, LINK, demo.url);
  const { actions } = await counted(page, async ({ click }) => {
    await click(page.getByRole("tab", { name: "When to leave" }));
    await click(outlook(page).getByRole("button", { name: "Agreed by all 3 models" }));
    const nearest = outlook(page)
      .getByRole("status")
      .filter({ hasText: "At no departure do all 3 models say GO" });
    await expect(nearest).toContainText("2 of 3 models say GO, 1 cannot say");
    await expect(nearest).toContainText("DEMO-LATE cannot say: Waves: not in this model");
    await click(nearest.getByRole("button", { name: /^Leave .*\d$/ }));
  });
  expect(actions).toBe(3);
  const best = comparison!.filter((row) => goOf(row) === most).map(({ departure }) => departure);
  await expect.poll(async () => best.includes(await plannedDeparture(page))).toBe(true);
  const table = outlook(page).getByRole("table", { name: "Departures by model" });
  await expect(table.getByRole("row")).toHaveCount(comparison!.length + 1);
  for (const title of ["DEMO-WORLD", "DEMO-EARLY", "DEMO-LATE"])
    await expect(table.getByRole("columnheader", { name: title })).toBeVisible();
  // Beside each other, the models say the same about the chosen departure.
  await outlook(page).getByRole("tab", { name: "Passage" }).click();
  await outlook(page).getByRole("button", { name: "Compare 3 models" }).click();
  const said = outlook(page).getByRole("status").filter({ hasText: "2 of 3 models say GO, 1 cannot say" });
  await expect(said).toBeVisible();
  const numbers = outlook(page).getByRole("table", { name: "What the models say" });
  await expect(numbers.getByRole("row")).toHaveCount(4);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, "models beside each other on a phone");
});

test("a link with a route leads to the best departure of the next five days in two actions, on a desk and a phone", async ({
  quietPage: page,
  demo,
}) => {
  const { results, meta } = await sweep(demo.url);
  const best = results[meta.order.balanced[0]!]!;
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page, LINK, demo.url);
  const { actions } = await counted(page, async ({ click }) => {
    await click(page.getByRole("tab", { name: "When to leave" }));
    await click(outlook(page).getByRole("button", { name: /^Leave .*\d$/ }));
  });
  expect(actions).toBe(2);
  await expect(outlook(page)).toContainText(/Best: leave .*\d+\sh, wind ≤ \d+ kn, waves ≤ [\d.]+ m/);
  await expect.poll(() => plannedDeparture(page)).toBe(best.departure);
  // The map shows the chosen hour.
  await expect(page).toHaveURL(new RegExp(`[?&]t=${best.departure.slice(0, 13)}`));
  await expect(departures(page).getByRole("row")).toHaveCount(42);
  const [first] = await departures(page).getByRole("button").all();
  await expect(first!).toHaveAccessibleName(new RegExp(`: ${best.verdict}$`));
  await page.setViewportSize({ width: 390, height: 844 });
  const raise = page.getByRole("button", { name: "Raise the panel" });
  // The link has raised it halfway.
  await raise.click();
  await expect(raise).toBeDisabled();
  await expectAccessible(page, "departures compared");
  await page.getByRole("tab", { name: "Passage" }).last().click();
  const table = outlook(page).getByRole("table", { name: "The passage" });
  await expect(table).toContainText("1 Ushant");
  await expectAccessible(page, "passage");
});

test("a route of forty waypoints is printed completely, at the chosen hours", async ({ page, demo }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const route = Array.from({ length: 40 }, (_, index) => ({
    latitude: 48 - index / 10,
    longitude: -6 - (index % 5) / 5,
    leg: "great_circle" as const,
  }));
  await openMap(page, `c=46,-8&z=4&l=none&o=&plan=${planToText({ ...plan, route }).text}`, demo.url);
  await expect(outlook(page).getByRole("table")).toBeVisible();
  await outlook(page).getByRole("button", { name: "Waypoints" }).click();
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const table = page.getByTestId("print-sheet").getByRole("table");
  await expect(table.getByRole("row")).toHaveCount(41);
  await expect(table).toContainText("Waypoint 20");
});

test('a print has one page with "not for navigation"; by keyboard a limit is lowered, and a row shows its time on the map', async ({
  quietPage: page,
  demo,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page, LINK, demo.url);
  await expect(outlook(page).getByRole("table")).toBeVisible();
  const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const sheet = page.getByTestId("print-sheet");
  await expect(sheet).toContainText("Passage: Biscay");
  await expect(sheet.getByRole("table")).toContainText("3 Finisterre");
  await expect(sheet).toContainText("Gusts 45 kn");
  await expect(sheet).toContainText("Forecast runs:");
  await expect(sheet).toContainText("Not for navigation.");
  const { height, bottom } = await sheet.evaluate((element) => ({
    height: element.clientHeight,
    bottom: Math.max(
      ...[...element.children].map(
        (child) => child.getBoundingClientRect().bottom - element.getBoundingClientRect().top,
      ),
    ),
  }));
  expect(bottom).toBeLessThanOrEqual(height + 1);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));

  const tab = page.getByRole("tab", { name: "Passage" }).last();
  await tab.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Vessel and limits" })).toBeFocused();
  const gusts = outlook(page).getByLabel("Gusts, kn");
  await gusts.focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("1");
  // A number that the contract refuses is not used, and stays while others change.
  const rain = outlook(page).getByLabel("Rain, mm/h");
  await rain.fill("-1");
  await expect(outlook(page).getByRole("alert")).toHaveText("A number from 0 to 10000.");
  await gusts.fill("2");
  await gusts.fill("1");
  await expect(rain).toHaveValue("-1");
  await expectAccessible(page, "vessel and limits");
  await page.getByRole("tab", { name: "Vessel and limits" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(outlook(page)).toContainText(/NO: Gusts \d+\skn.*Over your limit of 1\skn/);
  await expect(outlook(page)).toContainText("canals and most rivers count as land");
  const slider = outlook(page).getByRole("slider", { name: "Passage in time" });
  await slider.focus();
  await page.keyboard.press("End");
  await expect(page).toHaveURL(/[?&]t=2026-09-16T/);
  await expect(slider).toHaveAttribute("aria-valuetext", /Gusts \d+ kn/);
  await outlook(page)
    .getByRole("button", { name: "Show Tue 15 Sep 12:00, 1 Ushant on the map" })
    .press("Enter");
  await expect(page).toHaveURL(/[?&]t=2026-09-15T12:00/);
});
