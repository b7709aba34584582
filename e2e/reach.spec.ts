import type { Page } from "@playwright/test";
import { expect, test } from "./map.ts";
import { mapIsSettled, twoFrames } from "./probe.ts";
import { cutOff } from "./reach.ts";
import { askApi, KEY } from "./server.ts";

/**
 * Widths in CSS pixels, from phones to desks and on both sides of the widths where the layout changes. Heights are
 * those of small windows.
 */
const widths = [320, 640, 760, 780, 1024, 1920];
const heightOf = (width: number) => (width < 768 ? 640 : 720);

/** Puts `cutOff` and the walks below into the page. */
async function prepare(page: Page): Promise<void> {
  await page.evaluate(`window.cutOff = ${cutOff.toString()}; window.walks = (${walks.toString()})();`);
}

type Walk = keyof ReturnType<typeof walks>;

/** Opens everything that a user can open, in turn, without waiting for the browser's driver. It runs in the page. */
function walks() {
  const check = (window as unknown as { cutOff: typeof cutOff }).cutOff;
  const rendered = () => new Promise((done) => setTimeout(done));
  const shown = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());
  const named = (name: RegExp, selector = "button") =>
    shown(selector).find((one) => name.test(one.getAttribute("aria-label") ?? one.textContent?.trim() ?? ""));
  const press = async (name: RegExp, selector?: string) => {
    const found = named(name, selector);
    if (!found) throw new Error(`There is no ${name}`);
    found.click();
    await rendered();
  };
  const pressEscape = async () => {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
    await rendered();
  };
  const found: string[] = [];
  const note = (where: string, problems: string[]) =>
    found.push(...problems.map((one) => `${where}: ${one}`));

  /** Opens each menu below an element in turn. The sheet itself must be visible at once. */
  const menus = async (within: string) => {
    const openers = shown(`${within} [aria-expanded]`).filter(
      (one) => !one.closest(".panel-sheet > :first-child"),
    );
    for (const opener of openers) {
      const where = `menu ${opener.getAttribute("aria-label") ?? opener.textContent}`;
      for (let box = opener.parentElement; box; box = box.parentElement)
        if (/auto|scroll/.test(getComputedStyle(box).overflowY))
          box.scrollTop +=
            opener.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
      opener.focus();
      opener.click();
      await rendered();
      const sheet = document.getElementById(opener.getAttribute("aria-controls") ?? "");
      if (!sheet) {
        note(where, ["does not open"]);
        continue;
      }
      sheet.dataset.reach = "";
      // The frame of the menu is checked without scrolling.
      note(
        where,
        check({ within: `:has(> [data-reach])`, still: true }).filter((line) => line.startsWith("div")),
      );
      note(where, check({ within: `#${CSS.escape(sheet.id)}` }));
      delete sheet.dataset.reach;
      await pressEscape();
      if (opener.getAttribute("aria-expanded") === "true") opener.click();
      await rendered();
    }
  };
  const dialog = async (where: string, options?: Parameters<typeof cutOff>[0]) => {
    if (!document.querySelector("dialog:modal")) note(where, ["does not open"]);
    note(where, check({ within: "dialog", ...options }));
  };
  const closeDialog = () => press(/^Close$/, "dialog button");
  const result = () => found.splice(0);

  return {
    /** Walks the map page with its panel, menus and dialogs. */
    async map(phone: boolean) {
      note("map", check());
      await menus(".top-bar");
      const canvas = document.querySelector<HTMLElement>(".maplibregl-canvas");
      const list = named(/^List values/);
      list?.focus();
      if (!list?.matches(":focus-visible"))
        throw new Error("The list of values is not focused as by keyboard");
      note("map", check({ within: "main" }));
      list?.click();
      await rendered();
      await dialog("values in view");
      await closeDialog();
      await menus(".legends");
      await press(/Not for navigation/);
      note("disclaimer", check({ within: ".map-about" }));
      await press(/Not for navigation/);
      canvas?.focus();
      canvas?.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
      await rendered();
      await dialog("keys");
      await closeDialog();
      for (const stop of phone ? ["half", "full"] : ["beside"]) {
        await press(/^Point$/, "[role=tab]");
        if (stop === "full") await press(/^Raise the panel/);
        note(`point, ${stop}`, check({ within: ".panel" }));
        await press(/^Storms/, "[role=tab]");
        note(`storms, ${stop}`, check({ within: ".panel" }));
        await press(/DEMOREEF/);
        note(`card, ${stop}`, check({ within: ".panel" }));
        await menus(".panel-body");
        await press(/All storms/);
      }
      await press(/^Point$/, "[role=tab]");
      if (phone) {
        await press(/^Lower the panel/);
        await press(/^Lower the panel/);
      }
      return result();
    },
    /** Walks the page of the tasks, and both forms. */
    async tasks() {
      note("tasks", check());
      await menus("main");
      await press(/^New task$/);
      for (const kind of [/^A box/, /^A list/]) {
        await press(kind);
        await dialog(`form for ${kind.source}`);
        document.querySelector("dialog")!.scrollTop = 0;
        // The submit button and the errors are visible before anything is scrolled.
        await dialog(`foot of the form for ${kind.source}`, {
          within: "dialog .form-foot",
          still: true,
        });
      }
      await closeDialog();
      return result();
    },
    async page() {
      note("page", check());
      return result();
    },
  };
}

