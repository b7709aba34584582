import type { Locator, Page } from "@playwright/test";

/** Cost of a journey. */
export interface Cost {
  actions: number;
  /** Time from the first action until the result is on the screen. */
  seconds: number;
}

/** A person at the page. Each click, tap, key, typed text, chosen file and scroll counts as one action. */
export interface Person {
  /** Clicks or taps. A control out of sight is scrolled to first. */
  click(control: Locator): Promise<void>;
  press(...keys: string[]): Promise<void>;
  /** Presses Tab, or Shift+Tab, until a control has the focus. */
  tabTo(control: Locator, key?: "Tab" | "Shift+Tab"): Promise<void>;
  type(text: string): Promise<void>;
  choose(field: Locator, file: { name: string; text: string }): Promise<void>;
}

const MAX_STOPS = 40;

/**
 * Performs a person's actions and counts them.
 *
 * @param journey Ends when the wanted result is on the screen.
 */
export async function counted(page: Page, journey: (person: Person) => Promise<void>): Promise<Cost> {
  let actions = 0;
  const bring = async (control: Locator) => {
    await control.waitFor();
    if (await control.evaluate(isInSight)) return;
    actions++;
    await control.scrollIntoViewIfNeeded();
  };
  const begun = Date.now();
  await journey({
    async click(control) {
      await bring(control);
      actions++;
      await control.click();
    },
    async press(...keys) {
      for (const key of keys) {
        actions++;
        await page.keyboard.press(key);
      }
    },
    async tabTo(control, key = "Tab") {
      await control.waitFor();
      for (let stops = 0; stops < MAX_STOPS; stops++) {
        actions++;
        await page.keyboard.press(key);
        if (await control.evaluate((it) => it === document.activeElement)) return;
      }
      throw new Error(`${control} is not among the next ${MAX_STOPS} stops of ${key}`);
    },
    async type(text) {
      actions++;
      await page.keyboard.type(text);
    },
    async choose(field, { name, text }) {
      await bring(field);
      actions++;
      await field.setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
    },
  });
  return { actions, seconds: (Date.now() - begun) / 1000 };
}

/** Whether the middle of an element can be reached without scrolling. It runs in the page. */
function isInSight(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && (element.contains(hit) || hit.closest("label")?.contains(element) === true);
}
