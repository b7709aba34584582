import type { Page, Route } from "@playwright/test";
import { openSlowLink } from "#bench/slow-link.ts";
import { stormsResponse } from "#lib/contract/storms.ts";
import { seeded } from "#test/seeded.ts";
import { expectAccessible } from "./accessibility.ts";
import { expect, origin, sampledPlace, test } from "./map.ts";
import { mapIsSettled, project, viewIsDrawn } from "./probe.ts";
import { KEY } from "./server.ts";
import { STEPS } from "./test-archive.ts";

const map = (page: Page) => page.getByRole("application", { name: "Weather map" });
const picture = (page: Page) => page.getByTestId("picture");

/** The file that MapLibre is, without which there is no map. */
const LIBRARY = "**/maplibre*.mjs";

/** Opens a view without using the page. */
async function openPicture(page: Page, query: string, at = origin()): Promise<void> {
  await page.goto(`${at}/?${query}#key=${KEY}`);
  await viewIsDrawn(page);
  await expect(picture(page)).toBeVisible();
}

/** Holds the map's library back until the returned function is called. */
async function holdMap(page: Page): Promise<() => Promise<void>> {
  const waiting: Route[] = [];
  let isOpen = false;
  await page.route(LIBRARY, (route) => {
    if (isOpen) return route.continue();
    waiting.push(route);
    return undefined;
  });
  return async () => {
    isOpen = true;
    await Promise.all(waiting.map((route) => route.continue()));
  };
}

type Pixel = readonly [x: number, y: number];

/** Random pixels of a rectangle. */
function placesOf(count: number, { x, y }: { x: number; y: number }, width: number, height: number): Pixel[] {
  const random = seeded(7);
  return Array.from({ length: count }, () => [
    Math.floor(x + random() * width),
    Math.floor(y + random() * height),
  ]);
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** How much pixels of two screenshots differ, in the channel in which they differ most. */
function differences(page: Page, one: Buffer, other: Buffer, places: readonly Pixel[]): Promise<number[]> {
  return page.evaluate(
    async ([one, other, places]) => {
      const pixelsOf = async (base64: string) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
        pen.drawImage(bitmap, 0, 0);
        return (x: number, y: number) => pen.getImageData(x, y, 1, 1).data;
      };
      const [before, after] = [await pixelsOf(one), await pixelsOf(other)];
      return places.map(([x, y]) => {
        const [a, b] = [before(x, y), after(x, y)];
        return Math.max(...[0, 1, 2].map((channel) => Math.abs(a[channel]! - b[channel]!)));
      });
    },
    [one.toString("base64"), other.toString("base64"), places] as const,
  );
}

for (const [width, height, limit] of [
  [1440, 900, 700_000],
  [390, 844, 500_000],
] as const) {
  test(`the first view at ${width} pixels costs no more than it may, and the map comes with its use`, {
    tag: "@packaged",
  }, async ({ browser, demo }) => {
    const link = await openSlowLink(demo.url);
    const page = await browser.newPage({ viewport: { width, height }, serviceWorkers: "block" });
    await openPicture(page, "c=45,-30&z=3&p=45,-30", link.url);
    await page.waitForTimeout(3000);
    const sum = (of: readonly { bytes: number }[]) => of.reduce((bytes, one) => bytes + one.bytes, 0);
    const frames = link.transfers.filter(({ path }) => path.includes("frames/"));
    expect(frames.map(({ path }) => path.split("/").slice(-2).join("/"))).toEqual(["4/all"]);
    expect(link.transfers.filter(({ path }) => path.includes("maplibre"))).toEqual([]);
    expect(sum(link.transfers)).toBeLessThan(limit);
    expect(sum(link.transfers.filter(({ type }) => type.includes("javascript")))).toBeLessThan(450_000);
    // What draws the map is larger than all scripts before it.
    const before = sum(link.transfers);
    await page.mouse.move(width / 2, height / 2);
    await expect(page.locator(".maplibregl-canvas")).toBeVisible({ timeout: 60_000 });
    await expect(picture(page)).toHaveCount(0, { timeout: 60_000 });
    expect(sum(link.transfers) - before).toBeGreaterThan(300_000);
    await page.context().close();
    await link.close();
  });
}

