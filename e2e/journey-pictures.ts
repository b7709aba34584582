/** Takes the pictures of docs/screen.md, and those that the README has of the demo. The pages must have been built, as `npm start` does. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Page } from "@playwright/test";
import type { Plan } from "#lib/contract/passage.ts";
import { planToText } from "#lib/passage/plan-link.ts";
import { browserArgs, chromiumPath } from "./browser.ts";
import { viewIsDrawn } from "./probe.ts";
import { KEY, root, startServer } from "./server.ts";
import { smallPicture } from "./small-picture.ts";

/** Largest picture, bytes. */
const MAX_BYTES = 60_000;

const plan: Plan = {
  name: "Brest to Graciosa",
  route: [
    { latitude: 48.2, longitude: -5.2, leg: "great_circle", name: "Brest" },
    { latitude: 43, longitude: -18, leg: "great_circle" },
    { latitude: 39.3, longitude: -28.6, leg: "great_circle", name: "Graciosa" },
  ],
  vessel: { kind: "fixed", speed_kt: 7 },
};
const planned = `c=43,-17&z=4.6&plan=${planToText(plan).text}`;
const verdict = (page: Page) => page.locator(".verdict-title, .panel-body div.verdict").first().waitFor();
const tide = (page: Page) => page.locator('[data-row="tide"]').waitFor({ state: "attached" });

interface Picture {
  size: readonly [width: number, height: number];
  /** Path and query. */
  at: string;
  /** Continues from there, and waits for what the picture shows. */
  ready(page: Page): Promise<unknown>;
}

const desk = [1280, 800] as const;
const atlantic = "c=22,-45&z=2.7&tab=storms";
const storms = (page: Page) =>
  page.getByRole("region", { name: "Storms" }).getByRole("listitem").first().waitFor();
const pictures: Record<string, Picture> = {
  "demo-wind": { size: desk, at: `?${atlantic}&l=wind&o=isobars,barbs,storms`, ready: storms },
  "demo-waves": { size: desk, at: `?${atlantic}&l=wave&o=barbs,storms`, ready: storms },
  point: { size: desk, at: "?c=48.4,-5.4&z=7&p=48.2,-5.1", ready: tide },
  "point-phone": {
    size: [390, 844],
    at: "?c=48.4,-5.4&z=7&p=48.2,-5.1",
    async ready(page) {
      await tide(page);
      for (let raise = 0; raise < 2; raise++)
        await page.getByRole("button", { name: "Raise the panel" }).click();
    },
  },
  storm: {
    size: desk,
    at: "?c=22,-52&z=4.4&ship=20,-55,315,8.5,2026-09-15T09:00:00Z&tab=storms",
    async ready(page) {
      await page
        .getByRole("region", { name: "Storms" })
        .getByRole("listitem")
        .first()
        .getByRole("button")
        .click();
      await verdict(page);
    },
  },
  passage: { size: desk, at: `?${planned}`, ready: verdict },
  departures: {
    size: desk,
    at: `?${planned}`,
    async ready(page) {
      await page.getByRole("tab", { name: "When to leave" }).click();
      await page.getByRole("table", { name: "Departures compared" }).waitFor({ timeout: 120_000 });
    },
  },
  models: {
    size: desk,
    at: `?${planned}`,
    async ready(page) {
      await page.getByRole("tab", { name: "When to leave" }).click();
      await page.getByRole("button", { name: /^Agreed by all/ }).click();
      await page.getByRole("table", { name: "Departures by model" }).waitFor({ timeout: 120_000 });
    },
  },
  program: {
    size: desk,
    at: "docs/post-metocean",
    async ready(page) {
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByText("200 OK").waitFor();
    },
  },
};

const out = path.join(root, "docs", "screen");
mkdirSync(out, { recursive: true });
const dataDir = mkdtempSync(path.join(tmpdir(), "metocean-pictures-"));
const server = await startServer(dataDir, "2026-09-15T12:00:00Z", "");
const browser = await chromium.launch({ executablePath: chromiumPath(), args: browserArgs() });
/** Whether the page awaits nothing and says of no reply that it is late. */
const isUndisturbed = () => !document.querySelector(".notice-bar, .skeleton");
try {
  // The first page of a server takes long, and would leave out its typeface as over a slow connection.
  await (await fetch(`${server.url}/`)).text();
  for (const [name, { size, at, ready }] of Object.entries(pictures)) {
    const [width, height] = size;
    const page = await browser.newPage({ viewport: { width, height }, reducedMotion: "reduce" });
    // The hint of a first visit is hidden.
    await page.addInitScript(() => localStorage.setItem("metocean-hint", "seen"));
    await page.goto(`${server.url}/${at}#key=${KEY}`);
    const hasMap = !at.startsWith("docs");
    if (hasMap) await viewIsDrawn(page);
    await page.keyboard.press("Shift");
    await ready(page);
    await page.waitForFunction(isUndisturbed, undefined, { timeout: 90_000 });
    await page.mouse.move(width / 3, 1);
    if (hasMap) await viewIsDrawn(page);
    const picture = await smallPicture(page, MAX_BYTES);
    await page.context().close();
    writeFileSync(path.join(out, `${name}.webp`), picture);
    process.stdout.write(`${name}.webp: ${Math.round(picture.length / 1000)} kB\n`);
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
