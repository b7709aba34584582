import AxeBuilder from "@axe-core/playwright";
import { rules } from "./accessibility.ts";
import { expect, openMap, origin, test } from "./map.ts";

for (const width of [1440, 390, 360]) {
  test(`axe finds nothing at ${width} px, with the panel open, and nothing scrolls sideways`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await openMap(page, "c=40,-40&z=3&p=40,-40");
    if (width < 768) await page.getByRole("button", { name: "Raise the panel" }).click();
    await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
    const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await expect(page.getByText("Not for navigation.")).toBeInViewport();
  });
}

test("axe finds nothing in the dialog for the key", async ({ page }) => {
  await page.goto(origin());
  await expect(page.getByRole("dialog")).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});
