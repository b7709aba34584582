import { planToText } from "#lib/passage/plan-link.ts";
import { expectAccessible } from "./accessibility.ts";
import { counted } from "./counted.ts";
import { expect, legendButton, openMap, test, timeSlider } from "./map.ts";
import { mapIsSettled } from "./probe.ts";

test.use({ viewport: { width: 1440, height: 900 } });

test("how sure Thursday is takes 2 actions from the map, whose link has limit and hours", async ({
  page,
  demo,
}) => {
  await openMap(page, "c=45,-30&z=3&o=&t=2026-09-15T12:00:00Z", demo.url);
  const legend = page.getByRole("region", { name: "Legend" });
  const journey = await counted(page, async ({ click }) => {
    await click(page.getByRole("button", { name: /^Thu 17 Sep/ }));
    await click(page.getByRole("button", { name: "How sure?" }));
    await expect(legend).toContainText("Wind > 34 kn: % of 31 members");
  });
  expect(journey.actions).toBe(2);
  await expect(page).toHaveURL(/[?&]l=wind_speed_over_34kn&|[?&]l=wind_speed_over_34kn$/);
  await mapIsSettled(page);
  await page.mouse.move(600, 400);
  await expect(page.getByTestId("readout")).toContainText(/of 31 members \(\d+%\)|no value/);
  await legendButton(page).click();
  await legend.getByRole("button", { name: "22 kn" }).click();
  await legend.getByRole("button", { name: "Within 48 h" }).click();
  await expect(legend).toContainText("They do not see squalls");
  await expectAccessible(page, "the choice of a statistic", { within: "main", inThemes: ["light", "night"] });
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/l=wind_speed_over_22kn_within_48h/);
  await page.reload();
  await expect(legend).toContainText("Wind > 22 kn within 48 h: % of 31 members");
  await page.getByRole("button", { name: "How sure?" }).click();
  await expect(page).not.toHaveURL(/over_22kn/);
  await expect(legend).toContainText("kn");
});

test("how sure another day is takes 2 actions on a phone, too", async ({ page, demo }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openMap(page, "c=45,-30&z=3&o=&t=2026-09-15T12:00:00Z", demo.url);
  const journey = await counted(page, async ({ click }) => {
    await click(timeSlider(page));
    await expect(page).not.toHaveURL(/t=2026-09-15/);
    await click(page.getByRole("button", { name: "How sure?" }));
    await expect(page.getByRole("region", { name: "Legend" })).toContainText("Wind > 34 kn: % of 31 members");
  });
  expect(journey.actions).toBe(2);
  await expectAccessible(page, "the switch to members", { within: ".legends", inThemes: ["light", "night"] });
});

test("the best departure by the share of members is found and taken in 3 actions", async ({ page, demo }) => {
  // The demo computes its members when they are first asked for.
  test.slow();
  const leg = "great_circle" as const;
  const plan = planToText({
    name: "",
    route: [
      { latitude: 44, longitude: -30, leg },
      { latitude: 44.3, longitude: -30, leg },
    ],
    vessel: { kind: "fixed", speed_kt: 6 },
  }).text;
  await openMap(page, `c=44,-30&z=6&l=none&o=&plan=${plan}`, demo.url);
  const journey = await counted(page, async ({ click }) => {
    await click(page.getByRole("tab", { name: "When to leave" }));
    await click(page.getByRole("button", { name: "Through the ensemble" }));
    const table = page.getByRole("region", { name: "Departures through the members" });
    await expect(table).toContainText(/\d+ of 31 members/, { timeout: 180_000 });
    await click(page.getByRole("button", { name: /^Leave \w+ \d+ \w+ \d\d:\d\d$/ }).first());
    await expect(page.getByText(/^The plan leaves /)).toBeVisible();
  });
  expect(journey.actions).toBe(3);
});

test("at a place one request brings the members: bands in the meteogram, and a sentence that counts them", async ({
  page,
  demo,
}) => {
  // The demo computes its members when they are first asked for.
  test.slow();
  const asked: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/MetOcean/ensemble")) asked.push(request.postDataJSON());
  });
  await openMap(page, "c=45,-30&z=3&l=none&o=&t=2026-09-15T12:00:00Z", demo.url);
  await page.getByRole("application", { name: "Weather map" }).click();
  const members = page.getByTestId("members");
  await expect(members).toContainText(/kn: \d+ of 31 members, most likely |No member reaches 22 kn before /, {
    timeout: 90_000,
  });
  await expect(page.getByTestId("bands")).toContainText("31 members");
  await expect(page.locator('[data-row="wind"] .chart-bands > path')).toHaveCount(2);
  expect(asked).toMatchObject([{ members: true, variables: ["wind", "gust", "wave"] }]);
  await expectAccessible(page, "a point with members", { within: ".panel", inThemes: ["light", "night"] });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(page.getByTestId("print-sheet").locator(".chart-bands")).not.toHaveCount(0);
  await expect(page.getByTestId("print-sheet")).toContainText("Not calibrated");
});
