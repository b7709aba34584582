import type { Page } from "@playwright/test";
import { chooseInMenu, expect, legendButton, openPage, origin, test } from "./map.ts";
import { KEY } from "./server.ts";
import { STEPS } from "./test-archive.ts";

const at = "c=40,-40&z=3";

test("a link sets units, time zone, theme, projection and overlays, and unknown values are preserved", async ({
  page,
}) => {
  await openPage(page, `${at}&t=now%2B3h&u=Bft&tz=ship&th=night&proj=globe&o=&storm=wp012026`);
  await expect(page.getByRole("region", { name: "Time" })).toContainText(
    "Thu 1 Jan 2026 00:00 UTC−3 (T+3 h)",
  );
  await expect(page.locator("html")).toHaveAttribute("data-theme", "night");
  await expect(legendButton(page)).toHaveAccessibleName(/^Bft: /);
  await chooseInMenu(page, "Display");
  await expect(page.getByRole("button", { name: "Globe" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Day", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  expect(page.url()).toContain("storm=WP012026");
  // The choice is stored, so that the server renders the next page in that theme.
  await page.getByRole("button", { name: "Dusk" }).click();
  const next = await page.request.get(origin(), { headers: { cookie: await cookies(page) } });
  expect(await next.text()).toContain('data-theme="dusk"');
});

test("the series of days is read in one request and its rows set the time; on a phone the panel has three heights", async ({
  page,
}) => {
  const bodies: { points: unknown[] }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/MetOcean")) bodies.push(request.postDataJSON() as { points: unknown[] });
  });
  await openPage(page, `${at}&p=41.25,-43.5`);
  await page.getByRole("button", { name: "Forecast table" }).click();
  await page.getByRole("button", { name: /^Show Thu 1 Jan 06:00 on the map$/ }).click();
  await expect(page).toHaveURL(new RegExp(`t=${STEPS[2]}`));
  expect(bodies.filter(({ points }) => points.length > 1)).toHaveLength(1);

  await page.setViewportSize({ width: 360, height: 740 });
  const conditions = page.getByRole("region", { name: "Conditions" });
  await expect(conditions).toBeHidden();
  await expect(page.getByRole("complementary", { name: "Details" })).toContainText(/\d+ kn/);
  await page.getByRole("button", { name: "Raise the panel" }).click();
  await expect(conditions).toBeVisible();
  await page.getByRole("button", { name: "Raise the panel" }).click();
  await expect(page.getByRole("button", { name: "Raise the panel" })).toBeDisabled();
  await page.getByRole("button", { name: "Layer: Wind" }).click();
  await expect(page.getByRole("button", { name: "Layer: Wind" })).toHaveAttribute("aria-expanded", "true");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test("the forecast table fills a phone: hours can be touched, and quantities and hours stay while it is scrolled", async ({
  browser,
}) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, serviceWorkers: "block" });
  const page = await context.newPage();
  for (const [width, height] of [
    [390, 844],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await openPage(page, `${at}&l=none&o=&p=41.25,-43.5`);
    const raise = page.getByRole("button", { name: "Raise the panel" });
    await raise.click();
    await page.getByRole("button", { name: "Forecast table" }).click();
    const table = page.getByRole("dialog").getByRole("region", { name: "Conditions over the coming days" });
    const hour = table.getByRole("button", { name: /^Show/ }).first();
    expect((await hour.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    // The numbers have most of the window.
    const above = (await table.boundingBox())!.y - (await page.getByRole("dialog").boundingBox())!.y;
    expect(above).toBeLessThan(height / 4);
    await table.evaluate((it) => it.scrollBy(300, 150));
    const seen = await table.evaluate((it) => {
      const { left, top } = it.getBoundingClientRect();
      const at = (x: number, y: number) => document.elementFromPoint(left + x, top + y)?.closest("th, td");
      return [at(1, 20), at(1, 130), at(150, 40)].map(
        (cell) => getComputedStyle(cell!).position + cell!.closest("thead, tbody")!.tagName,
      );
    });
    expect(seen).toEqual(["stickyTHEAD", "stickyTBODY", "staticTHEAD"]);
  }
  await context.close();
});

test("without WebGL 2 the page says so where nothing covers it, waits for no field, and shows the conditions of a searched place", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...of: unknown[]) {
      return of[0] === "webgl2" ? null : Reflect.apply(real, this, of);
    } as typeof real;
  });
  await page.goto(`${origin()}/?${at}&p=41.25,-43.5#key=${KEY}`);
  const message = page
    .getByRole("alert")
    .filter({ hasText: "The map cannot be drawn: this browser has no WebGL 2." });
  await expect(message).toBeVisible();
  // The message is not covered, for example by the hint of a first visit, which would ask for a click on the map.
  await expect(page.getByText("Click the sea for conditions.")).toHaveCount(0);
  const corners = await message.evaluate((shown) => {
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const points = [left + 9, (left + right) / 2, right - 9].flatMap((x) =>
      [top + 9, bottom - 9].map((y) => [x, y]),
    );
    return points.map(([x = 0, y = 0]) => shown.contains(document.elementFromPoint(x, y)));
  });
  expect(corners).toEqual(Array(6).fill(true));
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
  await expect(page.getByText(/^Loading wind/)).toHaveCount(0);
  const search = page.getByRole("combobox", { name: "Position" });
  await search.fill("45 N 30 W");
  await search.press("Enter");
  await expect(page).toHaveURL(/p=45,-30/);
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("45°00.0′N");
});

test("each page has a nonce of its own, whatever a client sends, in the language of its reader, and only GET and HEAD are answered", async ({
  request,
}) => {
  const nonces: string[] = [];
  for (const path of ["/docs", "/docs", "/no-such-page"]) {
    const reply = await request.get(origin() + path, {
      headers: {
        "accept-language": "de-CH,en;q=0.5",
        "x-nonce": "chosen",
        "content-security-policy": "script-src 'nonce-chosen'",
      },
    });
    expect(reply.status()).toBe(path === "/docs" ? 200 : 404);
    const policy = reply.headers()["content-security-policy"] ?? "";
    const nonce = /script-src 'self' 'nonce-([\w+/]{22}==)';/.exec(policy)?.[1] ?? "none";
    const html = await reply.text();
    expect(html).toContain('<html lang="de"');
    const scripts = html.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(1);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    nonces.push(nonce);
  }
  expect(new Set(nonces).size).toBe(3);
  expect((await request.post(`${origin()}/docs`)).status()).toBe(405);
});

async function cookies(page: Page): Promise<string> {
  return (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
}
