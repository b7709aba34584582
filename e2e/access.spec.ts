import { expect, openMap, origin, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";

// Software draws a small map sooner.
test.use({ viewport: { width: 960, height: 600 } });

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

test("a key in a link that is opened in the open page is taken like any other", async ({ page }) => {
  const link = `${origin()}/?c=45,-30&z=3`;
  await page.goto(`${link}#key=no-such-key`);
  const refused = page.getByRole("dialog", { name: "This key was refused" });
  await expect(refused).toBeVisible();
  const opened = await page.evaluateHandle(() => document);
  await page.goto(`${link}#key=${KEY}`);
  await expect(refused).toBeHidden();
  await mapIsSettled(page);
  // It is the same page, of whose address Next knows what it knew before.
  expect(await opened.evaluate((it) => it === document && history.state !== null)).toBe(true);
  await page.getByRole("application", { name: "Weather map" }).press("]");
  await expect(page).toHaveURL(/[?&]t=/);
  expect(page.url()).not.toContain(KEY);
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
  await expect(page.getByText("The archive has no wind speed yet. Run npm run metocean")).toBeVisible();
  await expect(page.getByText("Reading the forecast…")).toHaveCount(0);
});

test("an outage is told in words, with a way on", async ({ page }) => {
  let broken = true;
  await page.route("**/2DMetOcean/*frames/**", (route) =>
    broken ? route.fulfill({ status: 500, json: { detail: "Internal Server Error" } }) : route.continue(),
  );
  await page.goto(`${origin()}/?c=40,-40&z=3#key=${KEY}`);
  // The map, once it is open, asks for what is in view by itself.
  await page.waitForSelector('[data-testid="map"][data-idle="true"]', { timeout: 90_000 });
  await expect(page.getByRole("alert").filter({ hasText: "Internal Server Error" })).toBeVisible();
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await mapIsSettled(page);
});

test("lines that the server could not give are told beside the field, and come when asked for again", async ({
  page,
}) => {
  let broken = true;
  await page.route("**/2DMetOcean/manifest?variable=pressure", (route) =>
    broken ? route.fulfill({ status: 501, json: { detail: "Not Implemented" } }) : route.continue(),
  );
  await page.goto(`${origin()}/?c=45,-30&z=3&o=isobars#key=${KEY}`);
  const notice = page.getByText("Isobars: the server could not answer.");
  await expect(notice).toBeVisible({ timeout: 60_000 });
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.getByText("Isobars: the archive has none for this time.")).toBeVisible();
  await mapIsSettled(page);
});

test("a page that breaks says so, and goes on when asked", async ({ page }) => {
  await page.addInitScript(() => {
    const real = window.matchMedia.bind(window);
    window.matchMedia = (query) => {
      if (!sessionStorage.getItem("mended")) throw new Error("broken by the test");
      return real(query);
    };
  });
  await page.goto(`${origin()}/?c=45,-30&z=3#key=${KEY}`);
  await expect(page.getByRole("alert").filter({ hasText: "A part of it is at fault" })).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem("mended", "yes"));
  await page.getByRole("button", { name: "Load the page again" }).click();
  await mapIsSettled(page);
});

test("an answer that is none, from whatever stands between, is told as a failure", async ({ page }) => {
  await page.route("**/2DMetOcean/manifest*", (route) =>
    route.fulfill({ body: "<p>Please log in</p>", contentType: "text/html" }),
  );
  await page.goto(`${origin()}/?c=45,-30&z=3#key=${KEY}`);
  await expect(page.getByText("This answer is not the service's")).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("pages are only read", async ({ request }) => {
  for (const method of ["PUT", "POST", "DELETE"]) {
    const reply = await request.fetch(origin(), { method });
    expect(reply.status()).toBe(405);
    expect(reply.headers().allow).toBe("GET, HEAD");
  }
});

test("a browser that calls itself offline still asks a service on its own machine; one that cannot be reached is told, not waited for", async ({
  page,
}) => {
  await openMap(page, "c=40,-40&z=3");
  const map = page.getByRole("application", { name: "Weather map" });
  const conditions = page.getByRole("region", { name: "Conditions" });
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await map.click({ position: { x: 400, y: 150 } });
  await expect(conditions).toContainText("kn");

  await page.context().setOffline(true);
  await map.click({ position: { x: 450, y: 200 } });
  await expect(conditions).toContainText("The server could not be reached.");
  await expect(conditions.getByRole("button", { name: "Try again" })).toBeEnabled();
  await page.context().setOffline(false);
  // It is asked for again by itself.
  await expect(conditions).toContainText("kn");
});
