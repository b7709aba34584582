import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { type Cost, counted, type Person } from "./counted.ts";
import { expect, legendButton, pageIsHydrated, test } from "./map.ts";
import { KEY, type RunningServer } from "./server.ts";

/** A quiet sea without lines or names. The journeys use only the page, which does not wait for the map. */
const VIEW = "c=24,-58&z=3&o=storms&t=2026-09-15T12:00:00Z";

const time = (page: Page) => page.getByRole("region", { name: "Time" });
const details = (page: Page) => page.getByRole("complementary", { name: "Details" });
const conditions = (page: Page) => page.getByRole("region", { name: "Conditions" });
/** The values at the point, which are in the two lines of the low panel on a phone. */
const numbers = (page: Page) =>
  details(page)
    .getByText(/\d kn$/)
    .filter({ visible: true });
const tideStation = (page: Page) => page.getByRole("option").filter({ hasText: "Tide station" }).first();
const shipPanel = (page: Page) => page.getByRole("region", { name: "My ship" });
/** Ten waypoints in the form that OpenCPN writes. */
const routeOf = (name: string) => `<?xml version="1.0"?>
  <gpx creator="OpenCPN" xmlns="http://www.topografix.com/GPX/1/1" xmlns:opencpn="http://www.opencpn.org"><rte><name>${name}</name>
  <extensions><opencpn:planned_speed>6.00</opencpn:planned_speed><opencpn:planned_departure>2026-09-15T12:00:00Z</opencpn:planned_departure></extensions>
  ${Array.from({ length: 10 }, (_, i) => `<rtept lat="${20 + i / 5}" lon="${-60 + i / 4}"/>`).join("")}</rte></gpx>`;

async function openPage(page: Page, { url }: RunningServer): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: async (text: string) => Object.assign(window, { copied: text }) },
    });
  });
  await page.goto(`${url}/?${VIEW}#key=${KEY}`);
  await pageIsHydrated(page);
  await expect(time(page)).toContainText("Tue 15 Sep 2026 12:00 UTC");
}

const copied = (page: Page) => page.evaluate(() => (window as unknown as { copied?: string }).copied);

const buttonOf = (page: Page) => (name: string | RegExp) => page.getByRole("button", { name, exact: true });

/** Reads the verdict for the ship, which comes first on a storm's card. */
async function readsVerdict(page: Page): Promise<void> {
  const verdict = page.locator(".panel-body div.verdict");
  await expect(verdict).toContainText("the 1‑2‑3 area");
  await expect(verdict).toBeInViewport();
}

/** Types position, course and speed of the ship, beginning in the focused field. */
async function typesShip(page: Page, { type, press }: Person): Promise<void> {
  await type("20 00N 055 00W");
  // The focus passes the button that takes the position from the map.
  await press("Tab", "Tab");
  await type("315");
  await press("Tab");
  await type("8.5");
  await press("Enter");
  await expect(shipPanel(page)).toContainText("20°00.0′N 055°00.0′W");
  await expect(shipPanel(page)).toContainText("315° at 8.5 kn");
}

/** Saves a file of the card, and expects the name of its storm in it. */
async function savesStorm(page: Page, save: () => Promise<void>): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent("download"), save()]);
  expect(await readFile(await download.path(), "utf8")).toContain("AL222026");
}

/** Checks the cost of journeys, and prints it. */
function expectCosts(where: string, costs: Record<string, Cost>, budgets: Record<string, number>): void {
  const lines = Object.entries(costs).map(([name, { actions, seconds }]) => {
    expect.soft(actions, `${name}, ${where}`).toBeLessThanOrEqual(budgets[name] ?? 0);
    return `${name} ${actions} (${seconds.toFixed(1)} s)`;
  });
  expect(Object.keys(costs).sort()).toEqual(Object.keys(budgets).sort());
  process.stdout.write(`${where}: ${lines.join(", ")}\n`);
}