for (const { query, what } of [
  { query: "l=wind&th=light", what: "wind by day" },
  { query: "l=wind&th=night", what: "wind at night" },
  { query: "l=gust&th=dusk&c=10,-175&z=2.4", what: "a field that ends, over the depth" },
  { query: "l=none&th=light", what: "the plain map" },
]) {
  test(`the picture has the colours of the map: ${what}`, async ({ page }) => {
    // The same coarse frames before and after.
    await page.addInitScript(() => localStorage.setItem("metocean-data-use", "light"));
    await openPicture(page, `c=38,-40&z=2.6&o=&t=${STEPS[1]}&${query}`);
    const { x, y, width, height } = (await picture(page).boundingBox())!;
    const clip = { x, y, width, height };
    const pictured = await page.screenshot({ clip });
    await mapIsSettled(page);
    await expect(picture(page)).toHaveCount(0);
    const mapped = await page.screenshot({ clip });
    const changes = await differences(page, pictured, mapped, placesOf(600, { x: 0, y: 0 }, width, height));
    // Edges of land and of fields are smoothed in other ways.
    expect(changes.filter((change) => change > 6).length).toBeLessThan(12);
    expect(meanOf(changes)).toBeLessThan(2);
  });
}

test("the picture is drawn in memory: no canvas of a graphics processor is drawn on it", async ({
  page,
  demo,
}) => {
  // Where one is, Chromium moves the picture there too: see docs/decisions/0179-a-picture-is-drawn-in-memory.md.
  await page.addInitScript(() => {
    const sources: unknown[] = [];
    Object.assign(window, { sources });
    const pen = CanvasRenderingContext2D.prototype;
    const { drawImage, createPattern } = pen;
    const note = (source: unknown) =>
      sources.push(
        source instanceof HTMLCanvasElement &&
          source.getContext("2d")?.getContextAttributes().willReadFrequently,
      );
    pen.drawImage = function (...given: unknown[]) {
      if (this.canvas.dataset.testid === "picture") note(given[0]);
      return Reflect.apply(drawImage, this, given);
    };
    pen.createPattern = function (...given) {
      if (this.canvas.dataset.testid === "picture") note(given[0]);
      return createPattern.apply(this, given);
    };
  });
  await openPicture(page, "c=20,-45&z=2&l=wind&o=storms,names,graticule", demo.url);
  const drawn = await picture(page).evaluate((canvas: HTMLCanvasElement) => ({
    itself: canvas.getContext("2d")!.getContextAttributes().willReadFrequently,
    sources: (window as unknown as { sources: unknown[] }).sources,
  }));
  expect(drawn.itself).toBe(true);
  // The field and the storms.
  expect(drawn.sources.length).toBeGreaterThan(2);
  expect(new Set(drawn.sources)).toEqual(new Set([true]));
});

test("a click before the map is there samples that place, and a drag, a wheel and keys move the view on", {
  tag: "@packaged",
}, async ({ page }) => {
  const release = await holdMap(page);
  const centre = { latitude: 40, longitude: -40, zoom: 3 };
  await openPicture(page, `c=40,-40&z=3&o=&t=${STEPS[0]}`);
  const { width, height } = (await map(page).boundingBox())!;
  const wanted = { latitude: 44, longitude: -47 };
  const position = project(wanted.latitude, wanted.longitude, centre, { width, height });
  await map(page).click({ position });
  const [latitude, longitude] = await sampledPlace(page);
  expect(latitude).toBeCloseTo(wanted.latitude, 0);
  expect(longitude).toBeCloseTo(wanted.longitude, 0);
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");

  const box = (await map(page).boundingBox())!;
  await page.mouse.move(box.x + 500, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 300, { steps: 4 });
  await page.mouse.up();
  // 100 of 4,096 pixels.
  await expect(page).toHaveURL(/c=40,-31\.21/);
  await page.mouse.move(box.x + width / 2, box.y + height / 2);
  await page.mouse.wheel(0, -450);
  await expect(page).toHaveURL(/[?&]z=4/);
  await map(page).press("ArrowRight");
  await expect(page).toHaveURL(/c=40,-26\.8/);
  // A key of the page, not of the map.
  await page.keyboard.press("]");
  await expect(page).toHaveURL(new RegExp(`t=${STEPS[1]}`));
  await expect(picture(page)).toBeFocused();

  const view = page.url();
  await release();
  await expect(page.locator(".maplibregl-canvas")).toBeVisible();
  await expect(picture(page)).toHaveCount(0, { timeout: 60_000 });
  await expect(page.locator(".maplibregl-canvas")).toBeFocused();
  expect(page.url()).toBe(view);
  await page.keyboard.press("[");
  await expect(page).toHaveURL(new RegExp(`t=${STEPS[0]}`));
});

