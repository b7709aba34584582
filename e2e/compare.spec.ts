import type { Page } from "@playwright/test";
import { colourScales, colourTable, cssColour, differenceScale } from "#lib/catalog/colours.ts";
import { expectAccessible } from "./accessibility.ts";
import { drawOnScreen, expect, openMap, postPoints, sampledPlace, test } from "./map.ts";
import { type Camera, mapIsSettled, probedValue, randomPixels } from "./probe.ts";
import { STEPS } from "./test-archive.ts";

const { range } = colourScales.wind;
/** Two steps of the ramp, m/s. At the limb of the globe a few pixels span more. */
const TOLERANCE = (2 * (range[1] - range[0])) / 255;
const MAX_WRONG = 0.04;

const divider = (page: Page) => page.getByRole("slider", { name: "Divider between A and B" });
const side = (page: Page, name: "a" | "b") => page.getByTestId(`side-${name}`);

/** Expects the wind of A's time in the pixels left of the divider, and that of B's time right of it. */
async function expectSides(page: Page, camera: Camera, percent: number, seed: number): Promise<void> {
  await mapIsSettled(page);
  const width = await page
    .locator(".maplibregl-canvas")
    .evaluate((canvas) => (canvas as HTMLCanvasElement).width);
  const edge = (percent / 100) * width;
  const pixels = (await randomPixels(page, 90, seed, camera)).filter(({ x }) => Math.abs(x - edge) > 2);
  const answers = await Promise.all([STEPS[0], STEPS[2]].map((time) => postPoints(pixels, time)));
  let compared = 0;
  let told = 0;
  const wrong: string[] = [];
  for (const [index, pixel] of pixels.entries()) {
    const painted = probedValue(pixel, range);
    const [a, b] = answers.map((all) => all[index]!.Winds_10m_Intensity);
    if (painted === undefined || typeof a !== "number" || typeof b !== "number") continue;
    const [own, other] = pixel.x < edge ? [a, b] : [b, a];
    if (Math.abs(painted - Math.min(own, range[1])) > TOLERANCE)
      wrong.push(`${painted} for ${own} at ${pixel.x} of ${edge}`);
    compared++;
    if (Math.abs(painted - other) > TOLERANCE) told++;
  }
  expect(compared).toBeGreaterThan(25);
  expect(wrong.length, wrong.join("; ")).toBeLessThanOrEqual(MAX_WRONG * compared);
  // The two times differ, so a picture of the other side would be noticed.
  expect(told).toBeGreaterThan(compared / 2);
}

const conditions = (page: Page) => page.getByRole("region", { name: "Conditions" });

/** Expects the point panel to name a side and to show the wind of its time. */
async function expectPoint(page: Page, name: "A" | "B"): Promise<void> {
  const time = { A: STEPS[0], B: STEPS[2] }[name];
  // The panel states the time of the values that it shows, not of those that it waits for.
  await expect(conditions(page)).toContainText(`${name}: Thu 1 Jan 2026 ${time.slice(11, 16)} UTC`);
  const [latitude, longitude] = await sampledPlace(page);
  const [answer] = await postPoints([{ latitude, longitude }], time);
  await expect(conditions(page).locator('[data-field="Winds_10m_Intensity"] [data-value]')).toHaveAttribute(
    "data-value",
    String(answer!.Winds_10m_Intensity),
  );
  await expect(page).toHaveURL(name === "B" ? /cmp=wind\.6\.b(&|$)/ : /cmp=wind\.6(&|$)/);
}

