import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { browserArgs, chromiumPath } from "#e2e/browser.ts";
import { DEMO_NOW } from "#e2e/map.ts";
import { rendererOf, viewIsDrawn } from "#e2e/probe.ts";
import { KEY, startServer } from "#e2e/server.ts";
import { median } from "./median.ts";
import { type LinkSpeed, openSlowLink, type SlowLink, type Transfer } from "./slow-link.ts";
import { bytesOf, transfersOfVisit, VIEW } from "./visit-bytes.ts";

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const links: Record<string, LinkSpeed> = {
  "as it is": { roundTripMs: 0 },
  "1.6 Mbit/s, 150 ms": { bitsPerSecond: 1.6e6, roundTripMs: 150 },
  "400 kbit/s, 400 ms": { bitsPerSecond: 4e5, roundTripMs: 400 },
};

const ROUNDS = 3;

/** Milliseconds between the presses of a visit: a quick hand, and one that presses while something is read ahead. */
const PACES = [500, 1200];

/** How long a visit is left alone before somebody steps, milliseconds. */
const QUIET_MS = 4000;

/**
 * What the first visit of the map costs: bytes by kind, the metrics of the page, and how long one waits for the first
 * number. The demo world at 0.25°, a fresh browser context each time; the pages must have been built.
 */
export async function bench(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "metocean-first-view-"));
  const server = await startServer(dataDir, DEMO_NOW, "");
  const link = await openSlowLink(server.url);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: browserArgs() });
  try {
    // The first visit of all has the frames made, those of the steps too: the server computes on the same processors.
    await visit(browser, link, sizes[0]!, async (page) => {
      await viewIsDrawn(page);
      await interaction(page, 1200);
    });
    for (const size of sizes) {
      console.log(await transferOf(browser, server.url, size));
      console.log(`  ${await inpByPace(browser, link, size)}`);
    }
    for (const [name, speed] of Object.entries(links)) {
      link.speed = speed;
      const numbers: number[] = [];
      for (let round = 0; round < ROUNDS; round++)
        numbers.push(await visit(browser, link, sizes[1]!, firstNumber));
      console.log(
        `first number at 390, ${name}: ${inSeconds(median(numbers))} (${numbers.map(inSeconds).join(", ")})`,
      );
    }
  } finally {
    await browser.close();
    await link.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Size = (typeof sizes)[number];

/** Opens the view in a fresh context. */
async function visit<T>(
  browser: Browser,
  link: SlowLink,
  viewport: Size,
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  return inFreshContext(browser, viewport, async (page) => {
    // The times are the page's own, and count from here.
    await page.goto(`${link.url}/?${VIEW}#key=${KEY}`, { waitUntil: "commit" });
    return measure(page);
  });
}

async function inFreshContext<T>(
  browser: Browser,
  viewport: Size,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    await page.addInitScript(observe);
    return await use(page);
  } finally {
    await context.close();
  }
}

async function transferOf(browser: Browser, server: string, size: Size): Promise<string> {
  // A link of its own: replies to the visit before may still come.
  const link = await openSlowLink(server);
  const text = await inFreshContext(browser, size, async (page) => {
    const first = await transfersOfVisit(page, link);
    const lines = [`first view at ${size.width}: ${inKb(bytesOf(first))} in all`];
    for (const [kind, bytes] of byKind(first)) lines.push(`  ${kind}: ${inKb(bytes)}`);
    // Somebody steps, and it is complete: what moves then counts too.
    await interaction(page, PACES[0]!);
    const { lcp, cls } = await page.evaluate(() => (window as unknown as Observed).observed);
    lines.push(`  LCP ${inSeconds(lcp)}, CLS ${cls.toFixed(3)}`);
    await page.goto("about:blank");
    lines.push(`  a later visit: ${inKb(bytesOf(await transfersOfVisit(page, link)))}`);
    return lines.join("\n");
  });
  await link.close();
  return text;
}

/** Milliseconds from the start of the navigation until the wind at the point is on the screen. */
async function firstNumber(page: Page): Promise<number> {
  const at = await page.waitForFunction(
    () => (window as unknown as Observed).observed.firstNumber,
    undefined,
    {
      timeout: 120_000,
    },
  );
  return (await at.jsonValue()) as number;
}

async function inpByPace(browser: Browser, link: SlowLink, size: Size): Promise<string> {
  const found: string[] = [];
  let renderer = "";
  for (const pace of PACES) {
    const inp = await visit(browser, link, size, async (page) => {
      await viewIsDrawn(page);
      renderer = await rendererOf(page);
      await page.waitForTimeout(QUIET_MS);
      return interaction(page, pace);
    });
    found.push(`${Math.round(inp)} ms with a press every ${inSeconds(pace)}`);
  }
  return `INP (${renderer}), one visit each: ${found.join(", ")}`;
}

/** The slowest of some interactions, milliseconds: with so few, that is INP. */
async function interaction(page: Page, pace: number): Promise<number> {
  for (let round = 0; round < 3; round++) {
    for (const name of ["Forward one step", "Back one step"]) {
      await page.getByRole("button", { name }).click();
      await page.waitForTimeout(pace);
    }
  }
  return page.evaluate(() => (window as unknown as Observed).observed.inp);
}

function byKind(transfers: readonly Transfer[]): [string, number][] {
  const kinds = new Map<string, number>();
  for (const transfer of transfers) {
    const kind = kindOf(transfer);
    kinds.set(kind, (kinds.get(kind) ?? 0) + transfer.bytes);
  }
  return [...kinds].sort(([, one], [, other]) => other - one);
}

function kindOf({ path: name, type }: Transfer): string {
  if (/frames\//.test(name))
    return `frames of ${/frames\/(?:[^/]+\/){2,3}?(wind|bathy|pressure|wave|[a-z_]+)\/\d{4}/.exec(name)?.[1] ?? "a field"}`;
  if (name.startsWith("/basemap/")) return "coast and names";
  if (type.includes("javascript")) return "script";
  if (type.includes("css")) return "styles";
  if (type.includes("font")) return "fonts";
  if (type.includes("html")) return "page";
  return "answers of the API";
}

interface Observed {
  observed: { lcp: number; cls: number; inp: number; firstNumber?: number };
}

/** Runs in the page before its own scripts. */
function observe(): void {
  const observed: Observed["observed"] = { lcp: 0, cls: 0, inp: 0 };
  Object.assign(window, { observed });
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  watch("largest-contentful-paint", ({ startTime }) => {
    observed.lcp = startTime;
  });
  watch("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) observed.cls += value;
  });
  watch("event", (entry) => {
    if ((entry as PerformanceEntry & { interactionId: number }).interactionId)
      observed.inp = Math.max(observed.inp, entry.duration);
  });
  new MutationObserver((_changes, observer) => {
    const details = document.querySelector('aside[aria-label="Details"]');
    if (!/\d ?kn\b|\bG\d/.test(details?.textContent ?? "")) return;
    observed.firstNumber = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

const inKb = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
const inSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
