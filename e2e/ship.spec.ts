import { reckoned } from "@open-metocean/geo/rhumb";
import type { Page } from "@playwright/test";
import { stormApproachResponse } from "#lib/contract/storm-approach.ts";
import { positionText } from "#lib/position.ts";
import { parseInstant } from "#lib/time.ts";
import { expectAccessible } from "./accessibility.ts";
import { chooseInMenu, DEMO_NOW, expect, openMap, pageIsHydrated, test } from "./map.ts";
import { askApi, KEY } from "./server.ts";

// Reduced motion: the map then moves to another place at once.
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

/** A position in the path of a storm of the demo. */
const fix = {
  latitude: 20,
  longitude: -55,
  course: 315,
  speed: 8.5,
  time: parseInstant("2026-09-15T09:00:00Z"),
};
const SHIP = "20,-55,315,8.5,2026-09-15T09:00:00Z";
const OTHER = "-35,179.5,80,12,2026-09-15T06:00:00Z";

const stored = (page: Page) => page.evaluate(() => localStorage.getItem("metocean-ship"));
const panelOf = (page: Page) => page.getByRole("region", { name: "My ship" });

test("a ship typed by keyboard stays on the device, puts the nearest storm first, and its verdict comes first on the card", async ({
  quietPage: page,
  demo,
}) => {
  await openMap(page, "c=40,-20&z=3&l=none&o=storms", demo.url);
  const map = page.getByRole("application", { name: "Weather map" });
  // Without a ship the key leads to the form for one.
  await map.press("m");
  const panel = panelOf(page);
  await panel.getByLabel("Position", { exact: true }).fill("20 00N 055 00W");
  await panel.getByLabel("Course").fill("400");
  await panel.getByLabel("Speed").fill("8,5");
  await panel.getByLabel("Time of the position").fill("2026-09-15T09:00");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("alert")).toHaveText("A course is 0 to 360 degrees.");
  await expect(panel.getByLabel("Course")).toBeFocused();
  await panel.getByLabel("Course").fill("315");
  await page.keyboard.press("Enter");
  const now = reckoned(fix, parseInstant(DEMO_NOW));
  await expect(panel).toContainText(positionText(now.latitude, now.longitude));
  await expect(panel).toContainText("Position of Tue 15 Sep 09:00 UTC, 3 h ago.");
  await expect(panel.getByRole("heading")).toBeFocused();
  expect(await stored(page)).toBe(SHIP);
  await expect(page).not.toHaveURL(/ship=/);

  // The order and the hours are those of the service.
  const vessel = {
    latitude: 20,
    longitude: -55,
    course_deg: 315,
    speed_kt: 8.5,
    timestamp: "2026-09-15T09:00:00Z",
  };
  const reply = await askApi(`${demo.url}/storms/approach`, { provider: "jtwc", vessel, from: DEMO_NOW });
  const { results } = stormApproachResponse.parse(reply);
  const [nearest] = results.sort((one, other) => one.closest.distance_km - other.closest.distance_km);
  const miles = Math.round(nearest!.closest.distance_km / 1.852);
  const line = new RegExp(`(Closest|Still closing:) ${miles}\\sn\\smi, \\w{3}\\s\\d\\d:00[ ;]`);
  await expect(panel).toContainText(line);
  // Changing the course by keyboard updates the answers without a request, and resetting it restores the ship.
  const course = panel.getByRole("slider", { name: /^Course / });
  await expect(course).toHaveAccessibleName("Course 315°");
  for (let step = 0; step < 4; step++) await course.press("PageDown");
  await expect(panel).not.toContainText(line);
  expect(await stored(page)).toBe(SHIP);
  await panel.getByRole("button", { name: "Back to my course and speed" }).press("Enter");
  await expect(panel).toContainText(line);

  await page.getByRole("tab", { name: "Storms" }).click();
  // Winds that reach the ship are shown on every tab.
  const reached = results.filter(
    ({ arrivals, closest }) =>
      typeof arrivals[0]?.likely === "number" || closest.distance_km <= closest.gale_km,
  );
  await expect(page.getByRole("tab", { name: /dangerous to you/ })).toHaveCount(Math.min(1, reached.length));
  const first = page.getByRole("region", { name: "Storms" }).getByRole("listitem").first();
  await expect(first).toContainText(nearest!.name!);
  await expect(first).toContainText(line);
  await first.getByRole("button").press("Enter");
  const verdict = page.locator(".panel-body div.verdict");
  await expect(verdict).toHaveAttribute(
    "data-level",
    nearest!.danger!.enters === null ? "clear" : /inside|enters|caution/,
  );
  await expect(verdict).toContainText("the 1‑2‑3 area");
  await expect(verdict).toContainText(line);

  // The map has moved away; the key brings it to the ship.
  await map.press("m");
  await expect(page).toHaveURL(new RegExp(`c=${now.latitude.toFixed(1)}`));
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessible(page, "a storm's card with the verdict for a ship");
});

