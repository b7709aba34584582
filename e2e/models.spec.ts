import { expectAccessible } from "./accessibility.ts";
import { counted } from "./counted.ts";
import { expect, openPage, test } from "./map.ts";

test.use({ viewport: { width: 1440, height: 900 } });

test("at a place the models are asked once; whether they agree on a day takes 2 actions, and which one stands out 3", async ({
  page,
  demo,
}) => {
  const asked: { models?: string[] }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/MetOcean")) asked.push(request.postDataJSON());
  });
  await openPage(page, "c=40,-40&z=3&l=none&o=&t=2026-09-15T12:00:00Z", demo.url);
  const section = page.getByTestId("models");
  const agree = await counted(page, async ({ click }) => {
    await click(page.getByRole("application", { name: "Weather map" }));
    await expect(section).toContainText(/\d models .+\./);
    await click(page.getByRole("button", { name: /^Thu 17 Sep/ }));
    await expect(section).toContainText(/Thu 17 Sep: strongest wind \d+ kn/);
    await expect(section).toBeInViewport();
  });
  expect(agree.actions).toBe(2);
  const rows = section.getByRole("row");
  const which = await counted(page, async ({ click }) => {
    await click(section.getByRole("button", { name: /^Thu 17 Sep/ }));
    await expect(rows).toHaveCount(4);
    await expect(rows.last()).toBeInViewport();
  });
  expect(agree.actions + which.actions).toBe(3);
  expect(asked.filter(({ models }) => models)).toMatchObject([
    { models: ["demo-world", "demo-early", "demo-late"] },
  ]);
  await expect(section.getByRole("row", { name: "DEMO-LATE" })).toContainText("lacks waves");

  // The page shows the pressed model, and the keyboard stays on it.
  const world = section.getByRole("button", { name: "DEMO-WORLD" });
  await expect(world).toHaveAttribute("aria-pressed", "true");
  const late = section.getByRole("button", { name: "DEMO-LATE" });
  await late.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/[?&]model=demo-late.*models=true|[?&]models=true.*model=demo-late/);
  await expect(late).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("DEMO-LATE v1");
  await expect(late).toBeFocused();
  await expectAccessible(page, "the models at a point", { inThemes: ["light", "night"] });
  await section.getByRole("button", { name: "Best for each layer" }).click();
  await expect(world).toHaveAttribute("aria-pressed", "true");

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Raise the panel" }).click();
  await page.getByRole("button", { name: "Raise the panel" }).click();
  await expect(section.locator("table")).toBeVisible();
  const isWide = () => section.evaluate((one) => one.scrollWidth > one.clientWidth);
  expect(await isWide()).toBe(false);
  await expectAccessible(page, "the models at a point, on a phone", { within: '[data-testid="models"]' });
});
