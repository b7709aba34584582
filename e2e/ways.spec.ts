import type { Page } from "@playwright/test";
import { expect, openMap, openPage, origin, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { askApi, KEY } from "./server.ts";
import { NOW } from "./test-archive.ts";

test.use({ viewport: { width: 960, height: 600 } });

const map = (page: Page) => page.getByRole("application", { name: "Weather map" });
const card = (page: Page) => page.getByRole("heading", { name: "DEMOREEF" });
const row = (page: Page) => page.getByRole("button", { name: /^DEMOREEF/ });
const query = (page: Page) => new URL(page.url()).searchParams;

test("Back and Forward restore the list, the card, the point and the searched place", async ({
  page,
  demo,
}) => {
  await openPage(page, "c=21,-54&z=3&l=none&o=storms&t=2026-09-15T12:00:00Z", demo.url);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.getByRole("tab", { name: "Storms" }).click();
  await row(page).click();
  await expect(card(page)).toBeVisible();
  await expect(page).not.toHaveURL(/c=21,-54/);
  // A time step creates no history entry, and a map move creates none.
  await page.getByRole("button", { name: "Forward one step" }).click();
  await expect(page).not.toHaveURL(/t=2026-09-15T12:00:00Z/);
  await map(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Point" }).click();
  await page.getByLabel("Position", { exact: true }).first().fill("30 00N 040 00W");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/p=30,-40/);
  await expect(page).toHaveURL(/c=30,-40/);

  await page.goBack();
  await expect(page).not.toHaveURL(/p=30,-40/);
  await page.goBack();
  await expect(card(page)).toBeVisible();
  await page.goBack();
  await expect(row(page)).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await expect(page).toHaveURL(/c=21,-54/);
  await expect(page).toHaveURL(/t=2026-09-15T12:00:00Z/);
  // The map has moved too, not only its address, so the next step of the keyboard starts from there.
  await mapIsSettled(page);
  await map(page).focus();
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => query(page).get("c")).toMatch(/^(2[2-9]|[3-6]\d)[\d.]*,-54$/);
  await page.goForward();
  await expect(card(page)).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("tab", { name: "Point" })).toHaveAttribute("aria-selected", "true");
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
});

