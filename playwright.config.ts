import { defineConfig } from "@playwright/test";
import { chromiumPath, softwareRendering } from "./e2e/browser.ts";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/global-setup.ts",
  outputDir: "test-results",
  // Drawing by software takes both cores.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  forbidOnly: true,
  use: {
    viewport: { width: 1280, height: 720 },
    deviceScaleFactor: 1,
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: chromiumPath(),
      // Containers run as root and have a small /dev/shm.
      args: [...softwareRendering, "--no-sandbox", "--disable-dev-shm-usage"],
    },
  },
});