test("two times side by side on a desk: each side has its own field, by keyboard and mouse, in the link, and closes at once", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const camera = { latitude: 20, longitude: -45, zoom: 2.5 };
  await drawOnScreen(page);
  await openMap(page, `c=20,-45&z=2.5&l=wind&o=&t=${STEPS[0]}&cmp=wind.6&e2e`);
  await expect(side(page, "a")).toContainText("Thu 1 Jan 00:00 UTC");
  await expect(side(page, "b")).toContainText("Thu 1 Jan 06:00 UTC");
  await expect(side(page, "b")).toContainText("run Thu 1 Jan 00:00 UTC");
  await expect(page.locator(".legends .legend")).toHaveCount(1);
  await expectSides(page, camera, 50, 3);

  // The point panel has the time of the side that was clicked, names it, and switches.
  const map = page.getByRole("application", { name: "Weather map" });
  const { width, height } = (await map.boundingBox())!;
  await map.click({ position: { x: 0.75 * width, y: 0.5 * height } });
  await expectPoint(page, "B");
  const choice = conditions(page).getByRole("group", { name: "Side by side" });
  await choice.getByRole("button", { name: "A, left" }).click();
  await expectPoint(page, "A");
  await choice.getByRole("button", { name: "B, right" }).click();
  await expectPoint(page, "B");
  await map.click({ position: { x: 0.25 * width, y: 0.5 * height } });
  await expectPoint(page, "A");

  await divider(page).focus();
  for (const key of ["PageDown", "PageDown", "PageDown", "ArrowRight"]) await page.keyboard.press(key);
  await expect(divider(page)).toHaveAttribute("aria-valuenow", "22");
  await expect(divider(page)).toHaveAttribute("aria-valuetext", /22 % of the width/);
  await expect(page).toHaveURL(/cmp=wind\.6\.22/);
  await expectSides(page, camera, 22, 5);

  const area = (await page.getByRole("main").boundingBox())!;
  const handle = (await divider(page).locator(".compare-handle").boundingBox())!;
  expect(handle.width).toBeGreaterThanOrEqual(44);
  await page.mouse.move(handle.x + 22, handle.y + 22);
  await page.mouse.down();
  await page.mouse.move(area.x + 0.7 * area.width, handle.y + 22, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/cmp=wind\.6\.70/);
  await page.mouse.move(area.x + 0.3 * area.width, area.y + 0.6 * area.height);
  await expect(page.locator(".hover-readout")).toContainText(/^A: /);
  await page.mouse.move(area.x + 0.85 * area.width, area.y + 0.6 * area.height);
  await expect(page.locator(".hover-readout")).toContainText(/^B: /);
  await page.mouse.move(2, 2);
  await expectAccessible(page, "two pictures");

  // A time that the archive lacks is not named as drawn.
  await page.getByRole("combobox", { name: "Time of B" }).selectOption("48");
  await expect(side(page, "b")).toContainText("nothing is drawn");
  await page.getByRole("button", { name: "Stop comparing" }).click();
  await expect(divider(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/cmp=/);
  await expect(choice).toHaveCount(0);
  await expect(conditions(page)).not.toContainText("A: ");
});

const showDifference = (page: Page) => page.getByRole("button", { name: /^Difference: by how much B/ });
const { range: apart } = differenceScale("wind");

