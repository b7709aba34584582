import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { rules } from "./accessibility.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY, type RunningServer, startServer } from "./server.ts";

const NOW = "2026-03-01T12:00:00Z";
const banner = "Synthetic demo data. Not a forecast. Not for navigation.";

test.describe("a fresh start", () => {
  let server: RunningServer;
  let dataDir: string;
  test.beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), "metocean-e2e-demo-"));
    server = await startServer(dataDir, NOW, "");
  });
  test.afterAll(async () => {
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const open = async (page: Page, query: string) => {
    await page.goto(`${server.url}/?${query}#key=${KEY}`);
    await mapIsSettled(page);
  };

  test("shows a planet, says that it is invented, and knows everything of the sea", async ({ page }) => {
    await open(page, "");
    await expect(page.getByRole("status").filter({ hasText: banner })).toBeInViewport();
    await expect(page.getByText(/DEMO-WORLD v1 \(synthetic\) · run /)).toBeVisible();
    // A first visit opens at sea, with one point read already.
    const panel = page.getByRole("region", { name: "Conditions" });
    await expect(panel).toContainText("DEMO-WORLD");
    const outputs = variableNames.flatMap((name) => variable(name).outputs);
    await expect(panel.locator("[data-field] [data-value]")).toHaveCount(outputs.length);
    const values = panel.locator("[data-field] [data-value]");
    const shown = await values.evaluateAll((all) =>
      all.map((it) => Number((it as HTMLElement).dataset.value)),
    );
    expect(shown.filter((value) => !Number.isFinite(value))).toEqual([]);
    expect(await flaws(page)).toEqual([]);

    const reply = await page.request.post(`${server.url}/MetOcean`, {
      headers: { "x-api-key": KEY },
      data: { points: [{ latitude: 40, longitude: -40, timestamp: NOW }], variables: ["wave"] },
    });
    expect(reply.headers()["x-data-provenance"]).toBe("synthetic");
  });

  test("goes back by link as far as its archive, and on from there in steps and days", async ({ page }) => {
    const past = "2025-11-21T12:30:00Z";
    await open(page, `c=50,-20&z=3&t=${past}&p=50,-20`);
    const time = page.getByRole("region", { name: "Time" });
    await expect(time).toContainText("Fri 21 Nov 2025 12:30 UTC");
    await expect(time).toContainText("Hindcast-3Y · 100 d ago");
    await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
    await page.getByRole("button", { name: "Back one day" }).click();
    await page.getByRole("slider", { name: "Time of the map" }).press("PageDown");
    await expect(time).toContainText("Wed 19 Nov 2025");
    await mapIsSettled(page);
    await page.getByRole("button", { name: "Now" }).click();
    await expect(time).toContainText("Forecast · now");
    await mapIsSettled(page);
  });

  test("axe finds nothing at 390 px, and nothing scrolls sideways", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await open(page, "c=40,-40&z=3&p=40,-40");
    await page.getByRole("button", { name: "Raise the panel" }).click();
    await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
    expect(await flaws(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expect(page.getByText(banner)).toBeInViewport({ ratio: 1 });
  });
});

async function flaws(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
