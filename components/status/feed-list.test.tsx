import { expect, it } from "vitest";
import type { FeedStatus, FeedsResponse } from "#lib/contract/feeds.ts";
import { parseInstant } from "#lib/time.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { FeedList, feedsQuery } from "./feed-list.tsx";

const now = parseInstant("2026-09-15T12:00:00Z");

const gfs: FeedStatus = {
  name: "gfs",
  title: "NOAA GFS 0.25°",
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

const page = (feeds: FeedStatus[], budget: number | null = null) => {
  const data: FeedsResponse = { feeds, disk: { bytes: 22e9, budget_bytes: budget } };
  const cache = filledCache(feedsQuery(TEST_KEY), data);
  return renderInPage(<FeedList now={now} open={false} />, { cache });
};

it("a run that arrives shows how much of it is here and how far it reaches", () => {
  const html = page([gfs], 40e9);
  expect(html).toContain("1 arriving. On disk: 22.0 GB of 40.0 GB.");
  expect(html).toMatch(/<progress[^>]*max="209"[^>]*value="97"/);
  expect(html).toContain("Tue 15 Sep 06:00 UTC, 6 h ago");
  expect(html).toContain("Sat 19 Sep 07:00 UTC, in 4 d");
  expect(html).toContain("Tue 15 Sep 12:20 UTC, in 20 min");
  expect(html).toContain("Tue 15 Sep 11:58 UTC, 2 min ago");
});

it("a failure is told in its words, with its time, and so is what is kept for the operator", () => {
  const last_error = { at: "2026-09-15T11:30:00Z", message: "AWS is throttling (503 SlowDown)" };
  const html = page([{ ...gfs, state: "failing", last_error, quarantined: 2 }]);
  expect(html).toContain("Failing");
  expect(html).toContain("AWS is throttling (503 SlowDown)");
  expect(html).toContain("2 files were refused and kept for the operator");
  expect(html).not.toContain("<progress");
});

it("storms have texts and no steps", () => {
  const html = page([{ ...gfs, name: "jtwc", kind: "storms", state: "current" }]);
  expect(html).toContain("Newest text");
  expect(html).not.toContain("Steps");
});

it("where every feed is off it says how to turn one on", () => {
  expect(page([])).toContain("FEEDS=lite npm start");
});

it("without a key nothing is asked for, unless the page is public", () => {
  const html = renderInPage(<FeedList now={now} open={false} />, { apiKey: null });
  expect(html).not.toContain("Reading the state");
  expect(renderInPage(<FeedList now={now} open />, { apiKey: null })).toContain("Reading the state");
});
