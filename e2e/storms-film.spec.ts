import { errorsByStandardLead, forecastErrors } from "@open-metocean/storms/forecast-error";
import type { Page } from "@playwright/test";
import { stormHistoryResponse } from "#lib/contract/storms.ts";
import { formatInstant } from "#lib/time.ts";
import { expectAccessible } from "./accessibility.ts";
import { expect, openMap, stormsOf, test } from "./map.ts";
import { askApi, type RunningServer } from "./server.ts";

/** Number of bulletins of a storm. The demo has eight earlier ones, which are derived after the start. */
const BULLETINS = 9;

/** The storm that crosses 180°, and its bulletins. */
async function crossing(server: RunningServer) {
  const storm = (await stormsOf(server)).find(({ track_bbox: { w, e }, is_invest }) => e < w && !is_invest)!;
  const history = async () =>
    stormHistoryResponse.parse(await askApi(`${server.url}/storms/${storm.id}/history?provider=jtwc`))
      .results;
  await expect.poll(async () => (await history()).length).toBe(BULLETINS);
  const bulletins = await history();
  const fixes = bulletins.at(-1)!.entry.tracks.observed.map(({ time }) => time);
  const stops = [...new Set([...fixes, ...bulletins.map(({ issued_at }) => issued_at)])].sort(
    (a, b) => a - b,
  );
  return { storm, bulletins, stops, begins: stops[0]!, ends: stops.at(-1)! };
}

const film = (page: Page) => page.getByRole("region", { name: "Film of the storm" });
const slider = (page: Page) => page.getByRole("slider", { name: "Time of the film" });

/** Matches the time of the film in the link. */
const inLink = (time: number) => new RegExp(`film=${formatInstant(time).replaceAll(":", "(:|%3A)")}`);

test("a storm's film plays from its card, pauses, steps by keyboard and closes; its bulletins are read only then", async ({
  page,
  demo,
}) => {
  const { storm, stops, begins, ends } = await crossing(demo);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/history") && asked.push(request.url()));
  await openMap(page, `storm=${storm.id}&c=20,175&z=2.5&l=wind&o=storms`, demo.url);
  const card = page.getByRole("region", { name: `Storm ${storm.name}` });
  const open = card.getByRole("button", { name: "Film" });
  await expect(open).toBeVisible();
  expect(asked).toEqual([]);

  await open.press("Enter");
  await expect(page.getByRole("button", { name: "Pause the film" })).toBeFocused();
  expect(asked).toHaveLength(1);
  await expect(film(page)).toContainText("drawn while the film is paused");
  // The map has one time only.
  await expect(page.getByRole("slider", { name: "Time of the map", exact: true })).toHaveCount(0);
  await expect.poll(async () => Number(await slider(page).inputValue())).toBeGreaterThan(begins);
  await slider(page).press("Space");
  await expect(page.getByRole("button", { name: "Play the film" })).toBeVisible();

  await slider(page).press("End");
  await expect(page).toHaveURL(inLink(ends));
  await expect(film(page)).toContainText(`bulletin ${BULLETINS} of ${BULLETINS}`);
  await slider(page).press("ArrowLeft");
  await expect(page).toHaveURL(inLink(stops.at(-2)!));
  await expect(film(page)).toContainText(`bulletin ${BULLETINS - 1} of ${BULLETINS}`);
  await expect(slider(page)).toHaveAttribute("aria-valuetext", /kn \(1-minute mean\)/);
  await slider(page).press("ArrowRight");
  await expect(page).toHaveURL(inLink(ends));
  await expect(film(page)).toContainText("of the same time as the film");
  await slider(page).press("Home");
  await expect(page).toHaveURL(inLink(begins));

  await slider(page).press("Escape");
  await expect(open).toBeFocused();
  await expect(page).not.toHaveURL(/film=/);
  await expect(page.getByRole("slider", { name: "Time of the map", exact: true })).toBeVisible();
  expect(asked).toHaveLength(1);
});

test("on a phone the sheet goes down when the film opens; with reduced motion the film waits, and steps", async ({
  page,
  demo,
}) => {
  const { storm, stops, begins } = await crossing(demo);
  await page.setViewportSize({ width: 390, height: 844 });
  await openMap(page, `storm=${storm.id}&c=20,175&z=2.5&l=none&o=storms`, demo.url);
  await page.getByRole("button", { name: "Raise the panel" }).click();
  await page.getByRole("button", { name: "Film" }).click();
  // A click waits until nothing covers the button.
  await page.getByRole("button", { name: "Pause the film" }).click();
  const height = () => film(page).evaluate((it) => it.clientHeight);
  await slider(page).press("Home");
  await expect(film(page)).toContainText("before the first stored bulletin");
  const first = await height();
  await slider(page).press("End");
  await expect(film(page)).toContainText(`bulletin ${BULLETINS} of ${BULLETINS}`);
  expect(await height()).toBe(first);
  await slider(page).press("Escape");
  const open = page.getByRole("button", { name: "Film" });
  await expect(open).toBeFocused();

  await page.emulateMedia({ reducedMotion: "reduce" });
  await open.press("Enter");
  await expect(page.getByRole("button", { name: "Play the film" })).toBeFocused();
  await expect(slider(page)).toHaveValue(String(begins));
  await page.getByRole("button", { name: "On to the next fix or bulletin" }).click();
  await expect(page).toHaveURL(inLink(stops[1]!));
  await page.emulateMedia({ reducedMotion: null });
});

test("beside the film, the card compares forecasts with the observed track, and the two agencies, without axe violations", async ({
  page,
  demo,
}) => {
  test.slow();
  const { storm, bulletins, ends } = await crossing(demo);
  const view = `storm=${storm.id}&film=${formatInstant(ends + 6 * 3600)}&c=24,176&z=2.6&l=none&o=storms`;
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMap(page, view, demo.url);
  // A link to a time outside the film opens its end.
  await expect(slider(page)).toHaveValue(String(ends));
  await page.getByText("Forecast against what came").click();
  const { summaries } = errorsByStandardLead(forecastErrors(bulletins));
  const table = page.getByRole("table", { name: "Mean error of the forecasts so far, by lead" });
  await expect(table.getByRole("row")).toHaveCount(summaries.length + 1);
  expect(summaries.length).toBeGreaterThan(2);
  for (const [index, { fhr, count, meanMiles }] of summaries.entries())
    await expect(table.getByRole("row").nth(index + 1)).toContainText(
      new RegExp(`^${fhr}${count}( \\(few\\))?${Math.round(meanMiles)}`),
    );
  await page.getByRole("button", { name: "Compare the tracks" }).click();
  const differences = page.getByRole("region", { name: "The two tracks by time" });
  await expect(differences.getByRole("columnheader", { name: /^JTWC\/NHC, kn, 1-min/ })).toBeVisible();
  await expect(differences.getByRole("columnheader", { name: /^JMA, kn, 10-min/ })).toBeVisible();
  expect(await differences.getByRole("row").count()).toBeGreaterThan(10);
  // The page must not scroll, because finding a text or moving the focus would then move the map and the header out of view.
  expect(await page.locator(".screen").evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0);
  await expectAccessible(page, "the film");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Raise the panel" }).click();
  await expect(page.getByRole("region", { name: "The two tracks by time" })).toBeAttached();
  await expectAccessible(page, "the film");
});
