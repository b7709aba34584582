import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { expectAccessible } from "./accessibility.ts";
import { counted } from "./counted.ts";
import { DEMO_NOW, expect, openMap, pageIsHydrated, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY, type RunningServer, startServer } from "./server.ts";

test.use({ viewport: { width: 960, height: 600 } });

let server: RunningServer;
let mailbox: SmtpStub;
let dataDir = "";
test.beforeAll(async () => {
  mailbox = await openSmtpStub();
  dataDir = mkdtempSync(path.join(tmpdir(), "metocean-e2e-guests-"));
  server = await startServer(dataDir, DEMO_NOW, "", {
    // This is the default of the demo.
    GUESTS: "",
    KEY_REQUESTS: "mail",
    SMTP_URL: mailbox.url,
  });
});
test.afterAll(async () => {
  await server?.stop();
  await mailbox?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a visitor reads map, conditions and storms without a key and without being asked for one", async ({
  quietPage: page,
}) => {
  const keys: string[] = [];
  page.on("request", (request) => {
    const key = request.headers()["x-api-key"];
    if (key) keys.push(key);
  });
  const storms = page.waitForResponse((response) => response.url().includes("/storms?"));
  await page.goto(`${server.url}/?c=40,-40&z=3&p=40,-40`);
  await mapIsSettled(page);
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
  expect((await storms).status()).toBe(200);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const cookies = await page.context().cookies();
  expect(cookies).toMatchObject([
    { name: "metocean-guest", httpOnly: true, sameSite: "Strict", secure: false },
  ]);
  expect(keys).toEqual([]);
  await expectAccessible(page, "the map of a visitor");
});

test("the page tells its strongest winds only where visitors are let in", async ({ demo }) => {
  const winds = async (url: string) => (await (await fetch(url)).text()).match(/\[-?\d+,-?\d+,\d+\]/g) ?? [];
  expect((await winds(`${server.url}/`)).length).toBeGreaterThan(50);
  // This service lets none in.
  expect(await winds(`${demo.url}/`)).toEqual([]);
});

