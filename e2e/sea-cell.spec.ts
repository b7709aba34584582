import { expectAccessible, widths } from "./accessibility.ts";
import { expect, openMap, test } from "./map.ts";

// Off Plymouth: open water, where the coarse model of the demo world has land; and on Dartmoor.
const WATER = "50.2,-4.2";
const LAND = "50.6,-4";

test("on open water where only the model has land, the nearest sea cell is named with its values", async ({
  page,
  demo,
}) => {
  await openMap(page, `c=${WATER}&z=7&o=&p=${WATER}`, demo.url);
  const conditions = page.getByRole("region", { name: "Conditions" });
  await expect(conditions).toContainText("No sea value in the model here");
  await expect(conditions).toContainText(/Nearest sea cell \d+(\.\d)? n mi (N|NE|E|SE|S|SW|W|NW)\b/);
  await expect(conditions).not.toContainText(/on land/);
  const nearest = page.getByTestId("nearest-sea");
  await expect(nearest).toContainText(/Waves.*\d\.\d m.*from/);
  await expect(nearest).toContainText(/Current.*kn/);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const raise = page.getByRole("button", { name: "Raise the panel" });
    if (width < 768) await raise.click();
    await expectAccessible(page, "the nearest sea cell");
    if (width < 768) await page.getByRole("button", { name: "Lower the panel" }).click();
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await nearest.getByRole("button", { name: "Use it" }).click();
  await expect(page).not.toHaveURL(/p=50\.2,-4\.2/);
  await expect(nearest).toHaveCount(0);
  await expect(conditions.locator('[data-field="Waves_Significant_Height"] [data-value]')).toBeVisible();
});

test("a place on the land of the map's own coast is on land, and the nearest sea is named", async ({
  page,
  demo,
}) => {
  await openMap(page, `c=${LAND}&z=7&o=&p=${LAND}`, demo.url);
  const conditions = page.getByRole("region", { name: "Conditions" });
  await expect(conditions).toContainText("This position is on land. Sea values are not available.");
  await expect(conditions).toContainText("not available (on land)");
  await expect(page.getByTestId("nearest-sea")).toContainText(/Nearest sea cell \d+(\.\d)? n mi/);
});
