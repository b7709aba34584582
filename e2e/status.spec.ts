import type { FeedStatus, FeedsResponse } from "#lib/contract/feeds.ts";
import { expectAccessible, widths } from "./accessibility.ts";
import { expect, test } from "./map.ts";
import { KEY } from "./server.ts";

const gfs: FeedStatus = {
  name: "gfs",
  title: "NOAA GFS 0.25°: wind, gust, rain, CAPE, temperature, cloud, pressure",
  credit: "NOAA/NCEP, public domain",
  kind: "fields",
  state: "growing",
  newest_run: "2026-09-15T06:00:00Z",
  age_s: 21_600,
  steps: 97,
  steps_expected: 209,
  valid_until: "2026-09-19T07:00:00Z",
  next_expected: "2026-09-15T12:20:00Z",
  last_success: "2026-09-15T11:58:00Z",
  last_error: null,
  mirror: "AWS",
  bytes_today: 1_200_000_000,
  quarantined: 0,
};

const failing: FeedStatus = {
  ...gfs,
  name: "jtwc",
  title: "Joint Typhoon Warning Center: warnings, decks, outlooks",
  kind: "storms",
  state: "failing",
  last_error: {
    at: "2026-09-15T11:30:00Z",
    message:
      "tgftp.nws.noaa.gov answers 429, too many requests; www.metoc.navy.mil refuses (403). It is asked again at 12:00.",
  },
  quarantined: 1,
};

test("the page of the feeds is reached from the map, and says how to turn one on", async ({
  quietPage: page,
  demo,
}) => {
  await page.goto(`${demo.url}/docs#key=${KEY}`);
  await page.getByRole("navigation", { name: "Pages" }).first().getByRole("link", { name: "Feeds" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Feeds" })).toBeVisible();
  await page.goto(`${demo.url}/status#key=${KEY}`);
  await expect(page.getByText("No feed is turned on")).toBeVisible();
  await expect(page.getByText("FEEDS=lite npm start")).toBeVisible();
});

test("feeds that arrive and that fail are told in words, without axe violations at any width in any theme", async ({
  page,
  demo,
}) => {
  test.slow();
  const answer: FeedsResponse = {
    feeds: [gfs, failing],
    disk: { bytes: 22_000_000_000, budget_bytes: 40_000_000_000 },
  };
  await page.route("**/feeds", (route) => route.fulfill({ json: answer }));
  await page.goto(`${demo.url}/status#key=${KEY}`);
  await expect(page.getByText("1 arriving, 1 failing. On disk: 22.0 GB of 40.0 GB.")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: /^Steps of NOAA GFS/ })).toHaveAttribute("value", "97");
  await expect(page.getByText(failing.last_error!.message)).toBeVisible();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 1600 });
    await expectAccessible(page, "the page of the feeds");
  }
});
