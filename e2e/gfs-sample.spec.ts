import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { GFS_NOW, GFS_VALID, gfsSample, hasGfsSample, ingestGfsSample } from "./gfs-sample.ts";
import { expect, postPoints, sampledPlace, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY, type RunningServer, startServer } from "./server.ts";

test.describe("the real GFS file of 2011", () => {
  if (!hasGfsSample && process.env.REQUIRE_SAMPLES === "1") {
    throw new Error(`REQUIRE_SAMPLES=1, but there is no ${gfsSample}`);
  }
  test.skip(!hasGfsSample, `no sample at ${gfsSample}`);

  let server: RunningServer;
  let dataDir: string;
  test.beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), "metocean-e2e-gfs-"));
    ingestGfsSample(dataDir);
    server = await startServer(dataDir, GFS_NOW);
  });
  test.afterAll(async () => {
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("is drawn, and a click shows its forecast", async ({ page }) => {
    await page.goto(`${server.url}/?c=45,-30&z=3#key=${KEY}`);
    await mapIsSettled(page);
    await page.getByRole("button", { name: "Not for navigation." }).click();
    await expect(page.getByText(/GFS.*run Mon 10 Jan 12:00 UTC/)).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("application", { name: "Weather map" }).click({ position: { x: 400, y: 150 } });
    const panel = page.getByRole("region", { name: "Conditions" });
    await expect(panel.locator('[data-field="Winds_10m_Intensity"]')).toContainText(/\d+ kn/);
    await expect(panel.locator('[data-field="Pressure"]')).toContainText(/\d+\.\d hPa/);
    await expect(panel.locator('[data-field="Waves_Significant_Height"]')).toContainText("— not available");
    await expect(page.getByRole("region", { name: "Time" })).toContainText(
      "Sat 15 Jan 2011 12:00 UTC (T+120 h)",
    );

    const [latitude, longitude] = await sampledPlace(page);
    const [answer] = await postPoints([{ latitude, longitude }], GFS_VALID, ["pressure"], server.url);
    await expect(panel.locator('[data-field="Pressure"] [data-value]')).toHaveAttribute(
      "data-value",
      String(answer!.Pressure),
    );
  });
});
