import { expect, openMap, origin, postPoints, sampledPlace, test } from "./map.ts";
import { project } from "./probe.ts";
import { STEPS } from "./test-archive.ts";

/** Variables of the test archive in mid-ocean. */
const AVAILABLE = ["wind", "bathy"];

const centre = { latitude: 40, longitude: -40, zoom: 3 };
const at = `c=${centre.latitude},${centre.longitude}&z=${centre.zoom}`;

/** Values of the panel by the API's field names. */
async function panelValues(page: import("@playwright/test").Page): Promise<Record<string, number>> {
  const panel = page.getByRole("region", { name: "Conditions" });
  await expect(panel).toContainText("kn");
  return panel.locator("[data-field]").evaluateAll((rows) =>
    Object.fromEntries(
      rows.flatMap((row) => {
        const value = row.querySelector<HTMLElement>("[data-value]")?.dataset.value;
        return value === undefined ? [] : [[(row as HTMLElement).dataset.field ?? "", Number(value)]];
      }),
    ),
  );
}

test("a click on the sea shows and announces the conditions of POST /MetOcean", async ({
  quietPage: page,
}) => {
  await openMap(page, at);
  await page.getByRole("application", { name: "Weather map" }).click({ position: { x: 400, y: 150 } });
  const shown = await panelValues(page);
  const [latitude, longitude] = await sampledPlace(page);
  const [answer] = await postPoints([{ latitude, longitude }], STEPS[0], AVAILABLE);
  expect(shown).toEqual(answer);
  const panel = page.getByRole("region", { name: "Conditions" });
  await expect(panel.locator('[data-field="Pressure"]')).toContainText("— not available");
  await expect(panel).toContainText("Test wind 0.5°");
  const knots = Math.round((answer!.Winds_10m_Intensity! * 3600) / 1852);
  await expect(panel.locator('[data-field="Winds_10m_Intensity"]')).toContainText(`${knots} kn`);
  await expect(panel.locator("[aria-live]")).toContainText(`Wind ${knots} knots from`);
});

test("the value under the cursor equals the API's, also between steps", async ({ page }) => {
  const between = "2026-01-01T01:30:00Z";
  await openMap(page, `${at}&t=${between}`);
  const canvas = page.getByRole("application", { name: "Weather map" });
  const { width, height } = (await canvas.boundingBox())!;
  const places = [
    { latitude: 41.3, longitude: -41.7 },
    { latitude: 30.05, longitude: -60.4 },
    { latitude: 52.2, longitude: -30.9 },
  ];
  for (const place of places) {
    const { x, y } = project(place.latitude, place.longitude, centre, { width, height });
    const pixel = { x: Math.round(x), y: Math.round(y) };
    await canvas.hover({ position: pixel });
    const readout = page.getByTestId("readout");
    const degrees = 360 / (512 * 2 ** centre.zoom);
    const [answer] = await postPoints(
      [{ ...place, longitude: place.longitude + (pixel.x - x) * degrees }],
      between,
    );
    await expect(async () => {
      const value = Number(await readout.getAttribute("data-value"));
      expect(Math.abs(value - answer!.Winds_10m_Intensity!)).toBeLessThan(0.15);
    }).toPass();
  }
  expect(origin()).toContain("127.0.0.1");
});
