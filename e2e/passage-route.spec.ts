import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import { counted } from "./counted.ts";
import { expect, openMap, openPage, pageIsHydrated, test } from "./map.ts";
import { KEY } from "./server.ts";

// Reduced motion: the map then moves to another place at once.
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

const places = [
  [48.38, -4.5, "Brest"],
  [48.2, -5.2, ""],
  [47, -8, "Shelf edge"],
  [45, -14, ""],
  [43, -18, ""],
  [42, -20, "Middle"],
  [40, -25, ""],
  [39.2, -27, ""],
  [38.7, -28.2, "Channel"],
  [38.53, -28.62, "Horta"],
] as const;

const points = places.map(
  ([latitude, longitude, name]) =>
    `<rtept lat="${latitude}" lon="${longitude}">${name && `<name>${name}</name>`}</rtept>`,
);
const gpxOf = (name: string, route: string) => ({
  name,
  text: `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><rte><name>Brest to Horta</name>${route}</rte></gpx>`,
});
const gpx = gpxOf("home.gpx", points.join(""));

/** A gate at the shelf edge that asks for a height that the tide never reaches. */
const gate =
  '<extensions><met:gate xmlns:met="urn:open-metocean:passage:1" kind="height" station="ticon:saint_malo-410-fra-refmar" name="Saint Malo" min_m="14"/></extensions>';
const gated = gpxOf(
  "gated.gpx",
  points.slice(1, 6).join("").replace("Shelf edge</name>", `Shelf edge</name>${gate}`),
);

const routeOf = (page: Page) => page.getByRole("region", { name: "Route", exact: true });
const rowsOf = (page: Page) =>
  routeOf(page).getByRole("table", { name: "Waypoints" }).locator("[data-waypoint]");

test("Undo brings back what was typed as the consumption and as the polar of the vessel", async ({
  quietPage: page,
  demo,
}) => {
  await openPage(page, "c=46,-8&z=4&l=none&o=&tab=passage", demo.url);
  const outlook = page.getByRole("region", { name: "What it will be like" });
  await routeOf(page)
    .getByLabel(/^File: GPX/)
    .setInputFiles({
      name: gpx.name,
      mimeType: "application/gpx+xml",
      buffer: Buffer.from(gpx.text),
    });
  await page.getByRole("button", { name: "Sailing boat" }).click();
  await outlook.getByRole("tab", { name: "Vessel and limits" }).click();
  await outlook.getByText("Fuel", { exact: true }).click();
  const undo = routeOf(page).getByRole("button", { name: "Undo" });
  const curve = outlook.getByRole("textbox", { name: "Speed, kn, and l/h" });
  await curve.fill("4 1.5\n9 4");
  await undo.click();
  await expect(curve).toHaveValue("");
  // What cannot be read is no change of the plan, so it stays.
  await curve.fill("4 x");
  await expect(curve).toHaveValue("4 x");
  await outlook.getByRole("combobox", { name: "Polar" }).selectOption("My own polar");
  const polar = outlook.getByRole("textbox", { name: /^Polar in the form/ });
  const own = await polar.inputValue();
  await polar.fill(own.replace(/\d+(\.\d+)?\s*$/, "1"));
  await expect(polar).not.toHaveValue(own);
  await undo.click();
  await expect(polar).toHaveValue(own);
});

