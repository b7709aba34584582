import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, origin, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { askApi, KEY } from "./server.ts";

test.use({ viewport: { width: 960, height: 600 } });

const row = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });

async function openForm(page: Page) {
  await page.getByRole("button", { name: "New task" }).click();
  return page.getByRole("dialog", { name: "New task" });
}

/** Scattered places and times, which the demo takes a while to compute. */
const scatteredPoints = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    latitude: ((i * 37) % 1200) / 10 - 60,
    longitude: ((i * 91) % 3600) / 10 - 180,
    timestamp: `2026-09-1${i % 8}T${String(i % 24).padStart(2, "0")}:00:00Z`,
  }));

/** The points as a file that the form reads. */
function csvOf(points: ReturnType<typeof scatteredPoints>): Buffer {
  const lines = points.map(
    ({ latitude, longitude, timestamp }) => `${latitude.toFixed(1)},${longitude.toFixed(1)},${timestamp}`,
  );
  return Buffer.from(["latitude,longitude,timestamp", ...lines].join("\n"));
}

type RecordingWindow = Window & { shownProgress?: string[] };

/** Records each text "Running, n %" that the page shows for a task from now on, in `window.shownProgress`. */
const recordProgress = (page: Page, name: string): Promise<void> =>
  page.evaluate((name) => {
    const texts: string[] = [];
    (window as RecordingWindow).shownProgress = texts;
    new MutationObserver(() => {
      const row = [...document.querySelectorAll("li")].find(
        (li) => li.querySelector("h2")?.innerText === name,
      );
      const text = /Running, [1-9]\d? %/.exec(row?.innerText ?? "")?.[0];
      if (text && text !== texts.at(-1)) texts.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }, name);

/** Downloads a task's result from its row. */
async function savedLines(page: Page, name: string, format: string): Promise<string[]> {
  const task = row(page, name);
  await task.getByRole("button", { name: `Download ${name}` }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    task.getByRole("button", { name: format }).click(),
  ]);
  const file = name.replaceAll(" ", "-");
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${file}-[0-9a-f]{8}\\.${format.toLowerCase()}$`));
  return (await readFile(await download.path(), "utf8")).split("\r\n");
}

test("a task of thousands of points is sent from the form, shows its progress, survives a reload, is saved and opened on the map", async ({
  quietPage: page,
  demo,
}) => {
  // The demo computes thousands of places in the background, enough for the task to run on while the page is reloaded.
  test.slow();
  const count = 20_000;
  const name = "Survey of the seas";
  await page.goto(`${demo.url}/tasks#key=${KEY}`);
  const dialog = await openForm(page);
  await dialog.getByRole("button", { name: "A list of points" }).click();
  await dialog.getByLabel("File: GPX, or CSV").setInputFiles({
    name: "survey.csv",
    mimeType: "text/csv",
    buffer: csvOf(scatteredPoints(count)),
  });
  await expect(dialog).toContainText("survey.csv: 20,000 points, each with its time.");
  await dialog.getByLabel("Name").fill(name);
  await expect(dialog.getByRole("status")).toContainText(/20,000 points, about .* as JSON, /);
  await recordProgress(page, name);
  await dialog.getByRole("button", { name: "Start the task" }).click();

  const task = row(page, name);
  // The page itself records progress, because a fast server may end the task between two checks of the test.
  const shown = () => page.evaluate(() => (window as RecordingWindow).shownProgress ?? []);
  await expect.poll(async () => (await shown()).length, { timeout: 120_000 }).toBeGreaterThan(1);
  const texts = await shown();
  const shares = texts.map((it) => Number(/^Running, (\d+) %$/.exec(it)?.[1]));
  expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
  await page.reload();
  await expect(task).toContainText("20,000 points");
  await expect(task).toContainText("Done", { timeout: 180_000 });
  await expect(page).toHaveTitle(/^\(1 done\)/);

  const lines = await savedLines(page, name, "CSV");
  expect(lines.length).toBeGreaterThan(count);
  await task.getByRole("button", { name: "Open on map" }).click();
  await page.waitForURL(/\/\?c=.*&l=wind&t=2026-09-1/);
  await mapIsSettled(page);
});

