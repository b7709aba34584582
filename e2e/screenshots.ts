/**
 * Takes the picture of the README (public/docs/map.webp) of the real GFS sample, through the whole service. The pages
 * must have been built, as `npm start` does.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import { browserArgs, chromiumPath } from "./browser.ts";
import { GFS_NOW, gfsSample, hasGfsSample, ingestGfsSample } from "./gfs-sample.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY, root, startServer } from "./server.ts";
import { smallPicture } from "./small-picture.ts";

/** Largest picture, bytes. */
const MAX_BYTES = 200_000;

const view = "c=46,-28&z=2.8&p=48,-20";

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
  // connection. One page is therefore loaded before the picture.
  await (await fetch(`${server.url}/?${view}`)).text();
  const page = await browser.newPage({ viewport: { width: 1440, height: 810 } });
  // The hint of a first visit is hidden.
  await page.addInitScript(() => localStorage.setItem("metocean-hint", "seen"));
  await page.goto(`${server.url}/?${view}#key=${KEY}`);
  await mapIsSettled(page);
  await page.locator('[data-field="Pressure"] [data-value]').waitFor({ state: "attached" });
  const picture = await smallPicture(page, MAX_BYTES);
  writeFileSync(path.join(out, "map.webp"), picture);
  process.stdout.write(`map.webp: ${Math.round(picture.length / 1000)} kB\n`);
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
