import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { mapIsSettled } from "./probe.ts";
import { KEY, type RunningServer, startServer } from "./server.ts";

/** Origin of the server under test. */
export const origin = (): string => process.env.E2E_URL ?? "";

/** Weather clock of the demo world. */
export const DEMO_NOW = "2026-09-15T12:00:00Z";

/** Conditions as POST /MetOcean answers them for places at one time. */
export async function postPoints(
  places: readonly { latitude: number; longitude: number }[],
  timestamp: string,
  variables: readonly string[] = ["wind"],
): Promise<Record<string, number | null>[]> {
  const reply = await fetch(`${origin()}/MetOcean`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: JSON.stringify({
      points: places.map(({ latitude, longitude }) => ({ latitude, longitude, timestamp })),
      variables,
    }),
  });
  const { result } = (await reply.json()) as {
    result: { results: { conditions: Record<string, number | null> }[] };
  };
  return result.results.map(({ conditions }) => conditions);
}

/** Opens the map with the key in the fragment and waits until the finest field is drawn. */
export async function openMap(page: Page, query: string, at = origin()): Promise<void> {
  await page.goto(`${at}/?${query}#key=${KEY}`);
  await mapIsSettled(page);
}

/** Waits until buttons of the map page do something: the server sends them before its scripts have run. */
export async function pageIsAlive(page: Page): Promise<void> {
  await expect(page.getByRole("application", { name: "Weather map" })).toBeVisible();
}

/** The place of the point panel, as the link has it, which is written a moment after the panel is filled. */
export async function sampledPlace(page: Page): Promise<[latitude: number, longitude: number]> {
  await expect(page).toHaveURL(/[?&]p=/);
  const [latitude = Number.NaN, longitude = Number.NaN] = new URL(page.url()).searchParams
    .get("p")!
    .split(",")
    .map(Number);
  return [latitude, longitude];
}

interface Kept {
  /** One browser for all tests: reading and compiling the page anew costs more than most of them. */
  kept: BrowserContext;
  /** A service as a newcomer meets it: without an archive, with the demo world and its storms. */
  demo: RunningServer;
}

export const test = base.extend<{ quietPage: Page }, Kept>({
  kept: [
    async ({ browser }, use) => {
      const kept = await browser.newContext();
      await use(kept);
      await kept.close();
    },
    { scope: "worker" },
  ],
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what is needed from the pattern
    async ({}, use) => {
      const dataDir = mkdtempSync(path.join(tmpdir(), "metocean-e2e-demo-"));
      const server = await startServer(dataDir, DEMO_NOW, "");
      await use(server);
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],

  /** As of somebody who was never here: what a test leaves in the browser is taken away. */
  page: async ({ kept, viewport }, use) => {
    const page = await kept.newPage();
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    await kept.setOffline(false);
    await kept.clearCookies();
    if (page.url().startsWith("http")) await page.evaluate(() => localStorage.clear());
    await page.close();
  },

  /** A page that must log no error, break no policy and ask no other host for anything. */
  quietPage: async ({ page }, use) => {
    const noise: string[] = [];
    // Of the server that the page came from.
    let host = "";
    page.on("console", (message) => {
      // A provider whose storms were never read answers 503, as the contract says; browsers note every 503.
      if (message.location().url.includes("/storms?") && message.text().includes("503")) return;
      if (["error", "warning"].includes(message.type())) noise.push(message.text());
    });
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (request.isNavigationRequest()) host = url.origin;
      if (!["blob:", "data:"].includes(url.protocol) && url.origin !== host) noise.push(request.url());
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        queueMicrotask(() => {
          throw new Error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
        });
      });
    });
    await use(page);
    expect(noise).toEqual([]);
  },
});

export { expect };
