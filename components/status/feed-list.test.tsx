import { expect, it } from "vitest";
import { de, ja } from "#test/all-words.ts";
import { feedsAnswer, arrivingFeed as gfs } from "#test/feed-status.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { FeedList, feedsQuery } from "./feed-list.tsx";

const last_error = { at: "2026-09-15T11:30:00Z", message: "AWS is throttling (503 SlowDown)" };

it.each([
  [
    "how much of a run that arrives is here, and how far it reaches",
    feedsAnswer([gfs], 40e9),
    [
      "1 arriving. On disk: 22.0 GB of 40.0 GB.",
      /<progress[^>]*max="209"[^>]*value="97"/,
      "Tue 15 Sep 06:00 UTC, 6 h ago",
      "Sat 19 Sep 07:00 UTC, in 4 d",
      "Tue 15 Sep 12:20 UTC, in 20 min",
      "Tue 15 Sep 11:58 UTC, 2 min ago",
      /^(?!.*The clock of this server)/,
    ],
  ],
  [
    "a failure in its words, and what is kept for the operator",
    feedsAnswer([{ ...gfs, state: "failing", last_error, quarantined: 2 }], null),
    ["Failing", last_error.message, "2 files were refused and kept for the operator", /^(?!.*<progress)/],
  ],
  [
    "ages from the newest answer, however long the page is open",
    { ...feedsAnswer([gfs]), now: "2026-09-15T13:10:00Z" },
    ["Tue 15 Sep 11:58 UTC, 72 min ago", "Tue 15 Sep 12:20 UTC, 50 min ago"],
  ],
  [
    "that the server's clock is wrong",
    { ...feedsAnswer([gfs]), clock_error_s: -7_190 },
    ["The clock of this server is 120 min slow"],
  ],
  [
    "that nothing of a feed has come yet",
    feedsAnswer([
      gfs,
      { ...gfs, name: "smoc", state: "waiting", newest_run: null, steps: 0, bytes_today: 0 },
    ]),
    ["1 arriving, 1 waiting.", /Today<\/dt><dd[^>]*>0 kB</],
  ],
  [
    "texts of storms, which have no steps",
    feedsAnswer([{ ...gfs, name: "jtwc", kind: "storms", state: "current" }]),
    ["Newest text", /^(?!.*Steps)/],
  ],
  ["how to turn feeds on where all are off", feedsAnswer([], null), ["FEEDS=lite npm start"]],
  [
    "it in German",
    feedsAnswer([{ ...gfs, quarantined: 1 }], 40e9),
    [
      "1 im Empfang. Auf der Festplatte: 22,0 GB von 40,0 GB.",
      /1 Datei wurde abgelehnt und für den Betreiber aufbewahrt: <code/,
    ],
    de,
  ],
  [
    "it in Japanese",
    feedsAnswer([], null),
    [/取得できます：<code[^>]*>FEEDS=lite npm start<\/code>。1日のデータ量は<code/],
    ja,
  ],
] as const)("tells %s", (_, answer, texts, words = undefined) => {
  const cache = filledCache(feedsQuery(TEST_KEY), answer);
  const html = renderInPage(<FeedList open={false} />, { cache, ...(words && { words }) });
  for (const text of texts) expect(html).toMatch(text);
});

it("without a key nothing is asked for, unless the page is public", () => {
  const asks = [false, true].map((open) => renderInPage(<FeedList open={open} />, { apiKey: null }));
  expect(asks.map((html) => html.includes("Reading the state"))).toEqual([false, true]);
});