test("a GPX file leads to its verdict in two actions, and on a phone as a sailing boat in three the first time; the verdict names the missed tidal gate", async ({
  quietPage: page,
  demo,
}) => {
  const outlook = page.getByRole("region", { name: "What it will be like" });
  const verdict = outlook.locator(".verdict-title");
  // The page is left first, so that the same address is loaded again.
  const openAnew = async (path: string) => {
    await page.goto("about:blank");
    await page.goto(demo.url + path);
    await pageIsHydrated(page);
  };
  await page.setViewportSize({ width: 390, height: 844 });
  await openAnew(`/?c=44,-16&z=4&l=none&o=#key=${KEY}`);
  const first = await counted(page, async ({ click, choose }) => {
    await click(page.getByRole("tab", { name: "Passage" }));
    const file = routeOf(page).getByLabel(/^File: GPX/);
    await expect(file).toBeInViewport({ ratio: 1 });
    await choose(file, gpx);
    await expect(rowsOf(page)).toHaveCount(10);
    // The outlook says nothing about arrival until a vessel is chosen.
    await expect(outlook).toHaveCount(0);
    const vessels = page.getByRole("group", { name: "Which vessel?" });
    await click(vessels.getByRole("button", { name: "Sailing boat" }));
    await expect(verdict).toBeInViewport({ ratio: 1 });
    await expect(verdict).toContainText(/^.?((GO|CAUTION): arrives \w{3}\s\d+\s\w{3}\s\d\d:\d\d UTC|NO: \w)/);
  });
  expect(first.actions).toBe(3);
  await expect(outlook).toContainText("sail, Cruiser of 10 m (generic)");
  await expect(routeOf(page)).toContainText("Imported: 10 waypoints.");
  await expect(rowsOf(page).nth(9)).toContainText("Horta");
  await expect(routeOf(page).getByRole("row").nth(2)).toContainText("249°");
  await rowsOf(page).nth(2).click();
  await expect(routeOf(page).getByRole("form", { name: "Waypoint 3" })).toBeVisible();
  await expectAccessible(page, "the route of a plan");
  // The device stores the vessel.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(() => localStorage.removeItem("metocean-plan"));
  await openAnew("/?c=44,-16&z=4&l=none&o=");
  const next = await counted(page, async ({ click, choose }) => {
    await click(page.getByRole("tab", { name: "Passage" }));
    const file = routeOf(page).getByLabel(/^File: GPX/);
    await expect(file).toBeInViewport({ ratio: 1 });
    await choose(file, gated);
    await expect(verdict).toBeInViewport({ ratio: 1 });
  });
  expect(next.actions).toBe(2);
  await expect(outlook.locator(".verdict")).toContainText(
    /Saint Malo.*[\d.]+\sm.*, .*; 14\.0\sm needed\. Not open in the 15\sdays after\./,
  );
  await expect(rowsOf(page).nth(1)).toContainText("Saint Malo ≥ 14.0 m");
});

test("by keyboard alone a route of three waypoints is drawn, typed and changed", async ({
  quietPage: page,
  demo,
}) => {
  await openMap(page, "c=40,-20&z=3&l=none&o=", demo.url);
  const map = page.getByRole("application", { name: "Weather map" });
  await map.press("p");
  await expect(page.getByRole("heading", { name: "Passage" })).toBeFocused();
  const draw = routeOf(page).getByRole("button", { name: "Draw on the map" });
  await counted(page, async ({ tabTo, press }) => {
    await tabTo(draw);
    await press("Enter");
  });
  await expect(map).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(rowsOf(page)).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await expect(page).not.toHaveURL(/c=40,-20/);
  await page.keyboard.press("Enter");
  await expect(rowsOf(page)).toHaveCount(2);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { name: "Passage" })).toBeFocused();
  const field = routeOf(page).getByRole("combobox", { name: "Add a position or a place" });
  await counted(page, async ({ tabTo, press, type }) => {
    await tabTo(field);
    await type("38 32N 028 37W");
    await press("Enter");
  });
  await expect(rowsOf(page)).toHaveCount(3);
  await expect(field).toHaveValue("");
  // The third waypoint moves to the first place, then the second is deleted and restored.
  await rowsOf(page).nth(2).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Alt+ArrowUp");
  await expect(rowsOf(page).first()).toContainText("38°32.0′N 028°37.0′W");
  await expect(rowsOf(page).first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Delete");
  await expect(rowsOf(page)).toHaveCount(2);
  await routeOf(page).getByRole("button", { name: "Undo" }).press("Enter");
  await expect(rowsOf(page)).toHaveCount(3);
  await expect(rowsOf(page).nth(1)).toContainText("40°00.0′N 020°00.0′W");
  // The menu of a place opens at the cross by key, and under the pointer by a right click.
  await map.press("Shift+F10");
  await expect(page.getByRole("menuitem", { name: "Conditions here" })).toBeFocused();
  await expectAccessible(page, "the menu of the map");
  await page.keyboard.press("Escape");
  await expect(map).toBeFocused();
  await map.press("Shift+F10");
  for (const _ of ["measure", "route", "waypoint"]) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(rowsOf(page)).toHaveCount(4);
  await map.click({ button: "right", position: { x: 300, y: 300 } });
  await page.getByRole("menuitem", { name: "Measure from here" }).click();
  await map.hover({ position: { x: 400, y: 300 } });
  const measuring = page.getByRole("region", { name: "Measure from here" });
  await expect(measuring).toContainText(/^\d[\d,.]* n mi, \d{3}°/);
  await map.press("Escape");
  await expect(measuring).toHaveCount(0);
  await routeOf(page).getByRole("button", { name: "Reverse" }).click();
  await expect(routeOf(page)).toContainText("The route goes the other way now.");
  await map.click({ button: "right", position: { x: 300, y: 300 } });
  await page.getByRole("menuitem", { name: "Route from here" }).click();
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(routeOf(page)).toContainText("Your previous plan is saved as “—”.");
  await expect(routeOf(page)).not.toContainText("The route goes the other way now.");
});