test("a visitor with a phone reads a point in one action, a place in two, and its tide with the station's card", async ({
  quietPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${server.url}/?c=48.2,-5.6&z=7&o=`);
  await pageIsHydrated(page);
  const details = page.getByRole("complementary", { name: "Details" });
  const point = await counted(page, async ({ click }) => {
    await click(page.getByRole("application", { name: "Weather map" }));
    await expect(details.getByTestId("peek")).toContainText(/\d kn/);
  });
  const place = await counted(page, async ({ click, type }) => {
    await click(page.getByRole("combobox", { name: "Position" }));
    await type("brest");
    await expect(page.getByRole("option").first()).toContainText(/Brest.*\d kn.*Until .*: max \d+ kn/);
  });
  expect([point.actions, place.actions]).toEqual([1, 2]);
  await page.keyboard.press("Enter");
  // The sheet is swiped up.
  const handle = page.getByRole("button", { name: "Raise the panel" });
  await handle.dispatchEvent("pointerdown", { pointerType: "touch", isPrimary: true, clientY: 760 });
  await handle.dispatchEvent("pointerup", { pointerType: "touch", clientY: 600 });
  await expect(page.locator('[data-row="tide"]')).toBeVisible();
  const conditions = page.getByRole("region", { name: "Conditions" });
  await expect(conditions).toContainText(
    / · (Rising|Falling), [\d.]+\sm · (High|Low)\swater\s\d\d:\d\d\s[\d.]+\sm/,
  );
  await conditions.getByRole("button", { name: /^Brest, [\d.]+ n mi/ }).click();
  await expect(page.getByRole("region", { name: "Brest" })).toContainText("High water");
  await expect(page).toHaveURL(/tide=/);
});

test("a visitor's GPX file leads to its verdict in three actions, and other departures ask for a key", async ({
  quietPage: page,
}) => {
  await page.goto(`${server.url}/?c=44,-16&z=4&o=`);
  await pageIsHydrated(page);
  const route = page.getByRole("region", { name: "Route", exact: true });
  const outlook = page.getByRole("region", { name: "What it will be like" });
  const { actions } = await counted(page, async ({ click, choose }) => {
    await click(page.getByRole("tab", { name: "Passage" }));
    const points = [48.38, 47, 43].map((latitude, i) => `<rtept lat="${latitude}" lon="${-5 - 3 * i}"/>`);
    await choose(route.getByLabel(/^File: GPX/), {
      name: "home.gpx",
      text: `<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><rte>${points.join("")}</rte></gpx>`,
    });
    await click(page.getByRole("button", { name: "Sailing boat" }));
    await expect(outlook.locator(".verdict-title")).toContainText(/GO|CAUTION|NO/);
  });
  expect(actions).toBe(3);
  await outlook.getByRole("tab", { name: "When to leave" }).click();
  await expect(outlook).toContainText("Comparing departures and searching better routes needs an API key.");
});

test("a visitor finds today's tide of a port in a country in two actions", async ({ quietPage: page }) => {
  await page.goto(`${server.url}/?c=24,-58&z=3&o=`);
  await pageIsHydrated(page);
  const { actions } = await counted(page, async ({ click, type }) => {
    await click(page.getByRole("combobox", { name: "Position" }));
    await type("bergen norway");
    await expect(page.getByRole("option").filter({ hasText: "Tide station" }).first()).toContainText(
      /High water .*\d\.\d m/,
    );
  });
  expect(actions).toBe(2);
});

test("a visitor gets a key by e-mail, made by a button and not by the link itself, and stored on this device by choice", async ({
  page,
}) => {
  await page.goto(`${server.url}/tasks`);
  await expect(page.getByText("Tasks need an API key.")).toBeVisible();
  await page.getByRole("button", { name: "Get or enter an API key" }).click();
  const request = page.getByRole("dialog", { name: "Enter an API key" });
  await expectAccessible(page, "the dialog that asks for a key");
  await request.getByLabel("No key yet?").fill("mate@example.org");
  await request.getByRole("button", { name: "Send the link" }).click();
  await expect(request.getByText("the link is on its way")).toBeVisible();
  await expect.poll(() => mailbox.emails.length).toBe(1);
  const text = mailbox.emails[0]!.raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const token = /#new-key=([\w-]+)/.exec(text)?.[1] ?? "";

  await page.goto(`${server.url}/tasks#new-key=${token}`);
  const make = page.getByRole("dialog", { name: "Make your API key" });
  await expect(make).toBeVisible();
  expect(page.url()).not.toContain(token);
  await expectAccessible(page, "the dialog that makes a key");
  await make.getByRole("button", { name: "Make my key" }).click();
  const made = page.getByRole("dialog", { name: "Your API key" });
  const key = await made.getByText(/^mo_/).innerText();
  await expectAccessible(page, "the dialog with the key that was made");
  await made.getByLabel("Remember it on this device").check();
  await made.getByRole("button", { name: "Use this key" }).click();
  await expect(page.getByText("No tasks.")).toBeVisible();
  // Another tab has the key too, until it is forgotten here.
  const other = await page.context().newPage();
  await other.goto(`${server.url}/tasks`);
  await expect(other.getByText("No tasks.")).toBeVisible();
  await page.getByRole("button", { name: "API key" }).click();
  await page.getByRole("button", { name: "Forget this key" }).click();
  for (const tab of [page, other]) await expect(tab.getByText("Tasks need an API key.")).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
    key,
  );
  // The link has been used.
  await other.goto(`${server.url}/tasks#new-key=${token}`);
  await other.getByRole("button", { name: "Make my key" }).click();
  await expect(other.getByRole("alert").filter({ hasText: "was used before" })).toBeVisible();
  await other.close();
});

test("when the key is revoked, map, conditions and storms stay, no question is repeated, and another key continues", async ({
  page,
}) => {
  await openMap(page, "c=40,-40&z=3&p=40,-40", server.url);
  const conditions = page.getByRole("region", { name: "Conditions" });
  await expect(conditions).toContainText("kn");
  const [before] = /\d+\skn/.exec(await conditions.innerText())!;
  const canvas = page.getByTestId("map");
  let asked = 0;
  const refuse = /\/(MetOcean|storms.*|2DMetOcean\/manifest.*)$/;
  await page.route(refuse, (route) => {
    asked++;
    return route.fulfill({ status: 401, json: { detail: "Invalid API key" } });
  });
  const reconnect = () =>
    page.evaluate(() => {
      window.dispatchEvent(new Event("offline"));
      window.dispatchEvent(new Event("online"));
    });
  await reconnect();
  const notice = page.getByText("Your API key is no longer accepted.");
  await expect(notice).toBeVisible();
  const afterFirst = asked;
  await reconnect();
  await expect(conditions).toContainText(before);
  expect(asked).toBe(afterFirst);
  await expect(canvas).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await mapIsSettled(page);

  await page.unroute(refuse);
  await page.getByRole("button", { name: "Enter another key" }).click();
  const dialog = page.getByRole("dialog", { name: "Enter an API key" });
  await dialog.getByLabel("API key").fill(KEY);
  await dialog.getByRole("button", { name: "Use this key" }).click();
  await expect(notice).toBeHidden();
  await mapIsSettled(page);
  await expect(conditions).toContainText("kn");
});
