import { variable, variableNames } from "#lib/catalog/variables.ts";
import { DEMO_NOW, expect, openMap, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";

// A small map is faster to draw in software.
test.use({ viewport: { width: 960, height: 600 } });

const banner = "Synthetic demo data. Not a forecast. Not for navigation.";

test("a fresh start shows the demo world, marks it as synthetic, and has every variable", async ({
  page,
  demo,
}) => {
  await openMap(page, "", demo.url);
  await expect(page.getByRole("status").filter({ hasText: banner })).toBeInViewport();
  await expect(page.getByText(/DEMO-WORLD v1 \(synthetic\), \d+ h old, to T\+\d+ h · run /)).toBeVisible();
  // A first visit opens at sea, with the conditions of one point.
  const panel = page.getByRole("region", { name: "Conditions" });
  await expect(panel).toContainText("DEMO-WORLD");
  const outputs = variableNames.flatMap((name) => variable(name).outputs);
  await expect(panel.locator("[data-field] [data-value]")).toHaveCount(outputs.length);
  const values = panel.locator("[data-field] [data-value]");
  const shown = await values.evaluateAll((all) => all.map((it) => Number((it as HTMLElement).dataset.value)));
  expect(shown.filter((value) => !Number.isFinite(value))).toEqual([]);

  const reply = await page.request.post(`${demo.url}/MetOcean`, {
    headers: { "x-api-key": KEY },
    data: { points: [{ latitude: 40, longitude: -40, timestamp: DEMO_NOW }], variables: ["wave"] },
  });
  expect(reply.headers()["x-data-provenance"]).toBe("synthetic");
});

test("a link opens the map at any time of the archive, from where one can go on in steps and days", async ({
  page,
  demo,
}) => {
  const past = "2026-06-07T12:30:00Z";
  await openMap(page, `c=50,-20&z=3&t=${past}&p=50,-20`, demo.url);
  const time = page.getByRole("region", { name: "Time" });
  await expect(time).toContainText("Sun 7 Jun 2026 12:30 UTC");
  await expect(time).toContainText("Hindcast-3Y · 100 d ago");
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
  await page.getByRole("button", { name: "Back one day" }).click();
  await page.getByRole("slider", { name: "Time of the map", exact: true }).press("PageDown");
  await expect(time).toContainText("Fri 5 Jun 2026");
  await mapIsSettled(page);
  await page.getByRole("button", { name: "Back to the forecast" }).click();
  await expect(time).toContainText("Forecast · now");
  await mapIsSettled(page);
});
