import { expect, openMap, test } from "./map.ts";
import { steadyField } from "./steady-field.ts";
import { STEPS } from "./world.ts";

const at = (latitude: number, longitude: number, zoom: number) =>
  `e2e&c=${latitude},${longitude}&z=${zoom}&t=${STEPS[0]}`;

test("particles are the same each time, float with the flow, and are absent for who asked for less motion", async ({
  page,
}) => {
  await steadyField(page, "wind", { eastward_wind_10m: 10, northward_wind_10m: 0 });
  const query = `${at(20, -35, 4)}&o=particles`;
  const trails = page.getByTestId("particles");
  const picture = () => trails.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  await openMap(page, query);
  await expect(trails).toHaveAttribute("data-count", /^[1-9]\d\d+$/);
  const first = await picture();
  expect(first.length).toBeGreaterThan(20_000);
  await page.reload();
  await openMap(page, query);
  await expect(trails).toHaveAttribute("data-count", /^[1-9]\d\d+$/);
  expect(await picture()).toBe(first);

  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect(trails).toHaveCount(0);
  await page.getByText("What the symbols mean").click();
  await expect(page.getByText("your system asks for less motion")).toBeVisible();
  await openMap(page, query);
  await expect(trails).toHaveCount(0);
});
