import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";

/** Path of the Chromium for tests. @throws Error where there is none. */
export function chromiumPath(): string {
  const found = findChromium();
  if (!found) throw new Error("No Chromium: set CHROMIUM_PATH, or run npx playwright install chromium");
  return found;
}

/**
 * Finds the Chromium of CHROMIUM_PATH, otherwise Playwright's own, Debian's, or that of the npm package
 * `@sparticuz/chromium`, which CHROMIUM_PATH=packaged requests. Undefined where none of them runs here.
 */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM_PATH === "packaged") return packagedChromium();
  const installed = [process.env.CHROMIUM_PATH, chromium.executablePath(), "/usr/bin/chromium"];
  return installed.find((file) => file && existsSync(file)) ?? packagedChromium();
}

const cache = path.resolve(import.meta.dirname, "../node_modules/.cache/chromium");

/** Unpacks the Chromium of `@sparticuz/chromium` once. It runs on Linux on x64 only; undefined elsewhere. */
export function packagedChromium(): string | undefined {
  const launcher = path.join(cache, "launch");
  if (existsSync(launcher)) return launcher;
  mkdirSync(path.dirname(cache), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  try {
    // The package unpacks into the temporary folder, which is shared and which it trusts, so it runs in a process with
    // a temporary folder of its own. AWS_LAMBDA_JS_RUNTIME makes it unpack the libraries too that minimal systems lack.
    const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "nodejs24.x" };
    execFileSync(process.execPath, [import.meta.filename, "--unpack"], { env, stdio: "ignore" });
    const script = path.join(folder, "launch");
    writeFileSync(
      script,
      `#!/bin/sh\nhere=$(dirname "$0")\nLD_LIBRARY_PATH="$here/al2023/lib" exec "$here/chromium" "$@"\n`,
    );
    chmodSync(script, 0o755);
    execFileSync(script, ["--version"], { stdio: "ignore" });
    renameSync(folder, cache);
    return launcher;
  } catch {
    // Another process may have unpacked it meanwhile.
    return existsSync(launcher) ? launcher : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Software rendering is requested explicitly, because newer versions do not fall back to it, and gives the same pixels
 * everywhere.
 */
const softwareRendering = [
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];

/**
 * Features that are turned off. Chromium 156 loads its address bar as a page of hundreds of files behind every new tab,
 * a second of processor time each, and keeps a spare renderer. Only the last `--disable-features` counts, so
 * Playwright's own entries that isolate tests from the network and from each other are repeated.
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
  "ScriptStreaming",
  "SpareRendererForSitePerProcess",
  "ThirdPartyStoragePartitioning",
];

/** Command line of Chromium. @param rendering Flags that choose the renderer. */
export function browserArgs(rendering: readonly string[] = softwareRendering): string[] {
  // Containers run as root and have a small /dev/shm.
  return [
    ...rendering,
    `--disable-features=${withoutFeatures.join(",")}`,
    "--no-sandbox",
    "--disable-dev-shm-usage",
  ];
}

// `node e2e/browser.ts --find` prints the path, or exits with 3 where there is no browser.
if (import.meta.main && process.argv[2] === "--find") {
  const found = findChromium();
  if (found) process.stdout.write(`${found}\n`);
  else process.exitCode = 3;
}

if (import.meta.main && process.argv[2] === "--unpack") {
  const { default: packaged } = await import("@sparticuz/chromium");
  await packaged.executablePath();
}
