import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./map.ts";

/** Rule sets of axe that every page keeps. */
export const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The widths that every page is looked at in, CSS pixels, and the themes. */
export const widths = [1440, 390, 360] as const;
const themes = ["light", "dusk", "night"] as const;

/**
 * Expects that axe finds nothing in any theme, and that nothing scrolls sideways. A theme only sets colours, and a width
 * only moves things: what depends on neither is looked at once, in the widest page.
 *
 * @param what Of the page is looked at, for the report.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const { width } = page.viewportSize()!;
  const flaws: unknown[] = [];
  for (const theme of themes) {
    await setTheme(page, theme);
    // The page has no frames: no page of its own is needed to put their results together.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    if (theme !== "light") axe.withRules("color-contrast");
    else if (width === widths[0]) axe.withTags(rules);
    else axe.withRules(["color-contrast", "target-size"]);
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations)
      flaws.push([theme, id, nodes.map(({ html, any }) => [html, any[0]?.message])]);
  }
  await setTheme(page, "light");
  expect.soft(flaws, `${what} at ${width} px`).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(wide, `${what} at ${width} px`).toBeLessThanOrEqual(width);
}

function setTheme(page: Page, theme: (typeof themes)[number]): Promise<void> {
  return page.evaluate((it) => {
    document.documentElement.dataset.theme = it;
  }, theme);
}
