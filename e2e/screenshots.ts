/**
 * Takes the screenshots of the README (public/docs/*.png) of the real GFS sample, through the whole service. The pages
 * must have been built, as `npm start` does.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import { browserArgs, chromiumPath } from "./browser.ts";
import { GFS_NOW, gfsSample, hasGfsSample, ingestGfsSample } from "./gfs-sample.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY, root, startServer } from "./server.ts";

/** Largest picture, bytes, because every clone downloads it. */
const MAX_BYTES = 640_000;

const pictures = [
  { name: "map", width: 1440, height: 810, view: "c=46,-28&z=2.8&p=48,-20" },
  { name: "map-phone", width: 390, height: 844, view: "c=47,-22&z=2.2&p=48,-20" },
];

if (!hasGfsSample) throw new Error(`There is no ${gfsSample}: set SAMPLES_DIR`);
const out = path.join(root, "public", "docs");
mkdirSync(out, { recursive: true });
const dataDir = mkdtempSync(path.join(tmpdir(), "metocean-pictures-"));
ingestGfsSample(dataDir);
const server = await startServer(dataDir, GFS_NOW);
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: browserArgs(),
});
try {
  // A server needs long for its first page, and the page then leaves out its typeface as it does over a slow
  // connection. One page is therefore loaded before the first picture.
  await (await fetch(`${server.url}/?${pictures[0]!.view}`)).text();
  for (const { name, width, height, view } of pictures) {
    const page = await browser.newPage({ viewport: { width, height } });
    // The hint of a first visit is hidden.
    await page.addInitScript(() => localStorage.setItem("metocean-hint", "seen"));
    await page.goto(`${server.url}/?${view}#key=${KEY}`);
    await mapIsSettled(page);
    if (width > 768)
      await page.locator('[data-field="Pressure"] [data-value]').waitFor({ state: "attached" });
    const file = path.join(out, `${name}.png`);
    await page.screenshot({ path: file });
    await page.close();
    const { size } = statSync(file);
    console.log(`${name}.png: ${Math.round(size / 1000)} kB`);
    if (size > MAX_BYTES) throw new Error(`${name}.png is larger than ${MAX_BYTES / 1000} kB`);
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
