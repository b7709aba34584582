import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { stormsResponse } from "#lib/contract/storms.ts";
import { formatInstant } from "#lib/time.ts";
import { rules } from "./accessibility.ts";
import { origin } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY, type RunningServer, startServer } from "./server.ts";

const NOW = "2026-09-15T12:00:00Z";

let server: RunningServer;
let dataDir: string;

test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "metocean-e2e-storms-"));
  server = await startServer(dataDir, NOW, "");
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What the service itself answers. */
async function storms(provider: "jtwc" | "jma") {
  const reply = await fetch(`${server.url}/storms?provider=${provider}`, { headers: { "x-api-key": KEY } });
  return stormsResponse.parse(await reply.json()).results;
}

const ids = (page: Page) =>
  page
    .getByRole("region", { name: "Storms" })
    .getByRole("listitem")
    .evaluateAll((rows) => rows.map((row) => /[A-Z]{2}\d{6}/.exec(row.textContent)?.[0]));

async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

test("the storm watch lists what the service answers, opens a storm by keyboard, and its link holds the view", async ({
  page,
}) => {
  const [jtwc, jma] = [await storms("jtwc"), await storms("jma")];
  const named = jtwc.find(({ is_invest, tracks }) => !is_invest && tracks.forecast)!;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${server.url}/?z=4&o=storms#key=${KEY}`);
  await page.getByRole("tab", { name: `Storms (${jtwc.length})` }).click();
  await expect.poll(() => ids(page)).toEqual(jtwc.map(({ id }) => id));
  await page.getByRole("checkbox", { name: "Areas of interest too" }).press("Space");
  await expect.poll(() => ids(page)).toEqual(jtwc.filter((one) => !one.is_invest).map(({ id }) => id));
  await page.getByRole("button", { name: "JMA" }).press("Enter");
  await expect.poll(() => ids(page)).toEqual(jma.filter((one) => !one.is_invest).map(({ id }) => id));
  await page.getByRole("button", { name: "JTWC and NHC" }).press("Enter");

  await page.getByRole("button", { name: named.id }).press("Enter");
  const card = page.getByRole("region", { name: `Storm ${named.name}` });
  await expect(card).toContainText(`${named.tracks.observed.at(-1)!.vmax_kt} kt (1-minute mean)`);
  await expect(card.getByRole("row")).toHaveCount(named.tracks.forecast!.points.length + 1);
  await card.getByRole("button", { name: "100-200-300" }).press("Enter");
  await expect(page).toHaveURL(
    new RegExp(`storm=${named.id}.*danger=classic|danger=classic.*storm=${named.id}`),
  );
  await expectNoViolations(page);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole("button", { name: "Raise the panel" }).press("Enter");
  await expect(card.getByRole("button", { name: "100-200-300" })).toHaveAttribute("aria-pressed", "true");
  await expectNoViolations(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test("a storm is where it is at the time shown, and a click on it opens its card", async ({ page }) => {
  const storm = (await storms("jtwc")).find(({ id, tracks }) => id.startsWith("AL") && tracks.forecast)!;
  const ahead = storm.tracks.forecast!.points.find(({ fhr }) => fhr === 48)!;
  const t = formatInstant(ahead.time);
  await page.goto(`${server.url}/?c=${ahead.lat},${ahead.lon}&z=4&t=${t}&l=pressure&o=storms#key=${KEY}`);
  await mapIsSettled(page);
  // Its symbol alone is picked, so that it must be in the middle of the map.
  await page.getByRole("application", { name: "Weather map" }).click();
  await expect(page).toHaveURL(new RegExp(`storm=${storm.id}`));
  await expect(page.getByRole("region", { name: `Storm ${storm.name}` })).toBeVisible();
});

test("a provider that was never read is said so, not shown as a quiet sea", async ({ page }) => {
  await page.goto(`${origin()}/#key=${KEY}`);
  await page.getByRole("tab", { name: "Storms" }).click();
  const list = page.getByRole("region", { name: "Storms" });
  await expect(list).toContainText("This server has no storm bulletins of this provider yet.");
  await expect(list).not.toContainText("No active storms");
});
