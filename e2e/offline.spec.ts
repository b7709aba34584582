import type { Browser, Page } from "@playwright/test";
import { chooseInMenu, drawCoarsely, expect, openMap, origin, provenance, test } from "./map.ts";
import { viewIsDrawn } from "./probe.ts";
import { askApi, KEY } from "./server.ts";
import { STEPS } from "./test-archive.ts";

test.use({ viewport: { width: 960, height: 600 } });

/**
 * The message of a failed request. Its word depends on `navigator.onLine`, which is also true behind a router without a
 * connection. Chromium 147 forgets this flag at a reload while it emulates no network.
 */
const SAVED = /(Offline|The server cannot be reached)\. Showing data saved \d\d:\d\d UTC\./;

// Each browser that stores pages compiles their scripts anew, so the tests use one in turn.
let kept: Page | undefined;
test.afterAll(() => kept?.context().close());

/** A page of a browser that stores pages for use without a network, and that still has those of earlier tests. */
const keeping = test.extend<{ keptPage: Page }>({
  keptPage: async ({ browser }, use) => {
    kept ??= await storingPage(browser);
    await use(kept);
    await kept.context().setOffline(false);
    await kept.evaluate(() => localStorage.clear());
  },
});

async function storingPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 960, height: 600 },
    serviceWorkers: "allow",
    hasTouch: true,
  });
  const page = await context.newPage();
  await drawCoarsely(page);
  return page;
}

/** Chromium 147 does not notify a page that was loaded without a network. */
async function goOnline(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
}

/** Waits until the browser has stored a page and all scripts that it has loaded. */
async function isKept(page: Page, path: string): Promise<void> {
  const isComplete = async (path: string) => {
    const name = (await caches.keys()).find((name) => name.startsWith("metocean-shell-"));
    const cache = name === undefined ? undefined : await caches.open(name);
    if (!(await cache?.match(path))) return false;
    const loaded = performance
      .getEntriesByType("resource")
      .map((entry) => new URL(entry.name).pathname)
      .filter((name) => name.startsWith("/_next/static/") || name.startsWith("/basemap/"));
    // Parts of the land that were read before the worker was there are in the browser's own cache.
    for (const file of loaded) if (!file.endsWith(".pmtiles") && !(await cache?.match(file))) return false;
    return true;
  };
  await expect.poll(() => page.evaluate(isComplete, path)).toBe(true);
}

keeping(
  "after a visit in which nobody used the page, the map opens without a network, with what it had, and can be used",
  { tag: "@installed" },
  async ({ keptPage: page }) => {
    await page.goto(`${origin()}/?c=30,-60&z=3&p=30,-60&t=${STEPS[1]}&o=storms#key=${KEY}`);
    await viewIsDrawn(page);
    const wind = page.getByRole("region", { name: "Conditions" });
    await expect(wind).toContainText(/\d kn/);
    const number = /\d+ kn/.exec((await wind.textContent()) ?? "")?.[0] ?? "none";
    await isKept(page, "/");
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));

    await page.context().setOffline(true);
    await page.reload();
    await viewIsDrawn(page);
    await expect(page.getByText(SAVED)).toBeVisible();
    await expect(provenance(page)).toContainText("valid Thu 1 Jan 2026 03:00 UTC");
    await expect(wind).toContainText(number);
    const map = page.getByRole("application", { name: "Weather map" });
    await map.click({ position: { x: 200, y: 200 } });
    await expect(page).not.toHaveURL(/[?&]p=30,-60/);
    await map.press("ArrowRight");
    await expect(page).toHaveURL(/c=30,-51/);
    expect(problems).toEqual([]);

    await goOnline(page);
    await expect(page.getByText(SAVED)).toHaveCount(0);
  },
);