test("where the map cannot come, the picture shows both sides of a comparison, each with its own field", {
  tag: "@packaged",
}, async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("metocean-data-use", "light"));
  const view = "c=20,-150&z=2&o=";
  await openPicture(page, `${view}&t=${STEPS[0]}`);
  const { x, y, width, height } = (await picture(page).boundingBox())!;
  const clip = { x, y, width, height };
  const a = await page.screenshot({ clip });
  await openPicture(page, `${view}&t=${STEPS[2]}`);
  const b = await page.screenshot({ clip });
  await page.route(LIBRARY, (route) => route.abort());
  await openPicture(page, `${view}&t=${STEPS[0]}&cmp=wind.6`);
  await expect(page.getByTestId("side-b")).toContainText("Thu 1 Jan 06:00 UTC");
  await viewIsDrawn(page);
  const both = await page.screenshot({ clip });
  const placesIn = (from: number, to: number) =>
    placesOf(400, { x: from * width, y: 0.4 * height }, (to - from) * width, 0.25 * height);
  const left = placesIn(0.05, 0.45);
  const right = placesIn(0.55, 0.95);
  expect(meanOf(await differences(page, both, a, left))).toBeLessThan(1);
  expect(meanOf(await differences(page, both, b, right))).toBeLessThan(1);
  expect(meanOf(await differences(page, both, a, right))).toBeGreaterThan(5);
  await page.unroute(LIBRARY);
});

test("a press that lasts until the map is drawn is still a click", async ({ page }) => {
  await openPicture(page, `c=40,-40&z=3&o=&t=${STEPS[0]}`);
  const box = (await map(page).boundingBox())!;
  await page.mouse.move(box.x + 400, box.y + 200);
  await page.mouse.down();
  await page.waitForSelector('[data-testid="map"][data-idle="true"]', { state: "attached", timeout: 60_000 });
  await page.waitForTimeout(4000);
  await expect(picture(page)).toHaveCount(1);
  await page.mouse.up();
  await sampledPlace(page);
  await expect(picture(page)).toHaveCount(0, { timeout: 60_000 });
});

test("the picture has the words of the map, no axe violations, and keeps still", async ({ page, demo }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPicture(page, "c=30,-60&z=3&p=30,-60", demo.url);
  await expect(page.getByTestId("view-words")).toContainText("Centre 30°00.0′N 060°00.0′W. Wind speed");
  await expect(page.getByRole("contentinfo")).toContainText("valid Tue 15 Sep 2026 12:00 UTC");
  await expectAccessible(page, "the picture");
  await page.setViewportSize({ width: 390, height: 844 });
  await viewIsDrawn(page);
  await expectAccessible(page, "the picture");
  await expect(picture(page)).toHaveCount(1);
  await page.emulateMedia({ reducedMotion: null });
});

test("a storm is on the picture, and its symbol opens its card", async ({ page, demo }) => {
  const release = await holdMap(page);
  await openPicture(page, "c=20,-50&z=3", demo.url);
  const reply = await page.request.get(`${demo.url}/storms?provider=jtwc`, { headers: { "x-api-key": KEY } });
  const { results } = stormsResponse.parse(await reply.json());
  const { width, height } = (await map(page).boundingBox())!;
  const seen = results
    .map(({ tracks }) => tracks.observed.at(-1)!)
    .map(({ lat, lon }) => project(lat, lon, { latitude: 20, longitude: -50, zoom: 3 }, { width, height }))
    .find(({ x, y }) => x > 50 && y > 150 && x < width - 50 && y < height - 150);
  expect(seen).toBeDefined();
  await map(page).click({ position: seen! });
  await expect(page).toHaveURL(/storm=/);
  await release();
  await mapIsSettled(page);
});

test("a picture is printed", async ({ page }) => {
  await openPicture(page, `c=30,-60&z=3&p=30,-60&t=${STEPS[0]}`);
  const painted = await page.evaluate(() => {
    window.dispatchEvent(new Event("beforeprint"));
    const canvas = document.querySelector<HTMLCanvasElement>(".print-map")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set<number>();
    for (let at = 0; at < data.length; at += 400)
      colours.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
    window.dispatchEvent(new Event("afterprint"));
    return colours.size;
  });
  expect(painted).toBeGreaterThan(50);
});
