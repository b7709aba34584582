import { expect, it } from "vitest";
import { testFeed } from "#test/feeds.ts";
import { hostRules } from "./feed-deps.ts";

const mirror = { name: "here", base: "https://example.org/data" };

it("asks a host that has several feeds as its strictest mirror wants", () => {
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

it("keeps to the default where a mirror on the same host would allow more", () => {
  const feeds = [{ ...testFeed, mirrors: [{ ...mirror, requestsPerMinute: 5000 }, mirror] }];
  expect(hostRules(feeds)["example.org"]).toEqual({ requestsPerMinute: 600 });
});