keeping(
  "an area that was saved on the device is stepped through after a reload without a network, and what is not saved is grey",
  async ({ keptPage: page }) => {
    await page.goto(`${origin()}/?c=30,-60&z=5&t=${STEPS[0]}&o=#key=${KEY}`);
    await viewIsDrawn(page);
    await chooseInMenu(page, "Save this area");
    const panel = page.getByRole("region", { name: "Download" });
    await expect(panel).toContainText(/[\d.]+ MB on this device, about \d+ kB over the network\./);
    const [, size] = /([\d.]+ MB) on this device/.exec((await panel.textContent()) ?? "") ?? [];
    await panel.getByRole("button", { name: "Save this area" }).click();
    await expect(panel.getByText("Saved: it opens without a network.")).toBeVisible();
    const list = panel.getByRole("region", { name: "Saved on this device" });
    await expect(list).toContainText(`until Thu 1 Jan 06:00 · ${size}`);
    await isKept(page, "/");
    // The frames that were saved as they were shown are not those that are shown now.
    const areas = await page.evaluate(async () => {
      const stores = (await caches.keys()).filter((name) => name.startsWith("metocean-replies-"));
      const shown = stores.filter((name) => !name.includes("-area-"));
      await Promise.all(shown.map((name) => caches.delete(name)));
      const [area] = stores.filter((name) => name.includes("-area-"));
      let bytes = 0;
      const cache = await caches.open(area ?? "");
      for (const request of await cache.keys())
        if (request.url.includes("/saved/frames/"))
          bytes += (await (await cache.match(request))!.arrayBuffer()).byteLength;
      return { count: stores.length - shown.length, bytes };
    });
    expect(areas.count).toBe(1);
    expect(`${(areas.bytes / 1e6).toFixed(1)} MB`).toBe(size);

    await page.context().setOffline(true);
    await page.reload();
    await viewIsDrawn(page);
    await expect(page.getByText(SAVED)).toBeVisible();
    const time = page.getByRole("region", { name: "Time" });
    for (const hour of ["03", "06"]) {
      await time.getByRole("button", { name: "Forward one step" }).click();
      await viewIsDrawn(page);
      await expect(provenance(page)).toContainText(`valid Thu 1 Jan 2026 ${hour}:00 UTC`);
    }
    await expect(time.getByRole("button", { name: "Forward one step" })).toBeDisabled();
    const kinds = await time
      .locator("[data-kind]")
      .evaluateAll((all) => all.map((each) => each.getAttribute("data-kind")));
    expect([kinds.at(0), kinds.at(-2), kinds.at(-1)]).toEqual(["unsaved", "forecast", "unsaved"]);
    await page.getByRole("application", { name: "Weather map" }).press("Enter");
    await expect(page.getByRole("region", { name: "Conditions" })).toContainText(
      "No values are saved for this place. A saved area has only what the map draws.",
    );

    await chooseInMenu(page, "Save this area");
    await expect(panel).toContainText("Offline: an area can be saved when there is a connection.");
    await list.getByRole("button", { name: "Delete Wind" }).click();
    await expect(list).toHaveCount(0);
    await goOnline(page);
    await expect(page.getByText(SAVED)).toHaveCount(0);
    await expect(panel).toContainText("over the network");
  },
);

keeping(
  "a touch of a station on the map opens its tide, which is there without a network later",
  async ({ keptPage: page }) => {
    const stations = page.waitForResponse((reply) => reply.url().includes("/tides/now?"));
    await page.goto(`${origin()}/?c=48.383,-4.5&z=9&t=${STEPS[0]}&o=tides#key=${KEY}`);
    await stations;
    await viewIsDrawn(page);
    await page.getByRole("application", { name: "Weather map" }).tap();
    await expect(page).toHaveURL(/tide=ticon/);
    await expect(page).not.toHaveURL(/[?&]p=/);
    const card = page.getByRole("region", { name: "Brest" });
    await expect(card).toContainText(/High water/);
    await isKept(page, "/");

    await page.context().setOffline(true);
    await page.reload();
    await expect(card).toContainText(/High water/);
    await expect(page.getByText(SAVED)).toBeVisible();
  },
);

keeping(
  "the tasks open without a network, and say of when the list is",
  async ({ keptPage: page }, { retry }) => {
    const name = `Kept for the passage, ${retry}`;
    await askApi(`${origin()}/MetOcean/async`, {
      points: [{ latitude: 30, longitude: -60, timestamp: STEPS[0] }],
      variables: ["wind"],
      task_name: name,
    });
    await page.goto(`${origin()}/tasks#key=${KEY}`);
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await isKept(page, "/tasks");
    await page.context().setOffline(true);
    await page.reload();
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await expect(page.getByText(SAVED)).toBeVisible();
  },
);

test("a server that accepts requests but does not answer is named, and data read before stays", async ({
  page,
}) => {
  await openMap(page, `c=30,-60&z=3&p=30,-60&t=${STEPS[0]}&o=`);
  const point = page.getByRole("region", { name: "Conditions" });
  await expect(point).toContainText(/\d kn/);
  await page.route("**/{MetOcean,2DMetOcean/**}", () => undefined);
  await page.getByRole("application", { name: "Weather map" }).click({ position: { x: 200, y: 200 } });
  const notice = page.getByRole("status").filter({ hasText: "has not answered for 8 s" });
  await expect(notice).toBeVisible({ timeout: 12_000 });
  await expect(provenance(page)).toContainText("valid Thu 1 Jan 2026 00:00 UTC");
  await notice.getByRole("button", { name: "Cancel" }).click();
  await expect(notice).toHaveCount(0);
  await expect(point).toContainText("The server did not answer.");

  // Forgetting the key deletes stored replies to it from the device.
  const saved = () =>
    page.evaluate(async () => (await caches.keys()).filter((name) => name.includes("replies")));
  await expect.poll(saved).toHaveLength(1);
  expect((await saved()).join()).not.toContain(KEY);
  await chooseInMenu(page, "API key");
  await page.getByRole("button", { name: "Forget this key" }).click();
  await expect(page.getByRole("dialog", { name: "An API key is needed" })).toBeVisible();
  await expect.poll(saved).toEqual([]);
});

keeping(
  "a page that is not kept is ours without a network too, and leads to the map",
  async ({ keptPage: page }) => {
    await page.goto(`${origin()}/?c=30,-60&z=3#key=${KEY}`);
    await isKept(page, "/");
    await page.context().setOffline(true);
    const title = page.getByRole("heading", { name: "The server could not be reached." });
    // A service worker that Chromium has to start again has the network until the emulation reaches it.
    await expect(async () => {
      await page.goto(`${origin()}/docs/get-storms`);
      await expect(title).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await page.getByRole("link", { name: "Map" }).click();
    await expect(page.getByRole("application", { name: "Weather map" })).toBeVisible();
  },
);
