import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "@playwright/test";
import { browserArgs, chromiumPath } from "#e2e/browser.ts";
import type { Plan } from "#lib/contract/plan.ts";
import { planToText } from "#lib/passage/plan-link.ts";
import { MEASURED_KEY, startMeasuredServer, stopProcess } from "./measured-server.ts";
import { median } from "./median.ts";

const ROUNDS = 5;

/** Departures of "Next 5 days", every three hours. */
const DEPARTURES = 41;

/**
 * The sweep of the next five days on the page, in Chromium on the same processors: from the press of the button to the row of
 * the last departure and the chart. A fresh page each time, a warm server.
 *
 * @param archive Its folder.
 * @param now Weather clock, Unix seconds.
 */
export async function measureScreen(archive: string, now: number, plan: Plan): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-departures-screen-"));
  const server = await startMeasuredServer(folder, now, "server/main.ts", {
    ARCHIVE_URL: pathToFileURL(path.resolve(archive)).href,
    DEMO: "never",
  });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: browserArgs() });
  try {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      times.push(await sweepTime(await context.newPage(), server.url, plan));
      await context.close();
    }
    const warm = times.slice(1);
    console.log(
      `on the screen: ${DEPARTURES} departures from the press to the table, cold ${inSeconds(times[0]!)}, ` +
        `warm median ${inSeconds(median(warm))}, at most ${inSeconds(Math.max(...warm))}`,
    );
  } finally {
    await browser.close();
    await stopProcess(server.child);
    await rm(folder, { recursive: true, force: true });
  }
}

async function sweepTime(page: Page, url: string, plan: Plan): Promise<number> {
  const [{ latitude, longitude }] = plan.route as [Plan["route"][number]];
  const view = `c=${latitude},${longitude}&z=3&plan=${planToText(plan).text}`;
  await page.goto(`${url}/?${view}#key=${MEASURED_KEY}`);
  await page.getByRole("tab", { name: "When to leave" }).click();
  const press = page.getByRole("button", { name: "Next 5 days" });
  await press.waitFor();
  const began = performance.now();
  await press.click();
  const rows = page.getByRole("table", { name: "Departures compared" }).getByRole("row");
  // The first row has the names of the columns.
  await rows.nth(DEPARTURES).waitFor({ timeout: 60_000 });
  return performance.now() - began;
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
