import { RELIEF_RANGE, reliefTable } from "#components/map/relief-map-layer.ts";
import { colourIndex } from "#lib/catalog/colours.ts";
import {
  chooseLayer,
  expect,
  legendButton,
  openMap,
  postPoints,
  provenance,
  test,
  timeSlider,
} from "./map.ts";
import { mapIsSettled, randomPixels } from "./probe.ts";
import { STEPS } from "./test-archive.ts";

const at = { latitude: 35, longitude: -45, zoom: 3 };
const here = `c=${at.latitude},${at.longitude}&z=${at.zoom}`;

test("the depth layer is independent of time, and is described and listed in the chosen unit", async ({
  quietPage: page,
}) => {
  await openMap(page, `${here}&o=isobars,storms`);
  await chooseLayer(page, "Depth");
  await expect(page).toHaveURL(/l=bathy/);
  await mapIsSettled(page);
  const time = page.getByRole("region", { name: "Time" });
  await expect(timeSlider(page)).toHaveAttribute("aria-valuetext", /Depth does not change with time/);
  await expect(provenance(page)).toContainText(
    "Depth below sea level: Test depth 0.5° · Static, the same at any time",
  );
  // Overlays without data are named.
  await expect(page.getByText("Isobars: the archive has no data for this time.")).toBeVisible();

  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.getByRole("button", { name: "Forward one step" }).click();
  await expect(page).toHaveURL(/t=2026-01-01T01:00:00Z/);
  await expect(time).toContainText("Thu 1 Jan 2026 01:00 UTC");
  await mapIsSettled(page);
  expect(requested.filter((url) => url.includes("frames/") && url.includes("bathy"))).toEqual([]);

  const legend = page.getByRole("region", { name: "Legend" });
  await legendButton(page).click();
  await legend.getByRole("button", { name: "fm", exact: true }).click();
  await expect(page).toHaveURL(/u=fm/);
  const [answer] = await postPoints([at], STEPS[1], ["bathy"]);
  const fathoms = Math.round(answer!.Bathymetry! / 1.8288);
  const description =
    (await page.getByTestId("view-words").filter({ hasText: "fathoms" }).textContent()) ?? "";
  expect(Math.abs(Number(/level (\d+) fathoms/.exec(description)?.[1]) - fathoms)).toBeLessThanOrEqual(1);
  expect(description).toMatch(/In view \d+ to \d+ fathoms, deepest near/);
  const list = page.getByRole("button", { name: "List values in view" });
  await list.focus();
  await list.press("Enter");
  await expect(page.getByRole("dialog").getByRole("cell").nth(12)).toContainText(/\d fm$/);
});

test.describe("every pixel", () => {
  test.use({ coarseMap: false, viewport: { width: 640, height: 480 } });

  test("the plain map shades the sea by its depth, even when the system theme becomes dark meanwhile", async ({
    page,
  }) => {
    await openMap(page, `e2e&l=none&o=&${here}`);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dusk");
    await mapIsSettled(page);
    const tokens = await page.evaluate(() => {
      const style = getComputedStyle(document.querySelector(".weather-map")!);
      return ["sea", "abyss"].map((name) => style.getPropertyValue(`--map-${name}`).trim());
    });
    const table = reliefTable(tokens[0]!, tokens[1]!);
    const pixels = await randomPixels(page, 150, 11, at);
    const answers = await postPoints(pixels, STEPS[0], ["bathy"]);
    const right = pixels.filter(({ rgb }, index) => {
      const depth = answers[index]?.Bathymetry;
      if (typeof depth !== "number") return false;
      const entry = 4 * colourIndex(depth, RELIEF_RANGE);
      return rgb.every((byte, channel) => Math.abs(byte - table[entry + channel]!) <= 1);
    });
    // Other pixels show land, and transitions between depths.
    expect(right.length).toBeGreaterThan(100);
  });
});