test("by hand on a phone the questions of a passage are answered in a few actions", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  // A moving panel would not be where a hand looks for it.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPage(page, demo);
  const button = buttonOf(page);
  const costs: Record<string, Cost> = {};

  costs["point forecast"] = await counted(page, async ({ click }) => {
    await click(page.getByRole("application", { name: "Weather map" }));
    await expect(numbers(page).first()).toBeInViewport();
  });
  const field = page.getByLabel("Position", { exact: true }).first();
  costs["place to conditions"] = await counted(page, async ({ click, type }) => {
    await click(field);
    await type("bermuda");
    await expect(page.getByRole("option").first()).toContainText(/\d kn/);
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  costs["harbour to next high water"] = await counted(page, async ({ click, type }) => {
    await click(field);
    await type("southampton");
    await expect(tideStation(page)).toContainText(/High water .*\d\.\d m/);
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  costs["tomorrow 18:00"] = await counted(page, async ({ click }) => {
    await click(button(/Choose another date and time/));
    await click(button("Wednesday 16 September 2026, forecast"));
    await click(button("18:00"));
    await expect(time(page)).toContainText("Wed 16 Sep 2026 18:00 UTC");
  });
  costs["another layer"] = await counted(page, async ({ click }) => {
    await click(button("Layer: Wind"));
    await click(button("Waves"));
    await expect(page).toHaveURL(/l=wave/);
  });
  costs["link of this time"] = await counted(page, async ({ click }) => {
    await click(button("Menu"));
    await click(page.getByText("Copy link", { exact: true }));
    await click(button("Wed 16 Sep 18:00 UTC"));
    await expect.poll(() => copied(page)).toContain("t=2026-09-16T18:00:00Z");
  });
  await page.keyboard.press("Escape");
  costs["numbers at a position"] = await counted(page, async ({ click, type, press }) => {
    await click(field);
    await type("22 30N 052 00W");
    await press("Enter");
    await expect(details(page)).toContainText("22°30.0′N 052°00.0′W");
    await expect(numbers(page).first()).toBeInViewport();
  });
  costs["my ship"] = await counted(page, async (person) => {
    await person.click(page.getByRole("tab", { name: /^Storms/ }));
    await person.click(button("Pin my ship"));
    await person.click(shipPanel(page).getByLabel("Position", { exact: true }));
    await typesShip(page, person);
  });
  costs["verdict and closest approach"] = await counted(page, async ({ click }) => {
    await click(page.getByRole("tab", { name: /^Storms/ }));
    await click(
      page.getByRole("region", { name: "Storms" }).getByRole("listitem").first().getByRole("button"),
    );
    await readsVerdict(page);
  });
  await expect(page.getByRole("region", { name: "Closest approach" })).toContainText("n mi");
  await page.getByRole("button", { name: "All storms" }).click();
  await page.getByRole("listitem").getByRole("button", { name: "DEMOREEF" }).click();
  costs["a storm as a file"] = await counted(page, ({ click }) =>
    savesStorm(page, async () => {
      await click(button("Save as a file"));
      await click(button(/^GeoJSON/));
    }),
  );

  costs["the page of the tasks"] = await counted(page, async ({ click }) => {
    await click(button("Menu"));
    await click(page.getByRole("link", { name: "Tasks" }));
    await expect(page).toHaveURL(/\/tasks/);
    await expect(button("New task")).toBeEnabled();
  });
  const name = "Ten waypoints";
  costs["a route as a task"] = await counted(page, async ({ click, choose }) => {
    await click(button("New task"));
    const form = page.getByRole("dialog", { name: "New task" });
    await click(form.getByRole("button", { name: "A list of points" }));
    await choose(form.getByLabel("File: GPX, or CSV"), { name: "plan.gpx", text: routeOf(name) });
    await expect(form).toContainText("10 points");
    await click(form.getByRole("button", { name: "Start the task" }));
    await expect(page.getByRole("listitem").filter({ hasText: name })).toContainText("Done");
  });
  expectCosts("by hand", costs, {
    "point forecast": 1,
    "place to conditions": 2,
    "harbour to next high water": 2,
    "tomorrow 18:00": 3,
    "another layer": 2,
    "link of this time": 3,
    "numbers at a position": 3,
    "my ship": 10,
    "verdict and closest approach": 3,
    "a storm as a file": 3,
    "the page of the tasks": 2,
    "a route as a task": 4,
  });
});

test("by keyboard alone the same questions are answered, from the first Tab on, and the link restores what was chosen", async ({
  quietPage: page,
  demo,
}) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  await openPage(page, demo);
  const map = page.getByRole("application", { name: "Weather map" });
  const costs: Record<string, Cost> = {};

  costs["numbers at a position"] = await counted(page, async ({ press, type }) => {
    await press("Tab");
    await type("22 30N 052 00W");
    await press("Enter");
    await expect(page.getByRole("region", { name: "Conditions" })).toContainText(/\d kn/);
  });
  // From here on the map has the keyboard focus.
  await expect(map).toBeFocused();
  costs["tomorrow 18:00"] = await counted(page, async ({ press, type }) => {
    await press("d");
    await expect(page.getByRole("textbox", { name: "Date and time, UTC" })).toBeFocused();
    await type("tomorrow 18:00");
    await press("Enter");
    await expect(time(page)).toContainText("Wed 16 Sep 2026 18:00 UTC");
  });
  await expect(map).toBeFocused();
  costs["another layer"] = await counted(page, async ({ press }) => {
    await press("2");
    await expect(page).toHaveURL(/l=wave/);
  });
  costs["my ship"] = await counted(page, async (person) => {
    await person.press("m");
    await person.tabTo(shipPanel(page).getByLabel("Position", { exact: true }));
    await typesShip(page, person);
    await person.press("Escape");
    await expect(map).toBeFocused();
  });
  costs["verdict and closest approach"] = await counted(page, async ({ press, tabTo }) => {
    await press("s");
    const rows = page.getByRole("region", { name: "Storms" }).getByRole("listitem");
    await expect(rows.first()).toContainText("n mi");
    await tabTo(rows.first().getByRole("button"));
    await press("Enter");
    await readsVerdict(page);
  });
  await page.keyboard.press("Escape");
  await map.focus();
  costs["harbour to next high water"] = await counted(page, async ({ press, type }) => {
    await press("g");
    await type("southampton");
    await expect(tideStation(page)).toContainText(/High water .*\d\.\d m/);
  });
  // A single station is marked first.
  await page.keyboard.type(" england");
  await expect(page.getByRole("option")).toHaveText([/^SouthamptonTide station, England/]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("option", { selected: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/tide=/);
  await expect(details(page)).toContainText("High water");
  await expect(details(page).getByRole("heading", { name: "Southampton" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/tide=/);
  await expect(page.getByLabel("Position", { exact: true })).toBeFocused();
  expectCosts("by keyboard", costs, {
    "harbour to next high water": 2,
    "numbers at a position": 3,
    "tomorrow 18:00": 3,
    "another layer": 1,
    "my ship": 11,
    "verdict and closest approach": 10,
  });

  await map.focus();
  for (const key of ["1", "u"]) await map.press(key);
  await expect(page).toHaveURL(/u=m\/s/);
  await expect(page).not.toHaveURL(/l=wave/);
  const camera = new URL(page.url()).searchParams.get("c")!;
  await map.press("ArrowRight");
  await expect.poll(() => new URL(page.url()).searchParams.get("c")).not.toBe(camera);
  await map.press("Enter");
  await expect(page).not.toHaveURL(/p=22\.5,-52/);
  await map.press("?");
  await expect(page.getByRole("dialog", { name: "Keys of the map" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(map).toBeFocused();
  await page.keyboard.press("g");
  await expect(page.getByLabel("Position", { exact: true })).toBeFocused();

  const link = page.url();
  expect(link).not.toContain(KEY);
  // The name of a place near the position is looked up only in a page that is used.
  const [shown] = /\d+°[\d.]+′[NS] \d+°[\d.]+′[EW]/.exec(await conditions(page).innerText())!;
  await page.goto("about:blank");
  await page.goto(link);
  await expect(conditions(page)).toContainText(shown);
  await expect(time(page)).toContainText("Wed 16 Sep 2026 18:00 UTC");
  await expect(legendButton(page)).toHaveAccessibleName(/^m\/s: /);
});