test("a link opens the same plan on another device, and a plan that was there is kept", async ({
  page,
  demo,
}) => {
  await openPage(page, "c=44,-16&z=4&l=none&o=&tab=passage", demo.url);
  const paste = routeOf(page).getByLabel(/^Or paste/);
  await paste.fill("48 23N 004 30W\n47 00N 008 00W\n38 32N 028 37W");
  await routeOf(page).getByRole("button", { name: "Use this text" }).click();
  await expect(rowsOf(page)).toHaveCount(3);
  await routeOf(page).getByLabel("Name of the plan").fill("Way home");
  await rowsOf(page).nth(1).click();
  await routeOf(page).getByLabel("Name", { exact: true }).fill("Shelf edge");
  await routeOf(page).getByRole("form").getByRole("button", { name: "Rhumb line" }).click();
  await page.evaluate(() => {
    const copied: string[] = [];
    Object.assign(window, { copied });
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: async (text: string) => void copied.push(text) },
    });
  });
  await routeOf(page).getByRole("button", { name: "Copy link to the plan" }).click();
  const link = await page.evaluate(() => (window as unknown as { copied: string[] }).copied[0]!);
  expect(link).toMatch(/[?&]plan=BF[\w-]+\*[\w-]+/);
  const rows = await rowsOf(page).allInnerTexts();

  // Another device has nothing stored.
  await page.goto(`${demo.url}/healthz`);
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${link}#key=${KEY}`);
  await expect(rowsOf(page)).toHaveText(rows.map((row) => row.replaceAll("\n", "")));
  await expect(routeOf(page).getByLabel("Name of the plan")).toHaveValue("Way home");
  await expect(page).not.toHaveURL(/plan=/);
  await expect(routeOf(page).getByRole("table")).toContainText("rhumb line");
  // Another link does not lose it, and Undo restores it.
  await routeOf(page).getByLabel("Name of the plan").fill("Changed");
  await page.goto(link.replace("z=4", "z=5"));
  await expect(routeOf(page)).toContainText("Your previous plan is saved as “Changed”.");
  await expect(routeOf(page).getByRole("button", { name: "Open “Changed”" })).toBeVisible();
  await page.goto(`${demo.url}/?plan=BFcut&tab=passage&l=none&o=`);
  await expect(routeOf(page)).toContainText("The plan of this link cannot be read");
  await expect(rowsOf(page)).toHaveCount(3);
});
