import type { Page, Route } from "@playwright/test";
import { formatInstant } from "#lib/time.ts";
import { expectAccessible } from "./accessibility.ts";
import { drawOnScreen, expect, openMap, provenance, stormsOf, test, timeSlider } from "./map.ts";
import { mapIsSettled } from "./probe.ts";
import { STEPS } from "./test-archive.ts";

// The readout needs the width of a desk.
test.use({ viewport: { width: 960, height: 600 } });

const FRAMES = "**/2DMetOcean/*frames/**";
const stamp = (page: Page) => page.getByTestId("old-field");

/** Holds back the frames for which the condition is true, until the returned function is called. */
async function holdFrames(page: Page, held: (path: string) => boolean): Promise<() => Promise<void>> {
  const waiting: Route[] = [];
  let open = false;
  await page.route(FRAMES, (route) => {
    if (open || !held(decodeURIComponent(route.request().url()))) return route.continue();
    waiting.push(route);
    return undefined;
  });
  return async () => {
    open = true;
    await Promise.all(waiting.map((route) => route.continue().catch(() => undefined)));
  };
}

/** Colourfulness of the map: mean difference between the largest and the smallest of red, green and blue. */
async function colourfulness(page: Page): Promise<number> {
  const picture = await page.getByRole("application", { name: "Weather map" }).screenshot();
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
    pen.drawImage(bitmap, 0, 0);
    // The sample is from the middle of the map, clear of notices and legend.
    const { data } = pen.getImageData(bitmap.width / 4, bitmap.height / 3, bitmap.width / 2, 100);
    let sum = 0;
    for (let at = 0; at < data.length; at += 4) {
      const rgb = [data[at]!, data[at + 1]!, data[at + 2]!];
      sum += Math.max(...rgb) - Math.min(...rgb);
    }
    return (4 * sum) / data.length;
  }, picture.toString("base64"));
}

test("while a frame is slow, provenance, readout, words and colours say that the old field is drawn", async ({
  page,
}) => {
  const release = await holdFrames(page, (path) => path.includes(STEPS[2]));
  await drawOnScreen(page);
  await openMap(page, `c=30,-60&z=3&t=${STEPS[0]}&o=`);
  await expect(provenance(page)).toContainText("valid Thu 1 Jan 2026 00:00 UTC");
  const before = await colourfulness(page);
  await timeSlider(page).press("End");
  await expect(page).toHaveURL(new RegExp(`t=${STEPS[2]}`));
  await expect(stamp(page)).toContainText("Wind speed of Thu 1 Jan 00:00 UTC");
  await expect(provenance(page)).toContainText("valid Thu 1 Jan 2026 00:00 UTC");
  await expect(provenance(page)).not.toContainText("06:00 UTC (T+6 h)");
  await expect(timeSlider(page)).toHaveAttribute("aria-valuetext", /still shows Thu 1 Jan 00:00$/);
  await page.getByRole("application", { name: "Weather map" }).hover({ position: { x: 300, y: 200 } });
  await expect(page.getByTestId("readout")).toContainText("Thu 1 Jan 00:00");
  await expect(page.getByTestId("view-words")).toContainText(
    "Wind speed of Thu 1 Jan 00:00 UTC is still drawn",
  );
  expect(await colourfulness(page)).toBeLessThan(before / 2);
  await expectAccessible(page, "an old field");

  await release();
  await mapIsSettled(page);
  await expect(stamp(page)).toHaveCount(0);
  await expect(provenance(page)).toContainText("valid Thu 1 Jan 2026 06:00 UTC (T+6 h)");
  await page.getByRole("application", { name: "Weather map" }).hover({ position: { x: 310, y: 210 } });
  await expect(page.getByTestId("readout")).not.toContainText("00:00");
  expect(await colourfulness(page)).toBeGreaterThan(before / 2);

  // The link contains all choices, even when they are made faster than it is written.
  await page.getByRole("application", { name: "Weather map" }).focus();
  await page.evaluate(() => {
    for (const key of ["[", "u", "i"])
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
  const chosen = () => {
    const link = new URL(page.url()).searchParams;
    return [link.get("t"), link.get("u"), link.get("o")];
  };
  await expect.poll(chosen).toEqual([STEPS[1], "m/s", "isobars"]);
});

test("a storm stands where it is at the time of the field that is drawn", async ({ page, demo }) => {
  const storm = (await stormsOf(demo)).find(({ id, tracks }) => id.startsWith("AL") && tracks.forecast)!;
  const ahead = storm.tracks.forecast!.points.find(({ fhr }) => fhr === 48)!;
  const t = formatInstant(ahead.time);
  await openMap(page, `c=${ahead.lat},${ahead.lon}&z=4&t=${t}&l=pressure&o=storms`, demo.url);
  await holdFrames(page, () => true);
  await timeSlider(page).press("PageUp");
  await expect(page).toHaveURL(new RegExp(`t=${formatInstant(ahead.time + 86_400)}`));
  await expect(stamp(page)).toBeVisible();
  await page.getByRole("application", { name: "Weather map" }).click();
  await expect(page).toHaveURL(new RegExp(`storm=${storm.id}`));
});
