import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Download, Page } from "@playwright/test";
import type { Plan } from "#lib/contract/passage.ts";
import { planToText } from "#lib/passage/plan-link.ts";
import { expectAccessible } from "./accessibility.ts";
import { counted } from "./counted.ts";
import { chooseInMenu, drawCoarsely, drawOnScreen, expect, openMap, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";

const AT = "t=2026-09-15T12:00:00Z";
const panel = (page: Page) => page.getByRole("region", { name: "Download" });
const side = (page: Page, name: string) => panel(page).getByLabel(name);
const estimate = (page: Page) => panel(page).getByText(/^About [\d.]+ [kM]B: /);

/** Number of messages in a file, which eccodes decodes where it is installed. */
async function messagesOf(download: Download): Promise<number | undefined> {
  const file = await download.path();
  expect(readFileSync(file).subarray(0, 4).toString()).toBe("GRIB");
  const script =
    "import sys,eccodes as e\nf=open(sys.argv[1],'rb')\nn=0\nwhile (h:=e.codes_grib_new_from_file(f)) is not None:\n e.codes_get_values(h); n+=1\nprint(n)";
  try {
    return Number(
      execFileSync("/usr/bin/python3", ["-c", script, file], { stdio: ["ignore", "pipe", "ignore"] }),
    );
  } catch {
    return undefined;
  }
}

async function dragOver(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
}

test("by mouse, a box across 180° is drawn, its size is shown before the download, and its file is GRIB2", async ({
  quietPage: page,
  demo,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page, `c=30,180&z=3&${AT}`, demo.url);
  await chooseInMenu(page, "Download");
  await expect(estimate(page)).toBeVisible();
  await panel(page).getByRole("button", { name: "Draw on the map" }).click();
  await mapIsSettled(page);
  await dragOver(page, [400, 300], [700, 500]);
  await expect(panel(page).getByRole("button", { name: "A box" })).toHaveAttribute("aria-pressed", "true");
  expect(Number(await side(page, "West, °E").inputValue())).toBeGreaterThan(100);
  expect(Number(await side(page, "East, °E").inputValue())).toBeLessThan(-150);
  await panel(page).getByLabel("Resolution").selectOption("4");
  await expect(estimate(page)).toContainText("17 times");
  await expectAccessible(page, "the panel of downloads");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    panel(page).getByRole("button", { name: "Download", exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(
    /^open-metocean_wind_20260915T12Z_48h_N\d\dN\d\dE1\d\dW1\d\d\.grb2$/,
  );
  // The file has 17 times of two components.
  expect([undefined, 34]).toContain(await messagesOf(download));
  await expect(panel(page)).toContainText("Saved: open-metocean_wind");

  // The box of weather windows is drawn in the same way, and its dialog returns with it.
  await page.getByRole("application", { name: "Weather map" }).click();
  await page.getByRole("button", { name: "Weather windows" }).click();
  const windows = page.getByRole("dialog", { name: "Weather windows" });
  await windows.getByRole("button", { name: "A box", exact: true }).click();
  await windows.getByRole("button", { name: "Draw on the map" }).click();
  await expect(windows).toBeHidden();
  await mapIsSettled(page);
  await dragOver(page, [300, 300], [500, 450]);
  await expect(windows.getByRole("button", { name: "Draw on the map" })).toBeFocused();
  const [north, south] = await Promise.all(
    ["North, °N", "South, °N"].map((name) => windows.getByLabel(name).inputValue()),
  );
  expect(Number(north)).toBeGreaterThan(Number(south));
});

test("a box by keyboard alone, around a storm and along a passage: framed, made by a task, cancelled, and unavailable offline", async ({
  quietPage: page,
  demo,
}) => {
  const plan: Plan = {
    name: "Biscay",
    route: [
      { latitude: 48, longitude: -6, leg: "great_circle" },
      { latitude: 44, longitude: -9, leg: "great_circle" },
    ],
    vessel: { kind: "fixed", speed_kt: 10 },
  };
  await drawOnScreen(page);
  const link = `c=40,-20&z=4&l=none&o=storms&plan=${planToText(plan).text}&${AT}`;
  await openMap(page, link, demo.url);
  await page.getByRole("application", { name: "Weather map" }).press("f");
  const choose = (kind: string) => panel(page).getByRole("button", { name: kind, exact: true }).click();
  const start = panel(page).getByRole("button", { name: "Download", exact: true });
  const fetched = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), start.click()]);
    return download.suggestedFilename();
  };
  const map = page.locator(".maplibregl-canvas");

  // By keyboard alone a box is made by its corners.
  await expect(page.getByRole("heading", { name: "Download" })).toBeFocused();
  await counted(page, async ({ tabTo, press }) => {
    await tabTo(panel(page).getByRole("button", { name: "Draw on the map" }));
    await press("Enter");
  });
  await page.keyboard.press("Enter");
  await expect(page.getByText("Now the opposite corner.")).toBeVisible();
  // A second key would end the move of the first, so each is awaited.
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/c=[\d.]+,-1/);
  await page.keyboard.press("ArrowUp");
  await expect(page).toHaveURL(/c=(?!40,)[\d.]+,-1/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Download" })).toBeFocused();
  await expect(side(page, "South, °N")).toHaveValue(/^(39\.9|40)/);

  // A series at a point is also available, and as a command that writes the same file.
  await page.getByRole("application", { name: "Weather map" }).press("Enter");
  const actions = page.getByRole("button", { name: "More actions" });
  await actions.focus();
  await counted(page, async ({ tabTo, press }) => {
    await tabTo(page.getByRole("button", { name: "Series as a file" }));
    await press("Enter");
    await expect(page.getByRole("heading", { name: "Download" })).toBeFocused();
    await tabTo(panel(page).getByRole("button", { name: "XLSX" }));
    await press("Enter");
    await expect(estimate(page)).toContainText("241 times, 1 place");
    await tabTo(start);
  });
  const [sheet] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(sheet.suggestedFilename()).toMatch(/_240h_N\d\dW\d{3}\.xlsx$/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await panel(page).getByRole("button", { name: "Copy as curl" }).press("Enter");
  await expect(panel(page).getByRole("button", { name: "Copied" })).toBeVisible();
  const folder = mkdtempSync(path.join(tmpdir(), "metocean-curl-"));
  const command = await page.evaluate(() => navigator.clipboard.readText());
  execFileSync("sh", ["-c", command], {
    cwd: folder,
    env: { ...process.env, METOCEAN_KEY: KEY },
    stdio: "ignore",
  });
  expect(readdirSync(folder)).toEqual([sheet.suggestedFilename()]);
  expect(readFileSync(path.join(folder, sheet.suggestedFilename())).subarray(0, 2).toString()).toBe("PK");
  rmSync(folder, { recursive: true });

  await choose("Along my passage");
  await expect(estimate(page)).toBeVisible();
  await mapIsSettled(page);
  const framed = await map.screenshot();
  // The frame is that of the file, and smaller for a narrow corridor.
  await panel(page).getByLabel("On either side, n mi").fill("300");
  await expect(panel(page).locator("[role=status][aria-busy=false]")).toBeVisible();
  await mapIsSettled(page);
  expect((await map.screenshot()).equals(framed)).toBe(false);
  expect(await fetched()).toBe("open-metocean_wind_20260915T12Z_48h_passage.grb2");

  await choose("Around a storm");
  const storm = await panel(page)
    .getByRole("combobox", { name: /^Storm/ })
    .inputValue();
  await expect(estimate(page)).toBeVisible();
  expect(await fetched()).toBe(`open-metocean_wind_20260915T12Z_48h_${storm}.grb2`);

  await page.route("**/files", (route) =>
    route.request().postData()?.includes("estimate") ? route.continue() : undefined,
  );
  await start.click();
  await panel(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(panel(page)).toContainText("Cancelled.");
  await page.unroute("**/files");

  await page.context().setOffline(true);
  await expect(start).toBeDisabled();
  await expect(panel(page)).toContainText("Offline: a file can be made when there is a connection.");
  await page.context().setOffline(false);

  await panel(page).getByRole("button", { name: "Make a task" }).click();
  await panel(page).getByRole("link", { name: "To the tasks" }).click();
  await expect(
    page.getByRole("heading", { name: `open-metocean_wind_20260915T12Z_48h_${storm}.grb2` }),
  ).toBeVisible();
});

test.describe("on a phone", () => {
  test("a finger draws the box, and a failure is explained in words", async ({ browser, demo }) => {
    const context = await browser.newContext({
      serviceWorkers: "block",
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await drawCoarsely(page);
    await openMap(page, `c=40,-20&z=4&${AT}&tab=download`, demo.url);
    await page.getByRole("button", { name: "Raise the panel" }).tap();
    await panel(page).getByRole("button", { name: "Draw on the map" }).tap();
    await expect(page.getByText("Drag a box with one finger")).toBeVisible();
    const client = await context.newCDPSession(page);
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      ...touchPoints: { x: number; y: number }[]
    ) => client.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", { x: 120, y: 300 });
    await touch("touchMove", { x: 200, y: 360 });
    await touch("touchMove", { x: 280, y: 420 });
    await touch("touchEnd");
    await expect(panel(page).getByRole("button", { name: "A box" })).toHaveAttribute("aria-pressed", "true");
    await expect(estimate(page)).toBeVisible();
    await expectAccessible(page, "the panel of downloads on a phone");
    const start = panel(page).getByRole("button", { name: "Download", exact: true });
    for (const [status, said] of [
      [413, "too large"],
      [429, "Too many requests."],
      [503, "The server is busy."],
      [507, "Your storage for results is full"],
    ] as const) {
      await page.route("**/files", (route) =>
        route.fulfill({ status, json: { detail: "no" }, headers: { "retry-after": "9" } }),
      );
      await start.click();
      await expect(panel(page).getByRole("alert")).toContainText(said);
      await page.unroute("**/files");
    }
    const [download] = await Promise.all([page.waitForEvent("download"), start.click()]);
    await messagesOf(download);
    await context.close();
  });
});
