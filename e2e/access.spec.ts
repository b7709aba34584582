import { expect, openMap, origin, pageIsHydrated, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";

test.use({ viewport: { width: 960, height: 600 } });

test("a key in a link that is followed within the open page is used", async ({ page }) => {
  const link = `${origin()}/?c=45,-30&z=3`;
  await page.goto(`${link}#key=no-such-key`);
  const refused = page.getByRole("dialog", { name: "This key was refused" });
  await expect(refused).toBeVisible();
  expect(page.url()).not.toContain("no-such-key");
  const opened = await page.evaluateHandle(() => document);
  await page.goto(`${link}#key=${KEY}`);
  await expect(refused).toBeHidden();
  await mapIsSettled(page);
  // The document was not reloaded, and Next's history state is intact.
  expect(await opened.evaluate((it) => it === document && history.state !== null)).toBe(true);
  await page.getByRole("application", { name: "Weather map" }).press("]");
  await expect(page).toHaveURL(/[?&]t=/);
  expect(page.url()).not.toContain(KEY);
});

test("a link with another key asks first, and the key in use is kept until the user agrees", async ({
  page,
}) => {
  const link = `${origin()}/tasks`;
  const used: (string | undefined)[] = [];
  page.on("request", (request) => {
    const key = request.headers()["x-api-key"];
    if (key) used.push(key);
  });
  const listed = () => page.waitForResponse((response) => response.url().includes("/user/tasks"));
  const first = listed();
  await page.goto(`${link}#key=${KEY}`);
  await first;
  // The link is opened within the open page, and by loading it.
  for (const from of [undefined, `${origin()}/docs`]) {
    if (from) await page.goto(from);
    await page.goto(`${link}#key=a-foreign-key`);
    const dialog = page.getByRole("dialog", { name: "This link brings another API key" });
    await expect(dialog).toContainText("The link brings…-key");
    expect(page.url()).not.toContain("foreign");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }
  expect(new Set(used)).toEqual(new Set([KEY]));

  await page.goto(`${link}#key=a-foreign-key`);
  await page.getByRole("button", { name: "Use the link's key" }).click();
  await expect(page.getByRole("dialog", { name: "This key was refused" })).toBeVisible();
  expect(used.at(-1)).toBe("a-foreign-key");
});

test("the key in use is shown and can be forgotten", async ({ page }) => {
  await page.goto(`${origin()}/tasks#key=${KEY}`);
  await page.getByRole("button", { name: "API key" }).click();
  await expect(page.getByText(`This tab uses the key …${KEY.slice(-4)}`)).toBeVisible();
  await page.getByRole("button", { name: "Forget this key" }).click();
  await expect(page.getByRole("dialog", { name: "An API key is needed" })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
    KEY,
  );
  await page.reload();
  await expect(page.getByRole("dialog", { name: "An API key is needed" })).toBeVisible();
});

test("a failed field, and lines over it, are reported and can be retried", async ({ page }) => {
  let broken = true;
  let linesBroken = true;
  await page.route("**/2DMetOcean/manifest?variable=pressure", (route) =>
    linesBroken ? route.fulfill({ status: 501, json: { detail: "Not Implemented" } }) : route.continue(),
  );
  await page.route("**/2DMetOcean/*frames/**", (route) =>
    broken ? route.fulfill({ status: 500, json: { detail: "Internal Server Error" } }) : route.continue(),
  );
  await page.goto(`${origin()}/?c=40,-40&z=3&o=isobars#key=${KEY}`);
  // Once the map has opened it requests the chunks in view.
  await page.waitForSelector('[data-testid="map"][data-idle="true"]', { timeout: 90_000 });
  const failure = page.locator(".notice").filter({ hasText: "Internal Server Error" });
  await expect(failure.getByRole("alert")).toBeVisible();
  // The server answers only from the press on. Before it, the map could read again by itself and the button would
  // disappear.
  await page.exposeFunction("mend", () => {
    broken = false;
  });
  // The page may replace the button meanwhile, so the window listens.
  await page.evaluate(() =>
    window.addEventListener("click", () => Reflect.get(window, "mend")(), { capture: true }),
  );
  await failure.getByRole("button", { name: "Try again" }).click();
  const notice = page.getByText("Isobars: the server could not answer.");
  await expect(notice).toBeVisible({ timeout: 60_000 });
  linesBroken = false;
  // The notice of the field may still be there.
  await page.locator(".notice").filter({ has: notice }).getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Isobars: the archive has no data for this time.")).toBeVisible();
  await mapIsSettled(page);
});

test("an exception while rendering is reported, and the page can be loaded again", async ({ page }) => {
  await page.addInitScript(() => {
    const real = window.matchMedia.bind(window);
    window.matchMedia = (query) => {
      if (!sessionStorage.getItem("mended")) throw new Error("broken by the test");
      return real(query);
    };
  });
  await page.goto(`${origin()}/?c=45,-30&z=3#key=${KEY}`);
  await expect(page.getByRole("alert").filter({ hasText: "A part of it failed" })).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem("mended", "yes"));
  await page.getByRole("button", { name: "Load the page again" }).click();
  await pageIsHydrated(page);
});

test("pages answer GET and HEAD only", async ({ request }) => {
  for (const method of ["PUT", "POST", "DELETE"]) {
    const reply = await request.fetch(origin(), { method });
    expect(reply.status()).toBe(405);
    expect(reply.headers().allow).toBe("GET, HEAD");
  }
});

test("an offline browser still requests a local service; an unreachable one is reported at once and retried when online", async ({
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
  // The page retries by itself.
  await expect(conditions).toContainText("kn");
});
