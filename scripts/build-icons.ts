// Writes the icons of the installed page from app/icon.svg: `node scripts/build-icons.ts`. Chromium renders them, as it
// renders the icon of a tab.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";
import { browserArgs, chromiumPath } from "#e2e/browser.ts";

const root = path.resolve(import.meta.dirname, "..");
const out = path.join(root, "public", "icons");
const svg = readFileSync(path.join(root, "app", "icon.svg"), "utf8");
const background = /fill="(#[0-9a-f]{6})"/.exec(svg)?.[1] ?? "#0b5a8f";

/**
 * Systems cut a maskable icon to a circle of four fifths of it, so its image is smaller. They round the corners of
 * other icons themselves.
 */
const icons = [
  { name: "icon-192", size: 192, scale: 1 },
  { name: "icon-512", size: 512, scale: 1 },
  { name: "maskable-512", size: 512, scale: 0.8 },
  { name: "apple-180", size: 180, scale: 0.9 },
];

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: browserArgs() });
try {
  for (const { name, size, scale } of icons) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const fills = scale < 1 ? background : "transparent";
    const edge = Math.round(size * scale);
    await page.setContent(
      `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${fills}">${svg.replace("<svg ", `<svg width="${edge}" height="${edge}" `)}`,
    );
    writeFileSync(path.join(out, `${name}.png`), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
