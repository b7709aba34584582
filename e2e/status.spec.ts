import type { FeedStatus } from "#lib/contract/feeds.ts";
import { feedsAnswer, arrivingFeed as gfs } from "#test/feed-status.ts";
import { expectAccessible, widths } from "./accessibility.ts";
import { expect, test } from "./map.ts";
import { KEY } from "./server.ts";

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

test("arriving and failing feeds are described in words, without axe violations", async ({ page, demo }) => {
  test.slow();
  const answer = feedsAnswer([gfs, failing], 40e9);
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
