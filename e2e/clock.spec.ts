import { chooseLayer, expect, openPage, provenance, test } from "./map.ts";
import { mapIsSettled } from "./probe.ts";

test.use({ viewport: { width: 960, height: 600 } });

test("choosing a daily layer leaves the clock where it is, and steps on it are hours", async ({
  page,
  demo,
}) => {
  await openPage(page, "c=30,-60&z=3&o=", demo.url);
  const time = page.getByRole("region", { name: "Time" });
  await expect(time).toContainText("Tue 15 Sep 2026 12:00 UTC");
  await chooseLayer(page, "Sea surface temperature");
  await mapIsSettled(page);
  await expect(provenance(page)).toContainText("Sea surface temperature");
  await expect(time).toContainText("Tue 15 Sep 2026 12:00 UTC");
  await expect(provenance(page)).toContainText("between Tue 15 Sep 06:00 and Wed 16 Sep 00:00");
  await page.getByRole("button", { name: "Forward one step" }).click();
  await expect(time).toContainText("Tue 15 Sep 2026 13:00 UTC");
  // The longest name of a layer leaves room for the menu.
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(page.getByRole("button", { name: "Menu" })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 960, height: 600 });
  await chooseLayer(page, "Wind");
  await mapIsSettled(page);
  await expect(time).toContainText("Tue 15 Sep 2026 13:00 UTC");
});
