import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expectAccessible, widths } from "./accessibility.ts";
import { counted } from "./counted.ts";
import { expect, pageIsHydrated, test } from "./map.ts";
import { KEY } from "./server.ts";

const reply = (page: Page) => page.getByRole("region", { name: "Reply" });
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true });

/** Runs a copied program unchanged. */
async function outputOf(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, METOCEAN_KEY: KEY };
  return (await promisify(execFile)(program, args, { env })).stdout;
}

test("by mouse: from the map in four actions to a command that runs, then the other languages, another format and its answer", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", {
      value: { writeText: async (text: string) => Object.assign(window, { copied: text }) },
    });
  });
  await page.goto(`${demo.url}/?c=24,-58&z=3&o=#key=${KEY}`);
  await pageIsHydrated(page);
  const copied = () => page.evaluate(() => (window as unknown as { copied?: string }).copied ?? "");
  const copy = page.getByRole("button", { name: "Copy", exact: true });
  const first = await counted(page, async ({ click }) => {
    await click(page.getByRole("button", { name: "Menu", exact: true }));
    await click(page.getByRole("link", { name: "API" }));
    const operations = page.getByRole("navigation", { name: "Operations" });
    await click(operations.getByRole("link", { name: "POST /MetOcean", exact: true }));
    await click(copy);
    await expect.poll(copied).toContain(demo.url);
  });
  expect(first.actions).toBe(4);
  await expect(page).toHaveURL(`${demo.url}/docs/post-metocean`);
  expect(JSON.parse(await outputOf("sh", "-c", await copied()))).toMatchObject({ status: "SUCCESS" });
  for (const [language, sign, program, ...args] of [
    ["TypeScript", "await fetch(", process.execPath, "--input-type=module-typescript", "-e"],
    ["Python", "urlopen", "python3", "-c"],
  ] as const) {
    const { actions } = await counted(page, async ({ click }) => {
      await click(page.getByRole("tab", { name: language }));
      await click(page.getByRole("button", { name: /^(Copy|Copied)$/ }));
      await expect.poll(copied).toContain(sign);
    });
    expect(actions).toBe(2);
    expect(await outputOf(program, ...args, await copied())).toContain("SUCCESS");
  }
  await send(page).click();
  await expect(reply(page)).toContainText("200 OK");
  await expect(reply(page)).toContainText('"status": "SUCCESS"');
  // The reply appears beside the request, which stays in view.
  await expect(send(page)).toBeInViewport();
  await page.getByLabel("Format of the reply").selectOption("text/csv");
  await page.getByRole("tab", { name: "Python" }).click();
  await expect(page.getByRole("tabpanel")).toContainText('"accept": "text/csv"');
  await send(page).click();
  await expect(reply(page)).toContainText("Winds_10m_Intensity");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  expect((await saved).suggestedFilename()).toBe("post-metocean.csv");

  const body = page.getByLabel("Body", { exact: true });
  await body.fill('{"points": []');
  await expect(page.getByText("This is not JSON")).toBeVisible();
  await body.fill('{"points": [], "variables": ["wind"]}');
  await expect(page.getByRole("tabpanel")).toContainText('body = { "points": []');
  await send(page).click();
  await expect(reply(page)).toContainText("422");
  await expect(reply(page)).toContainText("too_short");
});

test("by keyboard alone, on a phone: the menu, an id from a list, the answer, and the tabs of the programs", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${demo.url}/docs#key=${KEY}`);
  const menu = page.getByRole("button", { name: "Operations" });
  const tabTo = async (name: RegExp, key = "Tab") => {
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press(key);
      const { focused, isHidden } = await page.evaluate(() => {
        const at = document.activeElement!;
        const { top, bottom } = at.getBoundingClientRect();
        const label = (at as HTMLInputElement).labels?.[0]?.textContent ?? at.textContent;
        return { focused: label, isHidden: bottom <= 0 || top >= window.innerHeight };
      });
      expect.soft(isHidden, `the focus is out of view at ${focused}`).toBe(false);
      if (name.test(focused ?? "")) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  // A press in the first tenth of a second, before the page is hydrated, does nothing.
  const pressEnterUntil = (isDone: () => Promise<boolean>) =>
    expect
      .poll(async () => {
        if (!(await isDone())) await page.keyboard.press("Enter");
        return isDone();
      })
      .toBe(true);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await tabTo(/^Skip the list/);
  await tabTo(/^Operations/);
  await pressEnterUntil(async () => (await menu.getAttribute("aria-expanded")) === "true");
  await tabTo(/\/storms\/\{id\}\/danger/);
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("heading", { level: 1, name: "Area to avoid in the next three days" }),
  ).toBeVisible();
  await tabTo(/^Take one from GET \/storms/);
  const id = page.getByRole("textbox", { name: "id required" });
  await pressEnterUntil(async () => /^[A-Z]{2}\d{6}$/.test(await id.inputValue()));
  await tabTo(/^Send$/);
  await page.keyboard.press("Enter");
  await expect(reply(page)).toContainText("200 OK");
  await expect(reply(page)).toBeInViewport();
  await tabTo(/^curl$/);
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "TypeScript" })).toBeFocused();
  await expect(page.getByRole("tabpanel")).toContainText("await fetch(");
});

test("the pages of operations load nothing of the map, need a key only for sending, and have no axe violations", async ({
  page,
  demo,
}) => {
  let bytes = 0;
  page.on("response", async (response) => {
    if (response.url().includes("/_next/static/chunks/") && response.url().endsWith(".js"))
      bytes += (await response.body().catch(() => Buffer.of())).length;
  });
  await page.goto(`${demo.url}/docs/get-storms-id-danger`, { waitUntil: "networkidle" });
  expect(await page.evaluate(() => "maplibregl" in window || document.querySelector("canvas") !== null)).toBe(
    false,
  );
  // The size is uncompressed; the map alone would be about 2 MB.
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(1_000_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await send(page).click();
  const dialog = page.getByRole("dialog", { name: "Enter an API key" });
  await dialog.getByLabel("API key").fill(KEY);
  await dialog.getByRole("button", { name: "Use this key" }).click();
  await send(page).click();
  await expect(reply(page)).toContainText("200 OK");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, "the page of an operation");
  }
  // On a phone only the open menu can be reached, wherever the page is scrolled.
  await send(page).scrollIntoViewIfNeeded();
  const menu = page.getByRole("button", { name: "Operations" });
  await menu.click();
  await expect(page.locator("[inert]", { has: send(page) })).toHaveCount(1);
  await expectAccessible(page, "the open menu of the API page");
  await menu.press("Escape");
  await expect(page.locator("[inert]", { has: send(page) })).toHaveCount(0);
  expect((await page.goto(`${demo.url}/docs/get-nothing`))!.status()).toBe(404);
});