test("the focus moves to what the user opens, returns to what opened it, and is never lost", async ({
  page,
  demo,
}) => {
  await openMap(page, "c=21,-54&z=3&p=24,-58&o=storms", demo.url);
  const isLost = () => page.evaluate(() => document.activeElement === document.body);
  await map(page).focus();
  await page.keyboard.press("s");
  await expect(page.getByRole("tabpanel")).toBeFocused();
  await row(page).press("Enter");
  await expect(card(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(row(page)).toBeFocused();
  // Changes of the view within a twentieth of a second, which no hand makes, share one entry of the history.
  await expect(page).not.toHaveURL(/[?&]storm=/);
  await page.keyboard.press("Enter");
  await expect(card(page)).toBeFocused();
  await expect(page).toHaveURL(/storm=/);
  await page.goBack();
  await expect(row(page)).toBeFocused();
  await page.goForward();
  await expect(card(page)).toBeFocused();
  await page.getByRole("button", { name: "All storms" }).press("Enter");
  await expect(row(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(map(page)).toBeFocused();
  await page.keyboard.press("n");
  const heading = page.getByRole("tabpanel").getByRole("heading", { level: 2 }).first();
  await expect(heading).toBeFocused();
  const first = await heading.innerText();
  await page.keyboard.press("n");
  await expect(heading).not.toHaveText(first);
  await expect(heading).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(map(page)).toBeFocused();

  // A point is sampled from the map, and then the next one.
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
  await expect(map(page)).toBeFocused();
  await page.getByRole("button", { name: "Forget this position" }).press("Enter");
  await expect(map(page)).toBeFocused();

  const menu = page.getByRole("button", { name: "Menu", exact: true });
  for (const [button, dialog] of [
    ["Keys of the map", "Keys of the map"],
    ["List values in view", /in view/],
  ] as const) {
    await menu.press("Enter");
    await page.getByRole("button", { name: button }).first().press("Enter");
    await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(menu).toBeFocused();
  }
  await page.keyboard.press("Shift+Tab");
  await map(page).focus();
  await page.keyboard.press("g");
  await expect(page.getByLabel("Position", { exact: true }).first()).toBeFocused();
  await page.keyboard.press("Escape");

  // Some controls disable or remove themselves: the last step in time, the highest panel, the hint.
  await page.getByRole("slider", { name: "Time of the map", exact: true }).press("End");
  await page.getByRole("button", { name: "Back one step" }).press("Enter");
  await page.getByRole("button", { name: "Forward one step" }).press("Enter");
  await expect.poll(isLost).toBe(false);
  await page.setViewportSize({ width: 390, height: 740 });
  const raise = page.getByRole("button", { name: "Raise the panel" });
  await raise.press("Enter");
  await raise.press("Enter");
  await expect(raise).toBeDisabled();
  await expect.poll(isLost).toBe(false);
});

test("neither a double click nor a drag moves the sampled point", async ({ page }) => {
  await openMap(page, "c=40,-40&z=3&l=none&o=&p=41.25,-43.5");
  const { x, y } = (await map(page).boundingBox())!;
  const zoom = () => Number(query(page).get("z"));
  await page.mouse.dblclick(x + 200, y + 150);
  await expect.poll(zoom).toBe(4);
  await page.mouse.move(x + 200, y + 150);
  await page.mouse.down();
  await page.mouse.move(x + 300, y + 200, { steps: 4 });
  await page.mouse.up();
  const before = query(page).get("c");
  await expect.poll(() => query(page).get("c")).not.toBe("40,-40");
  await mapIsSettled(page);
  expect(before).not.toBeNull();
  expect(query(page).get("p")).toBe("41.25,-43.5");
  await map(page).click({ position: { x: 200, y: 150 } });
  await expect(page).not.toHaveURL(/p=41\.25,-43\.5/);
});

test("a task's points open on the map, all in view, from its link alone", async ({ page }) => {
  const points = [
    [41, -45],
    [42, -42],
    [44, -38],
    [45.5, -33],
  ] as const;
  const hour = (by: number) => new Date(Date.parse(NOW) + by * 3_600_000).toISOString().replace(".000", "");
  const { task_id } = (await askApi(`${origin()}/MetOcean/async`, {
    points: points.map(([latitude, longitude], i) => ({ latitude, longitude, timestamp: hour(i) })),
    variables: ["wind"],
    task_name: "Westward",
  })) as { task_id: string };
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  const task = page.getByRole("listitem").filter({ hasText: "Westward" });
  await expect(task).toContainText("Done");
  await task.getByRole("button", { name: "Open on map" }).click();
  await page.waitForURL(new RegExp(`task=${task_id}`));
  const link = page.url();
  expect(link).not.toMatch(/[?&]z=/);

  await page.setViewportSize({ width: 390, height: 740 });
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByText("Westward: 4 points")).toBeVisible();
  await expect.poll(() => query(page).get("z")).not.toBeNull();
  await mapIsSettled(page);
  const { width, height } = (await map(page).boundingBox())!;
  const [latitude = 0, longitude = 0] = query(page).get("c")!.split(",").map(Number);
  const pixelsPerDegree = (512 * 2 ** Number(query(page).get("z"))) / 360;
  for (const [north, east] of points) {
    expect(Math.abs(east - longitude) * pixelsPerDegree).toBeLessThan(width / 2);
    // In Mercator the scale at 45° is larger by the secant.
    expect((Math.abs(north - latitude) * pixelsPerDegree) / Math.cos(Math.PI / 4)).toBeLessThan(height / 2);
  }
  await page.getByRole("button", { name: "Take the points off the map" }).click();
  await expect(page).not.toHaveURL(/task=/);
  await expect(map(page)).toBeVisible();
});
