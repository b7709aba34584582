import type { Page } from "@playwright/test";
import { type Language, languageTable } from "#lib/messages/language.ts";
import type { Words } from "#lib/messages/words.ts";
import { de, en, ja } from "#test/all-words.ts";
import { expect, pageIn, test } from "./map.ts";
import { mapIsSettled, viewIsDrawn } from "./probe.ts";
import { cutOff } from "./reach.ts";
import { KEY } from "./server.ts";

/** A storm of the demo, beside a sampled point and during a day of the forecast. */
const LINK = "c=15,-46&z=3&p=18.3,-50.2&o=storms,barbs,names";
const STORM = `${LINK}&storm=AL222026`;

/** All texts of a catalog without placeholders. */
function texts(words: object): string[] {
  return Object.values(words).flatMap((value: unknown) => {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? texts(value) : [];
  });
}

/** English texts that no other language uses. */
function onlyEnglish(words: Words): string[] {
  const own = new Set(texts(words));
  return [...new Set(texts(en))].filter((text) => /[a-z]{3}/i.test(text) && !own.has(text));
}

/** Texts and names of controls that the page shows, except those marked as another language. */
function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const shown: string[] = [];
    const walk = (element: Element) => {
      if (element !== document.documentElement && element.hasAttribute("lang")) return;
      if (!element.checkVisibility() || element.matches("script, style, code")) return;
      for (const name of ["aria-label", "title", "placeholder", "alt"])
        shown.push(element.getAttribute(name) ?? "");
      for (const node of element.childNodes) {
        if (node instanceof Element) walk(node);
        else shown.push(node.textContent ?? "");
      }
    };
    walk(document.documentElement);
    return shown.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
  });
}

async function expectNoEnglish(page: Page, words: Words, what: string): Promise<void> {
  const shown = new Set(await shownTexts(page));
  expect
    .soft(
      onlyEnglish(words).filter((text) => shown.has(text)),
      what,
    )
    .toEqual([]);
}

/** Expects that nothing that can be pressed is cut off by longer words. e2e/reach.spec.ts checks the other widths. */
async function expectWithinReach(page: Page, what: string): Promise<void> {
  for (const width of [320, 780]) {
    await page.setViewportSize({ width, height: width < 768 ? 640 : 720 });
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    // The top bar measures itself after its width has changed.
    await expect
      .configure({ soft: true })
      .poll(() => page.evaluate(cutOff, {}), { message: `${what} at ${width} px`, timeout: 10_000 })
      .toEqual([]);
  }
}

test("a link is read in the reader's own language, from the first byte, and another one can be chosen", async ({
  browser,
  demo,
}) => {
  const page = await pageIn(browser, "de-CH");
  const names: string[] = [];
  page.on("request", (request) => names.push(...(/(?<=\/)names-\w+(?=\.json)/.exec(request.url()) ?? [])));
  const sent = await page.goto(`${demo.url}/?${LINK}#key=${KEY}`);
  expect(await sent?.text()).toContain('<html lang="de"');
  // The language must be in the head. In a page that is sent in pieces, Next would put it behind the body
  // (htmlLimitedBots of next.config.mjs).
  const asked = { headers: { "accept-language": "de-CH" } };
  const tasks = await (await page.request.get(`${demo.url}/tasks`, asked)).text();
  expect(tasks.split("</head>")[0]).toContain(`<title>${de.screen.pages.titles.tasks} – `);
  await mapIsSettled(page);
  const shown = await shownTexts(page);
  expect(shown.some((text) => /\d,\d/.test(text))).toBe(true);
  await expectNoEnglish(page, de, "the point in German");
  expect(page.url()).not.toContain("de");

  await page.getByRole("button", { name: de.screen.menu, exact: true }).click();
  await page.getByText(de.screen.display, { exact: true }).click();
  await page.getByLabel(de.screen.language).selectOption(languageTable.ja.name);
  await expect(page.locator("html")).toHaveAttribute("lang", "ja" satisfies Language);
  await mapIsSettled(page);
  await expectNoEnglish(page, ja, "the point in Japanese");
  expect(names).toEqual(["names-de", "names-ja"]);
  await page.goto(`${demo.url}/tasks`);
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await page.context().close();
});

test("a page whose words cannot be loaded is in English, and says so, until they can", async ({
  browser,
  demo,
}) => {
  const page = await pageIn(browser, "de");
  let blocked = 0;
  const isGerman = (script: string) => script.includes(de.screen.disclaimer.text);
  await page.route("**/_next/static/chunks/*.js", async (route) => {
    const reply = await route.fetch();
    if (!isGerman(await reply.text())) return route.fulfill({ response: reply });
    blocked++;
    return route.abort();
  });
  await page.goto(`${demo.url}/docs`);
  await expect(page.locator("html")).toHaveAttribute("lang", "en" satisfies Language);
  expect(blocked).toBeGreaterThan(0);
  await expect(page.getByRole("link", { name: en.screen.pages.tasks, exact: true })).toBeVisible();
  await page.unrouteAll();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(page.locator("html")).toHaveAttribute("lang", "de" satisfies Language);
  await expect(page.getByRole("link", { name: de.screen.pages.tasks, exact: true })).toBeVisible();
  await page.context().close();
});

test("German, the longest of the languages: nothing is in English or cut off", async ({ browser, demo }) => {
  test.slow();
  const page = await pageIn(browser, "de");
  const states: [what: string, path: string][] = [
    ["a storm", `/?${STORM}#key=${KEY}`],
    ["the point", `/?${LINK}&tab=point`],
    ["the ship", `/?${LINK}&tab=ship&ship=16,-47,300,8,2026-09-15T12:00:00Z&tide=noaa:8443970`],
    ["the tasks", "/tasks"],
    ["the alerts", "/inbox"],
    ["the feeds", "/status"],
    ["the API", "/docs"],
  ];
  for (const [what, path] of states) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(demo.url + path);
    if (path.startsWith("/?")) {
      await viewIsDrawn(page);
      const tabs = page.getByRole("tablist");
      expect
        .soft(await tabs.evaluate((row) => row.scrollWidth - row.clientWidth), what)
        .toBeLessThanOrEqual(0);
    } else await expect(page.getByRole("main")).toBeVisible();
    await expectNoEnglish(page, de, what);
    await expectWithinReach(page, what);
  }
  await page.context().close();
});
