import { expect, openMap, postPoints, sampledPlace, test } from "./map.ts";
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

test("the first conditions are requested once, and a click on the sea shows and announces those of POST /MetOcean", {
  tag: "@installed",
}, async ({ quietPage: page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/MetOcean")) asked.push(request.postData() ?? "");
  });
  await page.addInitScript(() => {
    // The page records whether the panel loses its value after it had one.
    const lost: string[] = [];
    let had = false;
    Object.assign(window, { lost });
    new MutationObserver(() => {
      const text = document.querySelector('aside[aria-label="Details"]')?.textContent ?? "";
      if (/\d kn/.test(text)) had = true;
      else if (had) lost.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await openMap(page, `${at}&p=30,-30`);
  await expect(page.getByRole("region", { name: "Conditions" })).toContainText("kn");
  const points = asked.map((body) => JSON.parse(body).points.length);
  expect(points.filter((count) => count === 1)).toHaveLength(1);
  expect(await page.evaluate(() => (window as unknown as { lost: string[] }).lost)).toEqual([]);

  await page.getByRole("application", { name: "Weather map" }).click({ position: { x: 400, y: 150 } });
  await expect(page).not.toHaveURL(/p=30,-30/);
  const shown = await panelValues(page);
  const [latitude, longitude] = await sampledPlace(page);
  const [answer] = await postPoints([{ latitude, longitude }], STEPS[0], AVAILABLE);
  expect(shown).toEqual(answer);
  const panel = page.getByRole("region", { name: "Conditions" });
  await expect(panel.locator('[data-field="Pressure"]')).toContainText("— not available");
  await expect(panel).toContainText("Test wind 0.5°");
  const knots = Math.round((answer!.Winds_10m_Intensity! * 3600) / 1852);
  await expect(panel.locator('[data-field="Winds_10m_Intensity"]')).toContainText(`${knots} kn`);
  await expect(panel.locator("[aria-live]").first()).toContainText(`Wind ${knots} knots from`);
  // The view is also described in words.
  await expect(page.getByTestId("view-words")).toContainText(
    /Centre 40°00\.0′N 040°00\.0′W\. Wind speed \d+ knots from .*In view \d+ to \d+ knots, highest near/,
  );
});

test("the value under the cursor equals the API's, even between steps, without a request and at the exact place", async ({
  page,
}) => {
  const between = "2026-01-01T01:30:00Z";
  await openMap(page, `${at}&t=${between}`);
  const canvas = page.getByRole("application", { name: "Weather map" });
  const { x: left, y: top, width, height } = (await canvas.boundingBox())!;
  const requests: string[] = [];
  // Frames of neighbouring steps are read ahead as soon as the page is used, so they are not counted.
  page.on("request", (request) => {
    if (!request.url().includes("/signed-frames/")) requests.push(request.url());
  });
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
    const box = (await page.locator(".hover-readout").boundingBox())!;
    const cursor = { x: left + pixel.x, y: top + pixel.y };
    expect(
      cursor.x < box.x || cursor.x > box.x + box.width || cursor.y < box.y || cursor.y > box.y + box.height,
    ).toBe(true);
  }
  expect(requests).toEqual([]);
});
