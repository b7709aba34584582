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
const softwareRendering = [
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];

/**
 * The address bar of Chromium 156 is a page of its own, loaded anew, with hundreds of files, behind every page that is
 * opened: a second of processor time each. Only the last list counts, so those of Playwright's own that keep tests apart
 * from the network and from each other are repeated.
 */
const withoutFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

/**
 * What Chromium is started with, wherever this project drives it.
 *
 * @param rendering How it draws.
 */
export function browserArgs(rendering: readonly string[] = softwareRendering): string[] {
  // Containers run as root and have a small /dev/shm.
  return [
    ...rendering,
    `--disable-features=${withoutFeatures.join(",")}`,
    "--no-sandbox",
    "--disable-dev-shm-usage",
  ];
}
