import { expect, openMap, openPage, pageIsHydrated, test } from "./map.ts";
import { KEY } from "./server.ts";

test.use({ viewport: { width: 960, height: 600 } });

test("the first hint gives way to the storms, and disappears with the click that it asks for", async ({
  page,
  demo,
}) => {
  await page.goto(`${demo.url}/?c=40,-40&z=4#key=${KEY}`);
  await pageIsHydrated(page);
  const hint = page.getByText("Click the sea for conditions.");
  await expect(hint).toBeVisible();
  await page.getByRole("tab", { name: /^Storms/ }).click();
  await expect(hint).toHaveCount(0);
  await page.getByRole("tab", { name: "Point" }).click();
  await expect(hint).toBeVisible();
  const map = page.getByRole("application", { name: "Weather map" });
  // The click is repeated until the map is ready.
  await expect(async () => {
    await map.click({ position: { x: 200, y: 300 } });
    await expect(page).toHaveURL(/[?&]p=/, { timeout: 1000 });
  }).toPass();
  await expect(hint).toHaveCount(0);
});

test("a layer is one action away by its icon, and choosing one in the menu closes the menu that covered the picture", async ({
  quietPage: page,
  demo,
}) => {
  await openPage(page, "c=40,-40&z=4&l=none&o=", demo.url);
  const opener = page.getByRole("button", { name: /^Layer: / });
  const gusts = page.getByRole("button", { name: "Gusts", exact: true });
  await gusts.click();
  await expect(page).toHaveURL(/l=gust/);
  await expect(gusts).toHaveAttribute("aria-pressed", "true");
  await opener.click();
  const menu = page.locator(".menu.sheet");
  await expect(menu.getByRole("group")).toHaveCount(5);
  await menu.getByRole("button", { name: "Depth", exact: true }).click();
  await expect(page).toHaveURL(/l=bathy/);
  await expect(opener).toHaveAttribute("aria-expanded", "false");
  await expect(opener).toBeFocused();
});

test("the map moves to a ship that is pinned", async ({ quietPage: page, demo }) => {
  await openMap(page, "c=40,-20&z=4&l=none&o=storms", demo.url);
  await page.getByRole("application", { name: "Weather map" }).press("m");
  const panel = page.getByRole("region", { name: "My ship" });
  await panel.getByLabel("Position", { exact: true }).fill("10 00S 179 30W");
  await panel.getByRole("button", { name: "Pin my ship" }).click();
  await expect(page).toHaveURL(/c=-10(?:\.0+)?,-179\.5/);
});

test("a browser that blocks site data has map, conditions, settings and the pages", async ({
  page,
  demo,
}) => {
  const errors: string[] = [];
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "caches"])
      Object.defineProperty(window, name, {
        configurable: true,
        get() {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
  });
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(`${demo.url}/?c=40,-40&z=4&l=none&o=&p=40,-40#key=${KEY}`);
  await pageIsHydrated(page);
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.keyboard.press("Escape");
  for (const path of ["/docs", "/inbox", "/tasks", "/status"]) {
    await page.goto(`${demo.url}${path}`);
    await expect(page.getByRole("main")).toBeVisible();
  }
  expect(errors).toEqual([]);
  // The storage of an open page is cleared after the test, which would throw here.
  await page.goto("about:blank");
});
