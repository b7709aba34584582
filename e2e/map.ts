import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { stormOutlooks } from "@open-metocean/storms/schema";
import { type Browser, type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { stormsResponse } from "#lib/contract/storms.ts";
import { mapIsSettled, twoFrames } from "./probe.ts";
import { askApi, KEY, type RunningServer, root, startServer } from "./server.ts";
import { NOW, writeTestArchive } from "./test-archive.ts";

let archiveUrl = "";

/** Origin of the server with the test archive. Each worker has its own. */
export const origin = (): string => archiveUrl;

/** Weather clock of the demo. */
export const DEMO_NOW = "2026-09-15T12:00:00Z";

/** Conditions of POST /MetOcean for places at one time. */
export async function postPoints(
  places: readonly { latitude: number; longitude: number }[],
  timestamp: string,
  variables: readonly string[] = ["wind"],
  at = origin(),
): Promise<Record<string, number | null>[]> {
  const points = places.map(({ latitude, longitude }) => ({ latitude, longitude, timestamp }));
  const { result } = (await askApi(`${at}/MetOcean`, { points, variables })) as {
    result: { results: { conditions: Record<string, number | null> }[] };
  };
  return result.results.map(({ conditions }) => conditions);
}

export const stormsOf = async ({ url }: RunningServer, provider: "jtwc" | "jma" = "jtwc") =>
  stormsResponse.parse(await askApi(`${url}/storms?provider=${provider}`)).results;

export const areasOf = async ({ url }: RunningServer) =>
  stormOutlooks
    .parse(await askApi(`${url}/storms/outlooks?provider=jtwc`))
    .results.flatMap(({ areas }) => areas);

/** Opens the map with the key in the fragment and waits until its finest field is drawn. */
export async function openMap(page: Page, query: string, at = origin()): Promise<void> {
  await page.goto(`${at}/?${query}#key=${KEY}`);
  await mapIsSettled(page);
}

/**
 * Opens the map without waiting for its field, for tests of the page around it, which is ready a second or two earlier.
 */
export async function openPage(page: Page, query: string, at = origin()): Promise<void> {
  await page.goto(`${at}/?${query}#key=${KEY}`);
  await pageIsHydrated(page);
}

/** Shows another view on an open map by its link, as Back and Forward do: without loading the page again. */
export async function showView(page: Page, query: string): Promise<void> {
  await page.evaluate((search) => {
    history.pushState(null, "", search);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `?${query}`);
  await twoFrames(page);
  await mapIsSettled(page);
}

/** Waits until the map page is hydrated and its buttons work. */
export async function pageIsHydrated(page: Page): Promise<void> {
  await expect(page.getByRole("application", { name: "Weather map" })).toBeVisible();
}

/** Presses an item of the menu of the map, or expands a part of it. */
export async function chooseInMenu(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.locator(".site-menu").getByText(item, { exact: true }).click();
}

export async function chooseLayer(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Layer: / }).click();
  await page.locator(".menu.sheet").getByRole("button", { name, exact: true }).click();
}

/** The button of the legend, which opens the units and the meaning of the symbols. */
export const legendButton = (page: Page) =>
  page.getByRole("button", { name: /: units and symbols$/ }).first();

/** The origin of the map's data, behind the note that it is not for navigation. */
export const provenance = (page: Page) => page.locator("main .provenance").first();

/** The slider of the time bar, whose value states the time of the map. */
export const timeSlider = (page: Page) => page.getByRole("slider", { name: "Time of the map", exact: true });

/** The sampled place in the URL, which is updated shortly after the panel is filled. */
export async function sampledPlace(page: Page): Promise<[latitude: number, longitude: number]> {
  await expect(page).toHaveURL(/[?&]p=/);
  const [latitude = Number.NaN, longitude = Number.NaN] = new URL(page.url()).searchParams
    .get("p")!
    .split(",")
    .map(Number);
  return [latitude, longitude];
}

interface TestOptions {
  /**
   * Whether the map has a quarter of the pixels per side and nothing is drawn on them. Tests that read pixels of the map
   * turn it off, or call `drawOnScreen`. See `drawCoarsely`.
   */
  coarseMap: boolean;
}

interface WorkerFixtures {
  /** The server behind `origin()`. */
  archive: undefined;
  /** One browser context for all tests, because loading and compiling the page again costs more than most of them. */
  sharedContext: BrowserContext;
  /** A server without an archive, which serves the demo and its storms. */
  demo: RunningServer;
}

/**
 * Gives the map few pixels and draws nothing on the screen, because drawing in software takes more than half of the
 * processor time of a page.
 *
 * Each draw is still issued, but without vertices, so that WebGL checks its state and reports errors. What deck.gl draws
 * into a framebuffer, to find the object under the pointer, is drawn.
 */
export async function drawCoarsely(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(window, "devicePixelRatio", { get: () => 0.25 });
    const context = WebGL2RenderingContext.prototype;
    const drawn = (gl: WebGL2RenderingContext, count: number) => {
      if (Reflect.has(window, "drawsOnScreen")) return count;
      const isParticles = gl.canvas instanceof HTMLCanvasElement && gl.canvas.dataset.testid === "particles";
      return isParticles || gl.getParameter(gl.FRAMEBUFFER_BINDING) === null ? 0 : count;
    };
    const { drawArrays, drawElements, drawArraysInstanced, drawElementsInstanced } = context;
    context.drawArrays = function (mode, first, count) {
      drawArrays.call(this, mode, first, drawn(this, count));
    };
    context.drawElements = function (mode, count, ...rest) {
      drawElements.call(this, mode, drawn(this, count), ...rest);
    };
    context.drawArraysInstanced = function (mode, first, count, instances) {
      drawArraysInstanced.call(this, mode, first, drawn(this, count), instances);
    };
    context.drawElementsInstanced = function (mode, count, ...rest) {
      drawElementsInstanced.call(this, mode, drawn(this, count), ...rest);
    };
  });
}

