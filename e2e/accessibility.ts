import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./map.ts";

/** Rule sets of axe that every page must pass. */
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Widths of a desk and of a phone, CSS pixels. */
export const widths = [1440, 390] as const;
export const themes = ["light", "dusk", "night"] as const;

interface Options {
  /** Themes to check. Themes only set colours, so the others than the light one are checked for contrast only. */
  inThemes?: readonly (typeof themes)[number][];
  /** CSS selector of the only part of the page that differs from an earlier check. */
  within?: string;
}

/** Largest height of the window in which a page is checked, CSS pixels. */
const MAX_HEIGHT = 4000;

/**
 * Expects no violations and no horizontal scrolling. Below a modal dialog nothing can be reached, so only the dialog is
 * checked.
 *
 * @param what State of the page, for the report.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  { inThemes = ["light"], within }: Options = {},
): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const found: unknown[] = [];
  // A page that scrolls is checked as a whole, because what lies under its foot only has to be scrolled to.
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const isLarger = whole > height && whole <= MAX_HEIGHT;
  if (isLarger) await page.setViewportSize({ width, height: whole });
  await nothingMoves(page);
  const isCovered = await page.evaluate(() => document.querySelector("dialog:modal") !== null);
  // An open menu on a phone leaves nothing else reachable, neither headings nor landmarks.
  const isInert = await page.evaluate(() => document.querySelector("[inert]") !== null);
  for (const theme of inThemes) {
    await setTheme(page, theme);
    // The page has no frames, so no second page is needed to merge their results. Passing rules are not reported,
    // because collecting and sending them takes as long as the checks.
    const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode(true);
    if (isCovered) axe.include("dialog[open]");
    else if (within) axe.include(within);
    if (theme === "light") axe.withTags(rules);
    else axe.withRules("color-contrast");
    if (isInert) axe.disableRules(["landmark-one-main", "page-has-heading-one"]);
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      found.push([theme, id, nodes.map(({ html, any }) => [html, any[0]?.message])]);
  }
  await setTheme(page, "light");
  if (isLarger) await page.setViewportSize({ width, height });
  expect.soft(found, `${what} at ${width} px`).toEqual([]);
  const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(scrollWidth, `${what} at ${width} px`).toBeLessThanOrEqual(width);
}

/**
 * Waits for the end of transitions, because a moving panel may cover half a button for a moment. What moves with
 * scrolling is at rest.
 */
async function nothingMoves(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect, timeline }) =>
          timeline !== document.timeline ||
          playState !== "running" ||
          effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  );
}

function setTheme(page: Page, theme: string): Promise<void> {
  return page.evaluate((it) => {
    document.documentElement.dataset.theme = it;
  }, theme);
}
