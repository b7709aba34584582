import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { GUTTER } from "#components/ui/chart.ts";
import { formatInstant } from "#lib/time.ts";
import { expectAccessible } from "./accessibility.ts";
import { drawOnScreen, expect, openMap, openPage, postPoints, test, timeSlider } from "./map.ts";
import { KEY, type RunningServer } from "./server.ts";

const POINT = "26,-62";
const place = `c=26,-60&z=4&p=${POINT}&o=`;
/** The map has no field, which only the printed page shows. */
const view = `${place}&l=none`;
const START = "2026-09-16T06:00:00Z";

const slider = (page: Page) => page.getByRole("slider", { name: "on the meteogram" });
const panel = (page: Page) => page.getByRole("region", { name: "Conditions" });

/** Counts the requests for conditions from now on. */
function countRequests(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/MetOcean") count++;
  });
  return () => count;
}

/** Waits until the panel shows exactly the values of a time. */
async function expectValues(page: Page, demo: RunningServer, timestamp: string): Promise<void> {
  const [latitude = 0, longitude = 0] = POINT.split(",").map(Number);
  const [answer] = await postPoints(
    [{ latitude, longitude }],
    timestamp,
    ["wind", "wave", "current"],
    demo.url,
  );
  for (const [field, value] of Object.entries(answer!)) {
    await expect(panel(page).locator(`[data-field="${field}"] [data-value]`)).toHaveAttribute(
      "data-value",
      String(value),
    );
  }
}

test("a click on the meteogram sets the time; stepping and going offline keep exact values without a request", async ({
  page,
  demo,
}) => {
  await openPage(page, `${view}&t=${START}`, demo.url);
  await expect(slider(page)).toBeVisible();
  await expectValues(page, demo, START);
  const box = (await slider(page).boundingBox())!;
  // The models are compared after the first sign of a user.
  await slider(page).hover();
  await expect(page.getByTestId("models")).toContainText(/\d models/);
  const requests = countRequests(page);
  await slider(page).hover({ position: { x: (box.width - GUTTER) / 2, y: 40 } });
  const readout = page.getByTestId("values-time");
  await expect(readout).not.toContainText("Wed 16 Sep 2026 06:00");
  const pointed = await readout.textContent();
  await slider(page).click({ position: { x: (box.width - GUTTER) / 2, y: 40 } });
  await expect(page).not.toHaveURL(new RegExp(`t=${START}`));
  const chosen = new URL(page.url()).searchParams.get("t")!;
  await expect(page.getByRole("region", { name: "Time" })).toContainText(chosen.slice(11, 16));
  expect(pointed).toContain(chosen.slice(11, 16));
  await expectValues(page, demo, chosen);

  await page.context().setOffline(true);
  for (let step = 0; step < 3; step++) {
    const before = page.url();
    await page.getByRole("button", { name: "Forward one step" }).click();
    await expect(page).not.toHaveURL(before);
  }
  const later = new URL(page.url()).searchParams.get("t")!;
  await expect(panel(page)).toContainText("Offline. Read");
  await expectValues(page, demo, later);
  expect(requests()).toBe(0);

  // Yesterday is not in the series, so the last values stay with their own time.
  await page.getByRole("slider", { name: "Time of the map", exact: true }).press("Home");
  await expect(panel(page)).toContainText("As of");
  await expect(panel(page).locator(".old-notice")).toContainText("offline");
  await expect(page.getByTestId("values-time")).toContainText(later.slice(11, 16));
  await expectValues(page, demo, later);
  await page.context().setOffline(false);
});