test("a task of a box is sent from the form, saved, repeated and opened on the map", async ({
  quietPage: page,
}) => {
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  const dialog = await openForm(page);
  await dialog.getByLabel("North, °N").fill("10");
  await expect(dialog.getByRole("status").last()).toContainText("the southern one first");
  await expect(dialog.getByRole("button", { name: "Start the task" })).toBeDisabled();
  await dialog.getByLabel("North, °N").fill("60");
  await dialog.getByLabel("Name").fill("Biscay box");
  await expect(dialog.getByRole("status").last()).toContainText(
    /About [\d,]+ values, .* as JSON, a few seconds/,
  );
  // A double click submits one task: the locator below is strict.
  await dialog.getByRole("button", { name: "Start the task" }).dblclick();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "New task" })).toBeFocused();

  const task = row(page, "Biscay box");
  await expect(task).toContainText("Done");
  await expect(task).toContainText("kept until");
  const lines = await savedLines(page, "Biscay box", "CSV");
  await expect(task.getByRole("button", { name: "GeoJSON" })).toHaveCount(0);
  expect(lines[0]).toMatch(/^latitude \[°\],longitude \[°\],timestamp,Winds_10m_Direction \[°\],/);
  expect(lines[1]).toContain("Not for navigation. wind at 10 m: ");
  expect(lines.length).toBeGreaterThan(41 * 61);

  await task.getByRole("button", { name: "Repeat" }).click();
  const again = page.getByRole("dialog", { name: "New task" });
  await expect(again.getByLabel("Name")).toHaveValue("Biscay box");
  await page.keyboard.press("Escape");
  await expect(task.getByRole("button", { name: "Repeat" })).toBeFocused();
  await task.getByRole("button", { name: "Open on map" }).click();
  await page.waitForURL(/\/\?c=50,-15&z=\d&l=wind&t=2026-01-01T00:00:00Z/);
});

test("a pasted list is sent, saved as GeoJSON, deleted, brought back and deleted by keyboard alone", async ({
  quietPage: page,
}) => {
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  const open = page.getByRole("button", { name: "New task" });
  // The button cannot be focused until the page has its key.
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
  const remove = task.getByRole("button", { name: "Delete" });
  // The button is disabled until the file is saved.
  await expect(remove).toBeEnabled();
  await remove.press("Enter");
  await expect(task).toHaveCount(0);
  const undo = page.getByRole("button", { name: "Undo deleting Two points" });
  await expect(undo).toBeFocused();
  await expect(page.getByText("“Two points” is being deleted.")).toBeVisible();
  await undo.press("Enter");
  await expect(remove).toBeFocused();
  const { results } = (await askApi(`${origin()}/user/tasks`)) as {
    results: { task_id: string; task_name: string }[];
  };
  const { task_id } = results.find(({ task_name }) => task_name === "Two points")!;
  await remove.press("Enter");
  await expect(undo).toBeFocused();
  expect((await fetch(`${origin()}/task/${task_id}`, { headers: { "x-api-key": KEY } })).status).toBe(200);
  // Leaving the page carries out the deletion.
  await page.goto("about:blank");
  const status = async () =>
    (await fetch(`${origin()}/task/${task_id}`, { headers: { "x-api-key": KEY } })).status;
  await expect.poll(status).toBe(404);
});

test("the last input of the form wins, and a late reply does not close another form", async ({ page }) => {
  const late = Promise.withResolvers<void>();
  await page.route("**/2DMetOcean", async (route) => {
    await late.promise;
    await route.continue();
  });
  await page.addInitScript(() => {
    const real = File.prototype.arrayBuffer;
    File.prototype.arrayBuffer = async function () {
      if (this.name === "gone.csv") throw new DOMException("gone", "NotFoundError");
      if (this.name === "large.csv") await new Promise((read) => addEventListener("read", read));
      return real.call(this);
    };
  });
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  const first = await openForm(page);
  await first.getByLabel("Name").fill("Slow submission");
  await first.getByRole("button", { name: "Start the task" }).click();
  await page.keyboard.press("Escape");
  await expect(first).toBeHidden();

  const form = await openForm(page);
  await form.getByRole("button", { name: "A list of points" }).click();
  const choose = (name: string) =>
    form
      .getByLabel("File: GPX, or CSV")
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from("lat,lon\n1,1\n2,2\n3,3") });
  await choose("gone.csv");
  await expect(form.getByRole("status")).toContainText("gone.csv could not be read: choose it again.");
  await expect(form.getByLabel("File: GPX, or CSV")).toHaveValue("");
  await choose("large.csv");
  await form.getByLabel("Or paste it here").fill("lat,lon\n48,-5\n47,-7");
  await expect(form).toContainText("2 points, without times.");
  await form.getByLabel("Speed, knots").fill("12");
  await form.getByLabel("Or paste it here").fill("lat,lon\n48,-5\n47,-8");
  await expect(form).toContainText("47°00.0′N 008°00.0′W");
  await expect(form.getByLabel("Speed, knots")).toHaveValue("12");
  await page.evaluate(() => dispatchEvent(new Event("read")));
  late.resolve();
  await expect(row(page, "Slow submission")).toBeVisible();
  await expect(form).toContainText("2 points, without times.");
});

test("a task that has not ended can be cancelled", async ({ quietPage: page, demo }) => {
  // The demo computes these for longer than it takes to press the button; what is left then is not computed.
  await askApi(`${demo.url}/MetOcean/async`, {
    points: scatteredPoints(100_000),
    variables: ["wind"],
    task_name: "Not wanted",
  });
  await page.goto(`${demo.url}/tasks#key=${KEY}`);
  const task = row(page, "Not wanted");
  await task.getByRole("button", { name: "Cancel" }).click();
  await expect(task).toContainText("Cancelled");
  await expect(task.getByRole("button", { name: "Delete" })).toBeVisible();
  await page.getByRole("button", { name: "Failed" }).click();
  await expect(task).toBeVisible();
});
