import { expectAccessible } from "./accessibility.ts";
import { expect, openPage, test } from "./map.ts";

// This place off Plymouth is open water, but land in the coarse model of the demo.
const WATER = "50.2,-4.2";

test("on open water where only the model has land, the nearest sea cell is named with its values", async ({
  page,
  demo,
}) => {
  await openPage(page, `c=${WATER}&z=7&l=none&o=&p=${WATER}`, demo.url);
  const conditions = page.getByRole("region", { name: "Conditions" });
  await expect(conditions).toContainText("No sea value in the model here");
  await expect(conditions).toContainText(/Nearest sea cell \d+(\.\d)? n mi (N|NE|E|SE|S|SW|W|NW)\b/);
  await expect(conditions).not.toContainText(/on land/);
  const nearest = page.getByTestId("nearest-sea");
  await expect(nearest).toContainText(/Waves\d+\.\d m[NESW]{1,3} \d{3}°/);
  await expect(nearest).toContainText(/Current.*kn/);
  await expectAccessible(page, "the nearest sea cell");
  await nearest.getByRole("button", { name: "Use it" }).click();
  await expect(page).not.toHaveURL(/p=50\.2,-4\.2/);
  await expect(nearest).toHaveCount(0);
  await expect(conditions.locator('[data-field="Waves_Significant_Height"] [data-value]')).toHaveCount(1);
});