/** Walks at every width. @returns Controls out of reach, with the widths. */
async function outOfReach(page: Page, walk: Walk): Promise<Record<string, string>> {
  const byProblem = new Map<string, number[]>();
  for (const width of widths) {
    await page.setViewportSize({ width, height: heightOf(width) });
    // Between wide and narrow windows other parts of the page are rendered.
    if (width === widths[0]) await twoFrames(page);
    const problems = await page.evaluate(
      ([walk, phone]) => (window as unknown as { walks: ReturnType<typeof walks> }).walks[walk](phone),
      [walk, width < 768] as const,
    );
    for (const problem of problems) {
      const key = problem.replace(/, -?\d+…-?\d+ × -?\d+…-?\d+/, "");
      byProblem.set(key, [...(byProblem.get(key) ?? []), width]);
    }
  }
  return Object.fromEntries([...byProblem].map(([problem, at]) => [problem, at.join(" ")]));
}

test("every control of every page, menu, dialog and card can be reached at any width", async ({
  page,
  demo,
}) => {
  // The test visits many widths of four pages.
  test.slow();
  await askApi(`${demo.url}/MetOcean/async`, {
    points: [{ latitude: 48.5, longitude: -5.17, timestamp: "2026-09-15T12:00:00Z" }],
    variables: ["wind"],
    task_name: "A point west of Ushant, with a name that is rather long",
  });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${demo.url}/?c=21,-54&z=3&p=24,-58&o=storms#key=${KEY}`);
  await mapIsSettled(page);
  await page.getByRole("tab", { name: "Storms" }).click();
  await page.getByRole("button", { name: "DEMOREEF" }).click();
  await expect(page.getByRole("region", { name: "Storm DEMOREEF" }).getByRole("table").first()).toBeVisible();
  await page.getByRole("button", { name: "All storms" }).click();
  await page.getByRole("tab", { name: "Point" }).click();
  await prepare(page);
  // From here on the focus is visible, as by keyboard.
  await page.keyboard.press("Tab");
  expect.soft(await outOfReach(page, "map"), "the map").toEqual({});

  await page.goto(`${demo.url}/tasks`);
  await expect(page.getByRole("listitem").filter({ hasText: "Ushant" })).toContainText("Done");
  await prepare(page);
  expect.soft(await outOfReach(page, "tasks"), "tasks").toEqual({});
  for (const path of ["/status", "/docs", "/inbox"]) {
    await page.goto(`${demo.url}${path}`);
    await prepare(page);
    expect.soft(await outOfReach(page, "page"), path).toEqual({});
  }
});
