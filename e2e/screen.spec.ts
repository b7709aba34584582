import type { Page } from "@playwright/test";
import { expect, openMap, openPage, test } from "./map.ts";
import { twoFrames } from "./probe.ts";

/**
 * Windows of a phone, of a phone on its side, of a desk, and of a desk at 200 % zoom, with the share of each that the
 * map has at rest (docs/screen.md).
 */
const windows = [
  { width: 390, height: 844, share: 0.75 },
  { width: 844, height: 390, share: 0.6 },
  { width: 720, height: 450, share: 0.45 },
  { width: 1440, height: 900, share: 0.65 },
] as const;

/** Share of the window in which nothing covers the map, whose credit has no ground of its own. It runs in the page. */
function mapShare(): number {
  const STEP = 4;
  let [map, all] = [0, 0];
  for (let y = STEP / 2; y < innerHeight; y += STEP)
    for (let x = STEP / 2; x < innerWidth; x += STEP) {
      all++;
      if (document.elementFromPoint(x, y)?.matches(".maplibregl-canvas, .maplibregl-ctrl-attrib *")) map++;
    }
  return map / all;
}

/**
 * Visible words and controls. @param within Only in this element. @param without Not in this element. It runs in the
 * page.
 */
function inSight({ within, without = "dialog" }: { within: string; without?: string }) {
  /** Smallest visible size; elements for screen readers only have 1 px. */
  const LEAST = 3;
  const isSeen = (rect: DOMRect, element: Element) => {
    let [left, top, right, bottom] = [
      Math.max(0, rect.left),
      Math.max(0, rect.top),
      Math.min(innerWidth, rect.right),
      Math.min(innerHeight, rect.bottom),
    ];
    for (let box: Element | null = element; box; box = box.parentElement) {
      if (getComputedStyle(box).overflow === "visible") continue;
      const area = box.getBoundingClientRect();
      [left, top] = [Math.max(left, area.left), Math.max(top, area.top)];
      [right, bottom] = [Math.min(right, area.right), Math.min(bottom, area.bottom)];
    }
    return right - left >= LEAST && bottom - top >= LEAST;
  };
  const visible = (element: Element) =>
    element.closest(without) === null &&
    getComputedStyle(element).clipPath === "none" &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const root = document.querySelector(within)!;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const words: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement!;
    const range = document.createRange();
    range.selectNodeContents(node);
    if (visible(parent) && isSeen(range.getBoundingClientRect(), parent))
      words.push(...(node.textContent ?? "").split(/\s+/).filter(Boolean));
  }
  const controls = [...root.querySelectorAll("button, a, input, select, summary, [role=tab]")]
    .filter((one) => visible(one) && isSeen(one.getBoundingClientRect(), one))
    .map((one) => one.getAttribute("aria-label") ?? one.textContent ?? "");
  return { words, controls };
}

test("the map fills the window, and a desk with a point open has few words and controls", async ({
  page,
  demo,
}) => {
  await page.addInitScript(() => localStorage.setItem("metocean-hint", "seen"));
  // The point also has a row of the tide.
  await openMap(page, "c=46,-12&z=4.5&p=48.2,-5.1", demo.url);
  await expect(page.locator('[data-row="tide"]')).toBeAttached();
  await expect(page.getByTestId("models")).toBeAttached();
  // On a phone and over a slow connection texts have the device's font, which is wider here.
  await page.evaluate(() => delete document.documentElement.dataset.typeface);
  // A slow machine says that the server has not answered yet.
  const isWithoutNotice = () => expect(page.locator(".notice-bar")).toHaveCount(0);
  for (const { width, height, share } of windows) {
    await resize(page, width, height);
    await isWithoutNotice();
    const measured = await page.evaluate(mapShare);
    process.stdout.write(`map at ${width} × ${height}: ${(100 * measured).toFixed(1)} %\n`);
    expect.soft(measured, `${width} × ${height}`).toBeGreaterThanOrEqual(share);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await isWithoutNotice();
  const shell = await page.evaluate(inSight, { within: ".screen", without: ".panel-body" });
  const all = await page.evaluate(inSight, { within: ".screen" });
  const report = (name: string, { words, controls }: typeof all) =>
    `${name}: ${words.length} words, ${controls.length} controls\n`;
  process.stdout.write(report("around the panel", shell) + report("with a point open", all));
  // They include the numbers of five days, each of which is a control, five actions, what the models say, and the switch to
  // members of an ensemble, whose sentence may come later.
  expect.soft(all.words.length, all.words.join(" ")).toBeLessThanOrEqual(196);
  expect.soft(all.controls.length, all.controls.join(" | ")).toBeLessThanOrEqual(38);
  expect.soft(shell.words.length, shell.words.join(" ")).toBeLessThanOrEqual(60);
  expect.soft(shell.controls.length, shell.controls.join(" | ")).toBeLessThanOrEqual(24);
});

test("no word on a tile of the layer menu is broken", async ({ page, demo }) => {
  await openPage(page, "c=46,-12&z=4.5", demo.url);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await resize(page, width, height);
    await page.getByRole("button", { name: "Layer: Wind" }).click();
    const tiles = page.getByRole("group", { name: /^(Wind|Sea|Sky)$/ }).getByRole("button");
    await expect(tiles.first()).toBeVisible();
    expect(await tiles.evaluateAll(brokenWords)).toEqual([]);
    await page.keyboard.press("Escape");
  }
});

/** Words that stand on more than one line. */
function brokenWords(elements: Element[]): string[] {
  const texts = elements.flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (walker.nextNode()) found.push(walker.currentNode as Text);
    return found;
  });
  return texts.flatMap((text) =>
    [...text.data.matchAll(/\S+/g)].flatMap((word) => {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      return range.getClientRects().length > 1 ? [word[0]] : [];
    }),
  );
}

async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await twoFrames(page);
}