test("the difference of two pictures: its pixels are B minus A of the API, in the link, under the pointer and at the point", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const camera = { latitude: 20, longitude: -45, zoom: 2.5 };
  await drawOnScreen(page);
  await openMap(page, `c=20,-45&z=2.5&l=wind&o=&t=${STEPS[0]}&cmp=wind.6&e2e`);
  await showDifference(page).click();
  await expect(page).toHaveURL(/cmp=wind\.6\.d(&|$)/);
  await expect(showDifference(page)).toHaveAttribute("aria-pressed", "true");
  await expect(divider(page)).toHaveCount(0);
  const legend = page.getByRole("region", { name: "Legend of the difference, B minus A" });
  await expect(legend).toContainText("less wind");
  await expect(legend).toContainText("more wind");
  await expect(page.locator(".legends .legend")).toHaveCount(1);
  await mapIsSettled(page);
  const pixels = await randomPixels(page, 120, 11, camera);
  const [a, b] = await Promise.all([STEPS[0], STEPS[2]].map((time) => postPoints(pixels, time)));
  const wrong: string[] = [];
  let compared = 0;
  let signs = new Set<number>();
  for (const [index, pixel] of pixels.entries()) {
    const painted = probedValue(pixel, apart);
    const [of, minus] = [b, a].map((all) => all![index]!.Winds_10m_Intensity);
    if (painted === undefined) continue;
    compared++;
    // Where A or B has no value nothing is painted.
    if (typeof of !== "number" || typeof minus !== "number") {
      wrong.push(`${painted} for ${of} - ${minus}`);
      continue;
    }
    const expected = Math.max(apart[0], Math.min(apart[1], of - minus));
    signs = signs.add(Math.sign(Math.round(expected)));
    // A step of the colours, and the rounding of both values of the API.
    if (Math.abs(painted - expected) > (apart[1] - apart[0]) / 255 + 0.02)
      wrong.push(`${painted} for ${expected}`);
  }
  expect(compared).toBeGreaterThan(40);
  expect(wrong.length, wrong.join("; ")).toBeLessThanOrEqual(MAX_WRONG * compared);
  expect(signs).toContain(1);
  expect(signs).toContain(-1);

  const area = (await page.getByRole("main").boundingBox())!;
  await page.mouse.move(area.x + 0.5 * area.width, area.y + 0.5 * area.height);
  await expect(page.locator(".hover-readout")).toContainText(/^B − A: [+−]?\d+ kn$/);
  await page.mouse.move(2, 2);
  const map = page.getByRole("application", { name: "Weather map" });
  await map.click({ position: { x: 0.4 * area.width, y: 0.5 * area.height } });
  const [latitude, longitude] = await sampledPlace(page);
  const place = [{ latitude, longitude }];
  const minus = (await postPoints(place, STEPS[0]))[0]!.Winds_10m_Intensity;
  const of = (await postPoints(place, STEPS[2]))[0]!.Winds_10m_Intensity;
  const knots = (Number(of) - Number(minus)) / 0.514444;
  const text = await page.getByTestId("difference-here").textContent();
  const [, sign, number] = /B − A: ([+−]?)(\d+) kn/.exec(text ?? "")!;
  expect(Math.abs((sign === "−" ? -1 : 1) * Number(number) - knots)).toBeLessThan(0.6);
  await expectAccessible(page, "a difference");

  await showDifference(page).click();
  await expect(page).toHaveURL(/cmp=wind\.6(&|$)/);
  await expect(divider(page)).toHaveCount(1);
});

test.describe("every pixel", () => {
  test.use({ coarseMap: false });

  test("the colours of a difference are those of its legend", async ({ page }) => {
    await page.setViewportSize({ width: 900, height: 700 });
    await openMap(page, `c=20,-45&z=2.5&l=wind&o=&t=${STEPS[0]}&cmp=wind.6.d`);
    const strip = page.locator(".legend.difference .colour-strip > i");
    const gradient = await strip.evaluate((element) => getComputedStyle(element).backgroundImage);
    const table = colourTable(differenceScale("wind"));
    const rgb = (index: number) =>
      cssColour(table, index).replace(/rgb\((\d+) (\d+) (\d+)\)/, "rgb($1, $2, $3)");
    for (const index of [0, 128, 255]) expect(gradient).toContain(rgb(index));
    await mapIsSettled(page);
    const picture = (await page.getByRole("application", { name: "Weather map" }).screenshot()).toString(
      "base64",
    );
    const colours = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
      pen.drawImage(bitmap, 0, 0);
      // The middle of the map is open sea, clear of notices and legend.
      const { data } = pen.getImageData(bitmap.width / 3, bitmap.height / 2, bitmap.width / 3, 40);
      return Array.from({ length: data.length / 4 }, (_, at) =>
        [...data.subarray(4 * at, 4 * at + 3)].join(),
      );
    }, picture);
    const known = new Set(
      Array.from({ length: 256 }, (_, index) => table.subarray(4 * index, 4 * index + 3).join()),
    );
    expect(colours.filter((colour) => known.has(colour)).length).toBeGreaterThan(0.9 * colours.length);
    expect(new Set(colours).size).toBeGreaterThan(5);
  });
});
