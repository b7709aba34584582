import { expect, it } from "vitest";
import type { Leadership } from "#server/platform/session.ts";
import { testFeed } from "#test/feeds.ts";
import { hostRules, waitToLeadFeeds } from "./feed-deps.ts";

const leadership: Leadership = { lost: new AbortController().signal, close: async () => {} };

it("takes the lead within ten seconds after the leading process has ended", async () => {
  const waits: number[] = [];
  let others = 3;
  const lead = await waitToLeadFeeds(
    { lead: async () => (others-- > 0 ? undefined : leadership) },
    new AbortController().signal,
    async (seconds) => void waits.push(seconds),
  );
  expect(lead).toBe(leadership);
  expect(waits).toHaveLength(3);
  expect(Math.max(...waits)).toBeLessThanOrEqual(10);
});

const mirror = { name: "here", base: "https://example.org/data" };

it("applies the strictest rules of all mirrors on a host", () => {
  const feeds = [
    { ...testFeed, mirrors: [{ ...mirror, requestsPerMinute: 20, throttledBy: [302] }] },
    { ...testFeed, mirrors: [{ ...mirror, base: "https://example.org/other", throttledBy: [403, 302] }] },
    {
      ...testFeed,
      mirrors: [
        { ...mirror, requestsPerMinute: 60 },
        { ...mirror, base: "https://b.example" },
      ],
    },
  ];
  expect(hostRules(feeds)).toEqual({
    "example.org": { requestsPerMinute: 20, throttledBy: [302, 403] },
    "b.example": {},
  });
});

it("keeps the default where a mirror on the same host would allow more", () => {
  const feeds = [{ ...testFeed, mirrors: [{ ...mirror, requestsPerMinute: 5000 }, mirror] }];
  expect(hostRules(feeds)["example.org"]).toEqual({ requestsPerMinute: 600 });
});
