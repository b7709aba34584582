import type { Page } from "@playwright/test";
import { expect, openMap, test, timeSlider } from "./map.ts";
import { mapIsSettled, twoFrames } from "./probe.ts";
import { countRenders, rendersOf, resetRenders } from "./renders.ts";

test.use({ viewport: { width: 1280, height: 720 } });

/** Components that show no time and no camera. */
const still = {
  layers: ['[aria-label^="Layer: "]', 1],
  menu: ['[aria-label="Menu"]', 1],
  region: ["main:not(.print-sheet)", 0],
  chip: [".map-chip", 0],
  panel: ["aside.panel", 1],
  outlook: [".outlook", 0],
  chart: [".chart-night", 1],
  print: [".print-sheet", 0],
} as const;

/** Components that show the time of the map. */
const timed = {
  map: ['[data-testid="map"]', 0],
  /** It turns grey with a field of another time, on slow machines. */
  legend: [".legend", 0],
  timeBar: [".time-bar", 0],
  conditions: [".outlook", 1],
  picture: [".chart-stack", 0],
  description: ['[data-testid="view-words"]', 0],
} as const;

/**
 * Most renders of all components for a step in time: some 120, and more on a slow machine, where legend and words turn grey
 * before each step is drawn.
 */
const ALL_PER_STEP = 180;

const none = Object.fromEntries(Object.keys(still).map((name) => [name, 0]));

/** Opens the demo world with isobars, storms and the conditions of a point. */
async function openCounted(page: Page, origin: string): Promise<void> {
  await countRenders(page);
  await openMap(page, "c=30,-60&z=3&p=35,-50&t=2026-09-15T12:00:00Z&o=isobars,storms", origin);
  await expect(page.locator(".chart-night").first()).toBeVisible();
  // The members of the ensemble are asked for after the first interaction, and their bands change the chart once.
  await page.keyboard.press("Shift");
  await expect(page.getByTestId("bands")).toBeVisible({ timeout: 90_000 });
  await mapIsSettled(page);
}

/** Renders while something happens, of `still`, of `timed` and of all components. */
async function rendersDuring(page: Page, act: () => Promise<unknown>) {
  await resetRenders(page);
  await act();
  await mapIsSettled(page);
  const { all, ...ofStill } = await rendersOf(page, still);
  const ofTimed = await rendersOf(page, timed);
  test.info().annotations.push({ type: "renders", description: JSON.stringify({ ...ofStill, ...ofTimed }) });
  return { all, ofStill, ofTimed };
}

// All is done on one page, because opening it costs more than any of this.
test("a film, a step in time, a move of the map and a moving pointer each render only what shows them", async ({
  page,
  demo,
}) => {
  // The test does what four others would do.
  test.slow();
  await openCounted(page, demo.url);
  await test.step("a film renders no more at each step", async () => {
    const { all, ofStill } = await rendersDuring(page, async () => {
      await page.getByRole("button", { name: "Play", exact: true }).click();
      // Software takes seconds for a step on a busy machine. Start and end of the film count little beside nine steps.
      await expect(page).toHaveURL(/t=2026-09-15T2[1-3]:00:00Z/, { timeout: 90_000 });
      await page.getByRole("button", { name: "Pause" }).click();
    });
    const ended = new URL(page.url()).searchParams.get("t") ?? "";
    const steps = (Date.parse(ended) - Date.parse("2026-09-15T12:00:00Z")) / 3_600_000;
    expect(ofStill).toEqual(none);
    expect(all / steps).toBeLessThan(ALL_PER_STEP);
  });

  await test.step("a step in time renders what shows the time, and neither the panel around it nor its charts", async () => {
    const steps = 6;
    const { all, ofStill, ofTimed } = await rendersDuring(page, async () => {
      await timeSlider(page).focus();
      for (let step = 0; step < steps; step++) {
        await page.keyboard.press("ArrowRight");
        await mapIsSettled(page);
      }
    });
    expect(ofStill).toEqual(none);
    // The wanted time, then the drawn one.
    expect(ofTimed.timeBar).toBeLessThanOrEqual(2 * steps);
    expect(ofTimed.picture).toBeLessThanOrEqual(steps);
    expect(all / steps).toBeLessThan(ALL_PER_STEP);
  });

  await test.step("a move of the map renders nothing of the panel", async () => {
    const { ofStill, ofTimed } = await rendersDuring(page, async () => {
      await page.getByRole("application", { name: "Weather map" }).focus();
      await page.keyboard.press("ArrowRight");
      await expect(page).not.toHaveURL(/c=30,-60&/);
    });
    expect(ofStill).toEqual(none);
    expect(ofTimed).toMatchObject({ legend: 0, timeBar: 0, conditions: 0, picture: 0 });
  });

  await test.step("a moving pointer renders the value beside it only", async () => {
    const moves = 20;
    const { all, ofStill, ofTimed } = await rendersDuring(page, async () => {
      for (let move = 0; move < moves; move++) {
        await page.mouse.move(300 + 10 * move, 300);
        await twoFrames(page);
      }
    });
    await expect(page.locator(".hover-readout")).toBeVisible();
    expect(ofStill).toEqual(none);
    expect(ofTimed).toMatchObject({ map: 0, legend: 0, timeBar: 0, conditions: 0, picture: 0 });
    // The value, and the line of the position.
    expect(all).toBeLessThanOrEqual(3 * moves);
  });
});
