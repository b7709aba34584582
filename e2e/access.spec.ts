import { expect, openMap, origin, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";

test("without a key the page asks for one, and draws when it gets it", async ({ quietPage: page }) => {
  await page.goto(origin());
  const dialog = page.getByRole("dialog", { name: "An API key is needed" });
  await dialog.getByLabel("API key").fill(KEY);
  await dialog.getByRole("button", { name: "Use this key" }).click();
  await expect(dialog).toBeHidden();
  await mapIsSettled(page);
});

test("a key that the service refuses is said to be refused", async ({ page }) => {
  await page.goto(`${origin()}/#key=no-such-key`);
  await expect(page.getByRole("dialog", { name: "This key was refused" })).toBeVisible();
  expect(page.url()).not.toContain("no-such-key");
});

test("a full rate limit is told with its wait, and nothing on the map changes", async ({ page }) => {
  await page.route("**/MetOcean", (route) =>
    route.fulfill({
      status: 429,
      headers: { "retry-after": "23" },
      json: { error: "Rate limit exceeded: 10 per 1 minute" },
    }),
  );
  await page.goto(`${origin()}/?p=40,-40#key=${KEY}`);
  const panel = page.getByRole("region", { name: "Conditions" });
  await expect(panel).toContainText("Too many requests.");
  await expect(panel).toContainText(/Next try in \d+ s\./);
  await mapIsSettled(page);
});

test("an empty archive says how to fill it", async ({ page }) => {
  await page.route("**/2DMetOcean/manifest*", (route) =>
    route.fulfill({ json: { variable: "wind", now: "2026-01-01T00:00:00Z", runs: [] } }),
  );
  await page.goto(`${origin()}/#key=${KEY}`);
  await expect(page.getByRole("status")).toContainText(
    "The archive has no wind speed yet. Run npm run metocean",
  );
});

test("an outage is told in words, with a way on", async ({ page }) => {
  let broken = true;
  await page.route("**/2DMetOcean/*frames/**", (route) =>
    broken ? route.fulfill({ status: 500, json: { detail: "Internal Server Error" } }) : route.continue(),
  );
  await page.goto(`${origin()}/#key=${KEY}`);
  await expect(page.getByRole("alert").filter({ hasText: "Internal Server Error" })).toBeVisible();
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await mapIsSettled(page);
});

test("a browser that calls itself offline still asks a service on its own machine", async ({ page }) => {
  await openMap(page, "c=40,-40&z=3");
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await page.getByRole("application", { name: "Weather map" }).click({ position: { x: 500, y: 300 } });
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
});

test("a service that cannot be reached is told, not waited for", async ({ page, context }) => {
  await openMap(page, "c=40,-40&z=3");
  await context.setOffline(true);
  await page.getByRole("application", { name: "Weather map" }).click({ position: { x: 500, y: 300 } });
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText(
    "The server could not be reached.",
  );
  await context.setOffline(false);
  await page.getByRole("region", { name: "Conditions" }).getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
});

test("without WebGL the page says so and still answers for a point", async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.goto(`${origin()}/?p=40,-40#key=${KEY}`);
  await expect(page.getByRole("alert").filter({ hasText: "no WebGL 2" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
});
