import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "./accessibility.ts";
import {
  drawCoarsely,
  expect,
  legendButton,
  openMap,
  openPage,
  provenance,
  sharedMap,
  test,
  timeSlider,
} from "./map.ts";
import { mapIsSettled } from "./probe.ts";

// The demo's clock is at Tue 15 Sep 2026 12:00 UTC.
test.use({ viewport: { width: 960, height: 700 } });

const VIEW = "c=30,-60&z=3&o=";

const time = (page: Page) => page.getByRole("region", { name: "Time" });
const label = (page: Page) => page.getByRole("button", { name: /Choose another date and time/ });
const picker = (page: Page) => page.getByRole("dialog", { name: "Date and time" });

test("tomorrow 18:00 by mouse, and steps of six hours from there; by keyboard a time out of range and a day of another year", async ({
  page,
  demo,
}) => {
  await openPage(page, VIEW, demo.url);
  await label(page).click();
  await page.getByRole("button", { name: "Wednesday 16 September 2026, forecast" }).click();
  await page.getByRole("button", { name: "18:00", exact: true }).click();
  await expect(picker(page)).toHaveCount(0);
  await expect(time(page)).toContainText("Wed 16 Sep 2026 18:00 UTC");
  await expect(page).toHaveURL(/t=2026-09-16T18:00:00Z/);

  await label(page).click();
  await expect(page.getByRole("button", { name: "Saturday 5 September 2026, hindcast" })).toBeVisible();
  await expect(
    page.getByRole("button", { name: "Saturday 26 September 2026, out of range" }),
  ).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page, "the dialog for date and time");
  await page.getByRole("button", { name: "6 h", exact: true }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(label(page)).toBeFocused();
  await page.getByRole("button", { name: "Forward one step" }).click();
  await expect(time(page)).toContainText("Thu 17 Sep 2026 00:00 UTC");
  await page.getByRole("application", { name: "Weather map" }).focus();
  await page.keyboard.press("[");
  await expect(time(page)).toContainText("Wed 16 Sep 2026 18:00 UTC");

  // By keyboard a time out of range is explained in words, and a day is chosen by the arrow keys. e2e/journeys.spec.ts
  // counts the actions.
  await page.keyboard.press("d");
  await page.keyboard.type("24 dec 12h");
  await expect(picker(page).getByRole("status")).toContainText(
    "That is beyond the forecast, which ends here: Fri 25 Sep 2026 12:00 UTC",
  );
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("soon");
  await expect(picker(page).getByRole("status")).toContainText("Not understood");
  await page.getByRole("button", { name: "Wednesday 16 September 2026" }).focus();
  // The keys go a year and a week back, and a day forward; then comes the step before.
  for (const key of ["Shift+PageUp", "ArrowUp", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await expect(page.getByRole("button", { name: "18:00", exact: true })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(time(page)).toContainText("Wed 10 Sep 2025 12:00 UTC");
  await expect(timeSlider(page)).toHaveAttribute("aria-valuetext", /Hindcast-3Y/);
});

test("at 390 px: the archive by month, day and hour, ten days earlier, the same by its link, and back in one action", async ({
  page,
  demo,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openPage(page, VIEW, demo.url);
  await label(page).click();
  await expect(page.getByRole("button", { name: "Hindcast-3Y Sep 2023 to Jun 2026" })).toBeVisible();
  await page.getByLabel("Month", { exact: true }).selectOption("February 2024");
  await page.getByRole("button", { name: "Thursday 29 February 2024, hindcast" }).click();
  await page.getByRole("button", { name: "06:00", exact: true }).click();
  await expect(time(page)).toContainText("Thu 29 Feb 2024 06:00 UTC");
  await expect(timeSlider(page)).toHaveAttribute("aria-valuetext", /Hindcast-3Y · 929 d ago/);
  await mapIsSettled(page);
  await expectAccessible(page, "a window of the past");
  await page.getByRole("button", { name: "Ten days earlier" }).click();
  await expect(time(page)).toContainText("Mon 19 Feb 2024 06:00 UTC");
  await expect(page).toHaveURL(/t=2024-02-19T06:00:00Z/);
  const link = page.url();
  await page.getByRole("button", { name: "Back to the forecast" }).click();
  await expect(time(page)).toContainText("Tue 15 Sep 2026 12:00 UTC");
  await expect(timeSlider(page)).toHaveAttribute("aria-valuetext", /Forecast · now/);

  await page.goto(link);
  await expect(time(page)).toContainText("Mon 19 Feb 2024 06:00 UTC");
  await expect(provenance(page)).toContainText("DEMO-WORLD");
  await expect(page.getByRole("button", { name: "Back to the forecast" })).toBeInViewport();
});

const map = sharedMap({ width: 960, height: 700 });

test("while it plays, the time bar names the time of the picture, even where frames are slow", async ({
  demo,
}) => {
  const page = map.page();
  await map.show(`${VIEW}&t=2026-09-15T12:00:00Z`, demo.url);
  let open = false;
  const waiting: (() => Promise<void>)[] = [];
  await page.route("**/2DMetOcean/*frames/**", (route) => {
    if (open || !route.request().url().includes("2026-09-17")) return route.continue();
    waiting.push(() => route.continue().catch(() => undefined));
    return undefined;
  });
  await label(page).click();
  await page.getByRole("button", { name: "Fast" }).click();
  await page.getByRole("button", { name: "6 h", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page).toHaveURL(/t=2026-09-17T00:00:00Z/);
  // The frames of the 17th are held back.
  await expect(provenance(page)).toContainText("valid Wed 16 Sep 2026 18:00 UTC");
  await expect(time(page)).toContainText("Wed 16 Sep 2026 18:00 UTC");
  await expect(page.getByTestId("old-field")).toHaveCount(0);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(time(page)).toContainText("Thu 17 Sep 2026 00:00 UTC");
  await expect(page.getByTestId("old-field")).toContainText("of Wed 16 Sep 18:00 UTC");
  open = true;
  await Promise.all(waiting.map((go) => go()));
  await mapIsSettled(page);
  await expect(provenance(page)).toContainText("valid Thu 17 Sep 2026 00:00 UTC");
});

test("playing goes on while another layer is read, and draws the later times of it", async ({ demo }) => {
  const page = map.page();
  await map.show(`${VIEW}&t=2026-09-15T12:00:00Z`, demo.url);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page).not.toHaveURL(/t=2026-09-15T12/);
  await page.getByRole("application", { name: "Weather map" }).press("2");
  await expect(legendButton(page)).toHaveAccessibleName(/^m: /);
  const { searchParams } = new URL(page.url());
  await expect(page).not.toHaveURL(new RegExp(`t=${searchParams.get("t")}`));
  await page.getByRole("button", { name: "Pause" }).click();
});

test.describe("on a touch screen", () => {
  // Each context compiles the scripts of the page anew, so the tests share one.
  let page: Page;
  test.beforeAll(async ({ browser }) => {
    page = await touchPage(browser);
  });
  test.afterAll(() => page.context().close());

  test("a tap sets the time below the finger, a drag takes it along, and after a rest the finger moves it by hours", async ({
    demo,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, `${VIEW}&t=2026-09-15T12:00:00Z`, demo.url);
    const { x, y, width, height } = (await page.locator(".timeline").boundingBox())!;
    const client = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", at?: number) =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: at === undefined ? [] : [{ x: at, y: y + height / 2 }],
      });
    const shown = async () => Number(await timeSlider(page).inputValue());
    const above = page.locator(".timeline-finger");
    const start = await shown();

    // A finger that comes to rest changes nothing; from then on, ten pixels are an hour.
    const middle = x + width / 2;
    await touch("touchStart", middle);
    await expect(above).toHaveAttribute("data-fine", "true");
    expect(await shown()).toBe(start);
    for (const [pixels, hours] of [
      [30, 3],
      [-20, -2],
    ] as const) {
      await touch("touchMove", middle + pixels);
      await expect.poll(shown).toBe(start + hours * 3600);
    }
    await expect(above).toHaveText("Tue 15 Sep 10:00");
    const text = (await above.boundingBox())!;
    expect(text.y + text.height).toBeLessThan(y - 16);
    expect(text.x + text.width).toBeLessThanOrEqual(390);
    await touch("touchEnd");
    await expect(above).toHaveCount(0);

    // The bar is from five days before to ten days after now.
    await page.touchscreen.tap(x + width - 8, y + height / 2);
    await expect(time(page)).toContainText("Fri 25 Sep 2026 12:00 UTC");
    // Nothing waits in between, because on a busy machine the finger would come to rest.
    await Promise.all([
      touch("touchStart", x + width - 8),
      touch("touchMove", middle),
      touch("touchMove", x + 8),
      touch("touchEnd"),
    ]);
    await expect(time(page)).toContainText("Thu 10 Sep 2026");
    await client.detach();
  });

  test("every control of the map is 44 pixels high and wide, at 390 × 844 and 844 × 390", async ({
    demo,
  }) => {
    await openMap(page, `${VIEW}&t=2026-09-16T12:00:00Z`, demo.url);
    await page.keyboard.press("Shift");
    for (const [width, height] of [
      [390, 844],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      // The map has the switch to members after the first interaction. The note that the field is loading covers a part of
      // the chip's target.
      await expect(page.getByRole("button", { name: "How sure?" })).toBeVisible();
      await mapIsSettled(page);
      expect(await page.evaluate(smallTargets), `${width} × ${height}`).toEqual([]);
    }
  });
});

async function touchPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, serviceWorkers: "block" });
  const page = await context.newPage();
  await drawCoarsely(page);
  return page;
}

/** Visible buttons and tabs that are smaller for a finger than 44 pixels. It runs in the page. */
function smallTargets(): string[] {
  const FINGER = 44;
  return [...document.querySelectorAll("button, [role=tab], .timeline")].flatMap((one) => {
    if (!one.checkVisibility({ visibilityProperty: true })) return [];
    const { left, top, width, height } = one.getBoundingClientRect();
    // Pixels from the middle to an end, up to which a touch hits the control.
    const reach = (dx: number, dy: number) => {
      let pixels = 0;
      const at = () =>
        document.elementFromPoint(left + width / 2 + dx * pixels, top + height / 2 + dy * pixels);
      while (pixels < FINGER && one.contains(at())) pixels++;
      return pixels;
    };
    const [wide, high] = [reach(1, 0) + reach(-1, 0) - 1, reach(0, 1) + reach(0, -1) - 1];
    if (width < 3 || wide < 0 || (wide >= FINGER && high >= FINGER)) return [];
    return [`${one.getAttribute("aria-label") ?? one.textContent} ${wide} × ${high}`];
  });
}
