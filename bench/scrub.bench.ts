import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Page } from "@playwright/test";
import { browserArgs, chromiumPath } from "#e2e/browser.ts";
import { mapIsSettled } from "#e2e/probe.ts";
import { KEY, startServer } from "#e2e/server.ts";

const NOW = "2026-03-01T12:00:00Z";
const ROUNDS = 5;

/** Steps to either side of the one shown that the page reads ahead. */
const AHEAD = 3;

/**
 * The map on the demo world at 0.25°, drawn by software: how long a cold page takes from its first paint to its first
 * field, and how long the main thread is busy while one scrubs among the steps that were read ahead. The pages must have
 * been built.
 */
export async function bench(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "metocean-scrub-"));
  const server = await startServer(dataDir, NOW, "");
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: browserArgs(),
  });
  try {
    const colds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const page = await browser.newPage();
      await page.goto(`${server.url}/?c=45,-30&z=3#key=${KEY}`);
      colds.push(await firstField(page));
      await page.context().close();
    }
    console.log(
      `first paint to first field, ${ROUNDS} cold pages: ${colds.map(inMs).join(", ")} (the first: a cold server)`,
    );
    await scrub(await browser.newPage(), `${server.url}/?c=45,-30&z=3#key=${KEY}`);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const inMs = (milliseconds: number) => `${milliseconds.toFixed(0)} ms`;

/** Milliseconds from the first contentful paint to the frame after the one that the first field was drawn in. */
async function firstField(page: Page): Promise<number> {
  await page.waitForFunction(() => performance.getEntriesByName("field").length > 0);
  return page.evaluate(() => {
    const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
    return at("field") - at("first-contentful-paint");
  });
}

async function scrub(page: Page, url: string): Promise<void> {
  /** Paths of the frames that were read, without what signs them. */
  const read = new Set<string>();
  let again = 0;
  let lately = Date.now();
  page.on("request", (request) => {
    const [, frame] = request.url().split(/frames\/[^/]+\//);
    if (!frame) return;
    if (read.has(frame)) again++;
    read.add(frame);
    lately = Date.now();
  });
  await page.goto(url);
  await mapIsSettled(page);
  while (Date.now() - lately < 5000) await page.waitForTimeout(250);
  const ahead = read.size;
  again = 0;
  await page.evaluate(watchTasks);
  const slider = page.getByRole("slider", { name: "Time of the map" });
  const there = Array.from({ length: AHEAD }, () => "ArrowRight");
  const back = there.map(() => "ArrowLeft");
  for (let round = 0; round < ROUNDS; round++) {
    for (const key of [...there, ...back, ...back, ...there]) {
      await slider.press(key);
      await page.waitForTimeout(60);
    }
  }
  const { tasks, scripts } = await page.evaluate(() => (window as unknown as Watched).watched);
  console.log(
    `${ROUNDS * 4 * AHEAD} steps among those read ahead: ${again} requests of their frames, ` +
      `${read.size - ahead} of further ones in pauses; ` +
      `tasks over 50 ms: ${tasks.length} (longest ${inMs(Math.max(0, ...tasks))}), ` +
      `of our own scripts: ${scripts.filter(({ ms }) => ms > 50).length}`,
  );
  for (const { ms, what } of scripts.sort((a, b) => b.ms - a.ms).slice(0, 3))
    console.log(`  ${inMs(ms)} ${what}`);
}

interface Watched {
  watched: { tasks: number[]; scripts: { ms: number; what: string }[] };
}

/** Long tasks, and the scripts of long animation frames, as the browser reports them. */
function watchTasks(): void {
  const watched: Watched["watched"] = { tasks: [], scripts: [] };
  Object.assign(window, { watched });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.tasks.push(duration);
  }).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { scripts } = entry as PerformanceEntry & {
        scripts: { duration: number; invoker: string; sourceFunctionName: string }[];
      };
      for (const { duration, invoker, sourceFunctionName } of scripts) {
        watched.scripts.push({ ms: duration, what: `${invoker} ${sourceFunctionName}` });
      }
    }
  }).observe({ type: "long-animation-frame" });
}
