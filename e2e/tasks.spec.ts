import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { rules } from "./accessibility.ts";
import { expect, origin, test } from "./map.ts";
import { KEY } from "./server.ts";
import { NOW } from "./world.ts";

const row = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

async function api(method: string, path: string, body?: object): Promise<{ task_id: string }> {
  const headers = { "x-api-key": KEY, "content-type": "application/json" };
  const reply = await fetch(`${origin()}${path}`, { method, headers, body: JSON.stringify(body) });
  return (await reply.json()) as { task_id: string };
}

const pointsTask = (name: string, count: number) =>
  api("POST", "/MetOcean/async", {
    points: Array.from({ length: count }, (_, i) => ({
      latitude: (i % 160) / 2,
      longitude: 0,
      timestamp: NOW,
    })),
    variables: ["wind"],
    task_name: name,
  });

async function openForm(page: Page) {
  await page.getByRole("button", { name: "New task" }).click();
  return page.getByRole("dialog", { name: "New task" });
}

test("a box is sent from the form, watched, found after a reload, saved, opened on the map and repeated", async ({
  quietPage: page,
}) => {
  // The server is faster than eyes: the list shows the task as running until the test has seen it.
  let held = true;
  await page.route("**/user/tasks?*", async (route) => {
    const reply = await route.fetch();
    const list = (await reply.json()) as { results: Record<string, unknown>[] };
    const running = { status: "PENDING", progress: 0.42, queue_position: null };
    if (held) for (const task of list.results) Object.assign(task, running);
    await route.fulfill({ response: reply, json: list });
  });
  await page.route("**/events", (route) => route.fulfill({ contentType: "text/event-stream", body: "" }));

  await page.goto(`${origin()}/tasks#key=${KEY}`);
  const dialog = await openForm(page);
  await dialog.getByLabel("North, °N").fill("10");
  await expect(dialog.getByRole("status")).toContainText("the southern one first");
  await expect(dialog.getByRole("button", { name: "Start the task" })).toBeDisabled();
  await dialog.getByLabel("North, °N").fill("60");
  await dialog.getByLabel("Name").fill("Biscay box");
  await expect(dialog.getByRole("status")).toContainText(/About [\d,]+ values, .* as JSON, a few seconds/);
  await dialog.getByRole("button", { name: "Start the task" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "New task" })).toBeFocused();

  const task = row(page, "Biscay box");
  await expect(task.getByRole("progressbar")).toHaveAttribute("value", "0.42");
  await expect(task).toContainText("Running, 42 %");
  held = false;
  await expect(task).toContainText("Done");
  await expect(page).toHaveTitle(/^\(1 done\)/);

  await page.reload();
  await expect(task).toContainText("kept until");
  await task.getByRole("button", { name: "Download Biscay box" }).click();
  await expect(task.getByRole("button", { name: "GeoJSON" })).toHaveCount(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    task.getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Biscay-box-[0-9a-f]{8}\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines[0]).toMatch(/^latitude \[°\],longitude \[°\],timestamp,Winds_10m_Direction \[°\],/);
  expect(lines[1]).toContain("Not for navigation. wind: ");
  expect(lines.length).toBeGreaterThan(41 * 61);

  await task.getByRole("button", { name: "Repeat" }).click();
  const again = page.getByRole("dialog", { name: "New task" });
  await expect(again.getByLabel("Name")).toHaveValue("Biscay box");
  await page.keyboard.press("Escape");
  await expect(task.getByRole("button", { name: "Repeat" })).toBeFocused();
  await task.getByRole("button", { name: "Open on map" }).click();
  await page.waitForURL(/\/\?c=50,-15&z=\d&l=wind&t=2026-01-01T00:00:00Z/);
});

test("a pasted list is a task, by keyboard alone; it is saved as GeoJSON, and deleted", async ({
  quietPage: page,
}) => {
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  const open = page.getByRole("button", { name: "New task" });
  // Until the page has its key the button cannot be focused.
  await expect(open).toBeEnabled();
  await open.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByRole("button", { name: "A list of points" }).press("Enter");
  await dialog.getByLabel("Or paste it here").fill("lat;lon\n48,5;x");
  await expect(dialog.getByRole("status")).toContainText("Line 2: the longitude");
  await dialog.getByLabel("Or paste it here").fill("lat;lon\n48,5;-5,25\n47;-7");
  await expect(dialog).toContainText("2 points, without times.");
  await dialog.getByLabel("Name").fill("Two points");
  await page.keyboard.press("Enter");
  const task = row(page, "Two points");
  await expect(task).toContainText("Done");
  await task.getByRole("button", { name: "Download Two points" }).press("Enter");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    task.getByRole("button", { name: "GeoJSON" }).press("Enter"),
  ]);
  const { features } = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(features.map(({ geometry }: { geometry: unknown }) => geometry)).toEqual([
    { type: "Point", coordinates: [-5.25, 48.5] },
    { type: "Point", coordinates: [-7, 47] },
  ]);
  await task.getByRole("button", { name: "Delete" }).press("Enter");
  await expect(task).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Tasks" })).toBeFocused();
});

test("a waiting task is cancelled", async ({ quietPage: page }) => {
  const ids: string[] = [];
  for (const name of ["First", "Second", "Third", "Fourth"])
    ids.push((await pointsTask(name, name === "Fourth" ? 1 : 100_000)).task_id);
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  const task = row(page, "Fourth");
  await task.getByRole("button", { name: "Cancel" }).click();
  await expect(task).toContainText("Cancelled");
  await expect(task.getByRole("button", { name: "Delete" })).toBeVisible();
  await page.getByRole("button", { name: "Failed" }).click();
  await expect(task).toBeVisible();
  for (const id of ids) await api("POST", `/cancel_task/${id}`);
});

for (const width of [1440, 390]) {
  test(`axe finds nothing at ${width} px, in the list and in the form, and nothing scrolls sideways`, async ({
    page,
  }) => {
    // Tall enough that no row lies half under the foot of the page.
    await page.setViewportSize({ width, height: 2400 });
    await pointsTask(
      "A name that is rather long, so that it has to be broken somewhere, or it is too wide",
      1,
    );
    await page.goto(`${origin()}/tasks#key=${KEY}`);
    await page.getByRole("listitem").first().waitFor();
    const faults = async () => {
      const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
      return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    };
    expect(await faults()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const dialog = await openForm(page);
    expect(await faults()).toEqual([]);
    await dialog.getByRole("button", { name: "A list of points" }).click();
    expect(await faults()).toEqual([]);
  });
}
