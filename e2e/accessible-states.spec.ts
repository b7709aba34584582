import type { Page } from "@playwright/test";
import { stormOutlooks } from "#lib/contract/storms.ts";
import { en } from "#test/all-words.ts";
import { expectAccessible, widths } from "./accessibility.ts";
import { expect, pageIn, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { KEY } from "./server.ts";

/** A sampled point at sea, and storms. */
const VIEW = "c=21,-54&z=3&p=24,-58&o=storms";
const [DESK, PHONE] = widths;
const HEIGHT = 900;

test("what comes up over the map, and a page that is offline or printed, has no axe violations", async ({
  browser,
  demo,
}) => {
  // Dozens of checks of one page.
  test.slow();
  const { access, screen, ship, storms, ui } = en;
  const page = await pageIn(browser, "en");
  const dialog = (name: string) => page.getByRole("dialog", { name });
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });

  await page.goto(`${demo.url}/?${VIEW}#key=no-such-key`);
  const refused = dialog(access.key.titles.refused);
  await expect(refused).toBeVisible();
  await atDeskAndPhone(page, () => expectAccessible(page, "a key that is refused"));
  await refused.getByLabel(access.key.label, { exact: true }).fill(KEY);
  await refused.getByRole("button", { name: access.key.use }).click();
  await mapIsSettled(page);
  await page.goto(`${demo.url}/?${VIEW}#key=a-foreign-key`);
  await expect(dialog(access.offered.title)).toBeVisible();
  await atDeskAndPhone(page, () => expectAccessible(page, "a link with another key"));
  await page.keyboard.press("Escape");

  await atDeskAndPhone(page, async (width) => {
    await button(width === DESK ? screen.link.copy : screen.menu).click();
    await expect(page.getByRole("group", { name: screen.link.shows })).toBeVisible();
    await expectAccessible(page, "the menu of links");
    await page.keyboard.press("Escape");
  });
  await button(screen.disclaimer.sentence).click();
  await expect(dialog(screen.disclaimer.title)).toBeVisible();
  await atDeskAndPhone(page, () => expectAccessible(page, "the disclaimer"));
  await page.keyboard.press("Escape");

  await page.context().setOffline(true);
  await expect(
    page.getByText(screen.notices.offlineSaved({ time: "" }).trim().slice(0, 10)).first(),
  ).toBeVisible();
  await atDeskAndPhone(page, () => expectAccessible(page, "a page that is offline"));
  await page.context().setOffline(false);

  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  await expect(page.getByTestId("print-sheet")).toBeVisible();
  // Always by day, and as wide as paper: the rules that depend on neither are checked at the width of a desk.
  await expectAccessible(page, "the sheet that is printed");
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));

  const reply = await page.request.get(`${demo.url}/storms/outlooks?provider=jtwc`, {
    headers: { "x-api-key": KEY },
  });
  const areas = stormOutlooks.parse(await reply.json()).results.flatMap((outlook) => outlook.areas);
  const { id } = areas.find(({ storm_id }) => storm_id === null)!;
  await page.evaluate(() => localStorage.setItem("metocean-ship", "20,-55,0,0,2026-09-15T12:00:00Z"));
  await page.goto(`${demo.url}/?${VIEW}&storm=${id}&ship=10,-40,90,12,2026-09-15T12:00:00Z`);
  await expect(dialog(ship.choice.title)).toBeVisible();
  await atDeskAndPhone(page, () => expectAccessible(page, "a link with another ship"));
  await page.keyboard.press("Escape");
  await atDeskAndPhone(page, async (width) => {
    const back = button(storms.allStorms);
    if (width === PHONE && !(await back.isVisible())) await button(ui.raise).click();
    await expect(back).toBeVisible();
    await expectAccessible(page, "the card of an area");
  });
  await page.context().close();
});

async function atDeskAndPhone(page: Page, check: (width: number) => Promise<void>): Promise<void> {
  for (const width of [DESK, PHONE]) {
    await page.setViewportSize({ width, height: HEIGHT });
    await check(width);
  }
  await page.setViewportSize({ width: DESK, height: HEIGHT });
}
