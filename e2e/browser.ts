import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

/** Chromium to test with: the one named by CHROMIUM_PATH, Playwright's own, or Debian's. */
export function chromiumPath(): string {
  const candidates = [process.env.CHROMIUM_PATH, chromium.executablePath(), "/usr/bin/chromium"];
  const found = candidates.find((file) => file && existsSync(file));
  if (!found) throw new Error(`No Chromium: set CHROMIUM_PATH, or run npx playwright install chromium`);
  return found;
}

/** Software rendering, asked for by name: newer versions no longer fall back to it, and pixels are the same everywhere. */
export const softwareRendering = [
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];