test("a link contains the ship only on request, and asks before a link's ship replaces one's own", async ({
  page,
  demo,
}) => {
  // The device has no ship, so that of the link is taken and removed from the address.
  await page.goto(`${demo.url}/?c=20,-55&z=4&l=none&o=&p=22,-52&ship=${SHIP}#key=${KEY}`);
  await pageIsHydrated(page);
  await expect.poll(() => stored(page)).toBe(SHIP);
  await expect(page).not.toHaveURL(/ship=/);
  await page.evaluate(() => {
    Object.assign(window, { copied: [] });
    const copied = (window as unknown as { copied: string[] }).copied;
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: async (text: string) => void copied.push(text) },
    });
  });
  await chooseInMenu(page, "Copy link");
  const always = page.getByRole("button", { name: /^Always |^Copied$/ });
  await always.click();
  await page.getByRole("checkbox", { name: "With my ship" }).check();
  await always.click();
  const copied = await page.evaluate(() => (window as unknown as { copied: string[] }).copied);
  expect(copied.map((text) => new URL(text).searchParams.get("ship"))).toEqual([null, SHIP]);

  await page.goto(`${demo.url}/?c=-35,179&z=4&l=none&o=&ship=${OTHER}`);
  const question = page.getByRole("dialog", { name: "This link brings another ship" });
  await question.getByRole("button", { name: "Keep my ship" }).click();
  expect(await stored(page)).toBe(SHIP);
  await page.goto(`${demo.url}/?c=-35,178&z=4&l=none&o=&ship=${OTHER}`);
  await question.getByRole("button", { name: "Take the link's ship" }).click();
  expect(await stored(page)).toBe(OTHER);
  await expect(page).not.toHaveURL(/ship=/);
});

test("on a phone the ship is pinned at the device's position by a tap, with its accuracy, or with the reason why it is not", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${demo.url}/?c=20,-55&z=4&l=none&o=#key=${KEY}`);
  await pageIsHydrated(page);
  // The panel rises for the form.
  await chooseInMenu(page, "My ship");
  const panel = panelOf(page);
  const ask = panel.getByRole("button", { name: "Pin at this device" });
  await ask.click();
  await expect(panel).toContainText("This browser was told not to give the position of the device.");
  const context = page.context();
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 20, longitude: -55, accuracy: 12 });
  await ask.click();
  await expect(panel).toContainText("The position of this device, accurate to 12 m.");
  await expect(panel).toContainText("20°00.0′N 055°00.0′W");
  await expect(panel).toContainText("At anchor.");
  expect(await stored(page)).toBe("20,-55,0,0,2026-09-15T12:00:00Z");
  await context.clearPermissions();

  await panel.getByRole("button", { name: "Conditions there" }).click();
  await expect(page).toHaveURL(/p=20(\.0+)?,-55/);
  await chooseInMenu(page, "My ship");
  await panel.getByRole("button", { name: "Edit" }).click();
  await expectAccessible(page, "the ship's form on a phone");
});
