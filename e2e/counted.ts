import type { Locator, Page } from "@playwright/test";

/** What a journey cost. */
export interface Cost {
  actions: number;
  /** From its first action until its end was on the screen. */
  seconds: number;
}

/** A person at the page. A click, a tap, a key, a text that is typed, a file that is chosen and a scroll are an action each. */
export interface Person {
  /** Clicks or taps; what is out of sight is scrolled to first. */
  click(control: Locator): Promise<void>;
  press(...keys: string[]): Promise<void>;
  /** Presses Tab, or Shift+Tab, until a control has the focus. */
  tabTo(control: Locator, key?: "Tab" | "Shift+Tab"): Promise<void>;
  type(text: string): Promise<void>;
  choose(field: Locator, file: { name: string; text: string }): Promise<void>;
}

const MAX_STOPS = 40;

/**
 * Does what a person would, and counts it.
 *
 * @param journey Ends when what was wanted is on the screen.
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

/** Whether a hand finds the middle of an element without scrolling. Runs in the page. */
function isInSight(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && (element.contains(hit) || hit.closest("label")?.contains(element) === true);
}