/** Draws the map of a coarse page on the screen after all, for a test that reads its pixels; before it is opened. */
export async function drawOnScreen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.set(window, "drawsOnScreen", true);
  });
}

/** A page whose browser requests a language. */
export async function pageIn(
  browser: Browser,
  locale: string,
  viewport = { width: 1440, height: 900 },
): Promise<Page> {
  const context = await browser.newContext({ locale, viewport, serviceWorkers: "block" });
  const page = await context.newPage();
  await drawCoarsely(page);
  return page;
}

/** Runs a server with the test archive or the demo, in a data folder of its own, for as long as it is used. */
async function usingServer(
  name: string,
  now: string,
  demo: "never" | "",
  use: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), `metocean-e2e-${name}-`));
  if (demo === "never") await writeTestArchive(dataDir);
  const server = await startServer(dataDir, now, demo);
  await use(server);
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

export const test = base.extend<TestOptions & { quietPage: Page }, WorkerFixtures>({
  coarseMap: [true, { option: true }],
  archive: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright derives dependencies from the pattern
    async ({}, use) => {
      if (!existsSync(path.join(root, ".next", "BUILD_ID")))
        throw new Error("Build the pages first: node scripts/setup.mjs --build");
      await usingServer("archive", NOW, "never", async ({ url }) => {
        archiveUrl = url;
        await use(undefined);
      });
    },
    { scope: "worker", auto: true, timeout: 120_000 },
  ],
  sharedContext: [
    async ({ browser, archive: _ }, use) => {
      const context = await browser.newContext({ serviceWorkers: "block" });
      // The renderer process, with its compiled code, ends with its last page, so one page stays open.
      await (await context.newPage()).goto(`${origin()}/healthz`);
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright derives dependencies from the pattern
    async ({}, use) => {
      await usingServer("demo", DEMO_NOW, "", use);
    },
    { scope: "worker", timeout: 120_000 },
  ],

  /** A page as on a first visit: cookies and storage are cleared after each test. */
  page: async ({ sharedContext, viewport, coarseMap }, use) => {
    const page = await sharedContext.newPage();
    if (coarseMap) await drawCoarsely(page);
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    await closePage(page);
  },

  /** A page that must log no error, violate no content security policy and send no request to another host. */
  quietPage: async ({ page }, use) => {
    const problems: string[] = [];
    let host = "";
    page.on("console", (message) => {
      // The contract answers 503 for a provider whose storms were never read, and browsers log every 503.
      if (message.location().url.includes("/storms?") && message.text().includes("503")) return;
      // The browser logs requests of a journey that goes offline.
      if (message.text().includes("ERR_INTERNET_DISCONNECTED")) return;
      // The shared context causes this message.
      if (message.text().startsWith("Service Worker registration blocked")) return;
      // The page is composed without the graphics processor, so a large map is read back for it.
      if (message.text().includes("GPU stall due to ReadPixels")) return;
      if (["error", "warning"].includes(message.type()))
        problems.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (request.isNavigationRequest()) host = url.origin;
      if (!["blob:", "data:"].includes(url.protocol) && url.origin !== host) problems.push(request.url());
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        queueMicrotask(() => {
          throw new Error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
        });
      });
    });
    await use(page);
    expect(problems).toEqual([]);
  },
});

/** Closes a page of the shared context and clears its cookies and storage. */
async function closePage(page: Page): Promise<void> {
  // A reply that a test replaces may still be on its way.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().setOffline(false);
  await page.context().clearCookies();
  if (page.url().startsWith("http")) {
    await page.evaluate(async () => {
      localStorage.clear();
      for (const name of await caches.keys()) await caches.delete(name);
    });
  }
  await page.close();
}

interface SharedMap {
  page(): Page;
  /** Shows a view and waits until its finest field is drawn. The page is loaded only if it is not at this server. */
  show(query: string, at?: string): Promise<void>;
}

/**
 * A page that the tests of a file use in turn, because every map that is opened compiles its shaders again. Each test
 * begins with `show`, so that it also runs alone.
 *
 * @param isCoarse See `coarseMap`.
 */
export function sharedMap(viewport: { width: number; height: number }, isCoarse = true): SharedMap {
  let page: Page;
  test.beforeAll(async ({ sharedContext }) => {
    page = await sharedContext.newPage();
    if (isCoarse) await drawCoarsely(page);
    // The map then moves to a view at once.
    await page.emulateMedia({ reducedMotion: "reduce" });
  });
  test.beforeEach(() => page.setViewportSize(viewport));
  test.afterEach(() => page.unrouteAll({ behavior: "wait" }));
  test.afterAll(() => closePage(page));
  return {
    page: () => page,
    show: (query, at = origin()) =>
      page.url().startsWith(`${at}/?`) ? showView(page, query) : openMap(page, query, at),
  };
}

export { expect };
