import { expect, it } from "vitest";
import type { FeedStatus } from "#lib/contract/feeds.ts";
import { de, ja } from "#test/all-words.ts";
import { feedsAnswer, arrivingFeed as gfs } from "#test/feed-status.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { FeedList, feedsQuery } from "./feed-list.tsx";

const page = (feeds: FeedStatus[], budget: number | null = null) => {
  const cache = filledCache(feedsQuery(TEST_KEY), feedsAnswer(feeds, budget));
  return renderInPage(<FeedList open={false} />, { cache });
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

it("a page that has been open for long counts from the newest answer", () => {
  const later = { ...feedsAnswer([gfs]), now: "2026-09-15T13:10:00Z" };
  const html = renderInPage(<FeedList open={false} />, { cache: filledCache(feedsQuery(TEST_KEY), later) });
  expect(html).toContain("Tue 15 Sep 11:58 UTC, 72 min ago");
  expect(html).toContain("Tue 15 Sep 12:20 UTC, 50 min ago");
});

it("a server's clock that is wrong is named, with what follows", () => {
  const slow = { ...feedsAnswer([gfs]), clock_error_s: -7_190 };
  const html = renderInPage(<FeedList open={false} />, { cache: filledCache(feedsQuery(TEST_KEY), slow) });
  expect(html).toContain("The clock of this server is 120 min slow");
  expect(page([gfs])).not.toContain("The clock of this server");
});

it("a feed of which nothing has come yet is waiting, and has fetched nothing", () => {
  const html = page([
    gfs,
    { ...gfs, name: "smoc", state: "waiting", newest_run: null, steps: 0, bytes_today: 0 },
  ]);
  expect(html).toContain("1 arriving, 1 waiting.");
  expect(html).toMatch(/Today<\/dt><dd[^>]*>0 kB</);
});

it("storms have texts and no steps", () => {
  const html = page([{ ...gfs, name: "jtwc", kind: "storms", state: "current" }]);
  expect(html).toContain("Newest text");
  expect(html).not.toContain("Steps");
});

it("is told in the words of the page", () => {
  const cache = filledCache(feedsQuery(TEST_KEY), feedsAnswer([{ ...gfs, quarantined: 1 }], 40e9));
  const german = renderInPage(<FeedList open={false} />, { cache, words: de });
  expect(german).toContain("1 im Empfang. Auf der Festplatte: 22,0 GB von 40,0 GB.");
  expect(german).toMatch(/1 Datei wurde abgelehnt und für den Betreiber aufbewahrt: <code/);
  const empty = filledCache(feedsQuery(TEST_KEY), feedsAnswer([], null));
  const japanese = renderInPage(<FeedList open={false} />, { cache: empty, words: ja });
  expect(japanese).toMatch(/取得できます：<code[^>]*>FEEDS=lite npm start<\/code>。1日のデータ量は<code/);
});

it("where every feed is off it says how to turn one on", () => {
  expect(page([])).toContain("FEEDS=lite npm start");
});

it("without a key nothing is asked for, unless the page is public", () => {
  const html = renderInPage(<FeedList open={false} />, { apiKey: null });
  expect(html).not.toContain("Reading the state");
  expect(renderInPage(<FeedList open />, { apiKey: null })).toContain("Reading the state");
});