test("arrow keys on the meteogram set the time, and the copied command returns the values of the panel", async ({
  page,
  demo,
}) => {
  await openPage(page, `${view}&t=${START}`, demo.url);
  await slider(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).not.toHaveURL(new RegExp(`t=${START}`));
  const next = new URL(page.url()).searchParams.get("t")!;
  expect(Date.parse(next)).toBeGreaterThan(Date.parse(START));
  await expect(slider(page)).toHaveAttribute(
    "aria-valuetext",
    /Wind \d+ knots from .*Waves .*metres.*Current/,
  );
  await page.keyboard.press("PageDown");
  await expect(page).toHaveURL(new RegExp(`t=${formatInstant(Date.parse(next) / 1000 - 86_400)}`));
  await expectAccessible(page, "the meteogram");

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain("$METOCEAN_KEY");
  const { stdout } = await promisify(execFile)("sh", ["-c", command], {
    env: { ...process.env, METOCEAN_KEY: KEY },
  });
  const { status, result } = JSON.parse(stdout) as {
    status: string;
    result: { results: { conditions: Record<string, number | null> }[] };
  };
  expect(status).toBe("SUCCESS");
  for (const [field, value] of Object.entries(result.results[0]!.conditions)) {
    if (value === null) continue;
    await expect(panel(page).locator(`[data-field="${field}"] [data-value]`)).toHaveAttribute(
      "data-value",
      String(value),
    );
  }
  await page.context().clearPermissions();

  // Four quick steps lead into the past, which is another series; only the last one is requested.
  const requests = countRequests(page);
  const before = Date.parse(new URL(page.url()).searchParams.get("t")!) / 1000;
  await timeSlider(page).evaluate(async (it) => {
    for (let step = 0; step < 4; step++) {
      it.dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown", bubbles: true }));
      await new Promise((done) => setTimeout(done, 20));
    }
  });
  const day = formatInstant(before - 4 * 86_400).slice(0, 10);
  await expect(page).toHaveURL(new RegExp(`t=${day}`));
  const past = new URL(page.url()).searchParams.get("t")!;
  await expectValues(page, demo, past);
  await expect(slider(page)).toBeVisible();
  expect(requests()).toBeLessThanOrEqual(2);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the low sheet has place, time and values in three lines at most, and no labels of the meteogram overlap", async ({
    page,
    demo,
  }) => {
    await openPage(page, `${view}&t=${START}`, demo.url);
    await expect(page.getByTestId("peek")).toHaveText(
      /^[NESW]{1,3} \d+ G\d+ kn[\d.]+ m \d+ sset \d{3}° \d\.\d kn$/,
    );
    const { height } = (await page.getByTestId("peek").boundingBox())!;
    expect(height).toBeLessThan(44);
    for (let raise = 0; raise < 2; raise++)
      await page.getByRole("button", { name: "Raise the panel" }).click();
    await expect(slider(page)).toBeVisible();
    const boxes = await slider(page)
      .locator("text")
      .evaluateAll((texts) =>
        texts.map((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return { text: text.textContent, left, right, top, bottom };
        }),
      );
    expect(boxes.length).toBeGreaterThan(20);
    const overlapping = boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter(
          (other) =>
            one.left < other.right &&
            other.left < one.right &&
            one.top + 3 < other.bottom &&
            other.top + 3 < one.bottom,
        )
        .map((other) => `${one.text} / ${other.text}`),
    );
    expect(overlapping).toEqual([]);
    for (const { left, right } of boxes) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(390);
    }
    await slider(page).click({ position: { x: 200, y: 40 } });
    await expect(page).not.toHaveURL(new RegExp(`t=${START}`));
    await expectAccessible(page, "the meteogram on a phone");
  });
});

test("map, legend, values and meteogram are printed on one page, in day colours, without controls", {
  tag: "@installed",
}, async ({ page, demo }) => {
  await drawOnScreen(page);
  await openMap(page, `${place}&l=wind&t=${START}&th=dusk`, demo.url);
  await expect(slider(page)).toBeVisible();
  // The print dialog would wait for a person.
  await page.evaluate(() => {
    window.print = () => {
      document.body.dataset.printed = document.documentElement.dataset.theme;
      window.dispatchEvent(new Event("afterprint"));
    };
  });
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", "light");
  await expect(page).toHaveURL(/th=dusk/);
  await page.evaluate(() => delete document.body.dataset.printed);
  await page.keyboard.press("Control+p");
  await expect(page.locator("body")).toHaveAttribute("data-printed", "light");
  await expect(page).toHaveURL(/th=dusk/);

  // The picture is recorded while the page is printed, before the sheet is emptied.
  await page.evaluate(() => {
    const look = () => {
      const canvas = document.querySelector<HTMLCanvasElement>(".print-map");
      if (!canvas) return;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set<number>();
      for (let at = 0; at < data.length; at += 400)
        seen.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
      document.body.dataset.colours = String(seen.size);
    };
    window.addEventListener("afterprint", look, { capture: true });
  });
  const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  expect(pdf).toMatch(/\/MediaBox\s*\[0 0 59[45][\d.]* 84[12]/);
  await expect
    .poll(async () => Number(await page.locator("body").getAttribute("data-colours")))
    .toBeGreaterThan(50);

  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const sheet = page.getByTestId("print-sheet");
  await expect(sheet).toContainText("26°00.0′N 062°00.0′W · Wed 16 Sep 2026 06:00 UTC");
  await expect(sheet).toContainText("Not for navigation.");
  await expect(sheet).toContainText("DEMO-WORLD v1");
  await expect(sheet).toContainText("© OpenStreetMap contributors");
  await expect(sheet.getByRole("region", { name: "Legend" })).toBeVisible();
  await expect(sheet.locator('[data-row="wave"]')).toBeVisible();
  // Nothing is cut off at the end of the page.
  expect(await sheet.evaluate((it) => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(0);
  // The width between the margins of A4, where texts have more lines.
  await page.setViewportSize({ width: 711, height: 1036 });
  expect(await sheet.evaluate((it) => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(0);
  await expect(page.getByRole("button", { name: "Forward one step" })).toBeHidden();
  await expect(page.getByRole("banner").getByRole("button").first()).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect(sheet).toBeEmpty();
});
