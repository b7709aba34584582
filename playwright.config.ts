import { defineConfig } from "@playwright/test";
import { browserArgs, chromiumPath, packagedChromium } from "#e2e/browser.ts";

/** npm's Chromium has nothing around the page and takes a fifth less of the processor. A whole one runs what is tagged, too. */
const whole = chromiumPath();
const requiresBoth = process.env.REQUIRE_BROWSER === "1";
const isChosen = process.env.CHROMIUM_PATH !== undefined && !requiresBoth;
const quick = isChosen ? whole : (packagedChromium() ?? (requiresBoth ? "(none packaged)" : whole));

/**
 * WebGL is drawn by the software renderer; the page around it takes half the time without. Pages of a context share a
 * process, so that their scripts are compiled once.
 */
const args = [...browserArgs(), "--disable-gpu-compositing", "--process-per-site"];
const launchedBy = (executablePath: string) => ({ launchOptions: { executablePath, args } });

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // Each has a server of its own. A file runs on one of them, in order.
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [["list"], ["./e2e/failure-reporter.ts"]],
  forbidOnly: true,
  use: {
    actionTimeout: 30_000,
    viewport: { width: 1280, height: 720 },
    deviceScaleFactor: 1,
    // A page that was kept must not stand in for the one under test; e2e/offline.spec.ts allows them.
    serviceWorkers: "block",
    // Screenshots of every step cost as much as the steps.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "chromium", use: launchedBy(quick) },
    ...(requiresBoth && whole !== quick
      ? [{ name: "installed", grep: /@installed/, use: launchedBy(whole) }]
      : []),
  ],
});
