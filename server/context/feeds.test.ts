import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { feedsResponse } from "#lib/contract/feeds.ts";
import { parseInstant } from "#lib/time.ts";
import type { FeedState } from "#server/platform/feed-state.ts";
import { createMetrics } from "#server/platform/metrics.ts";
import { feedsStatus, observeFeeds } from "./feeds.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const gfs = { name: "gfs", title: "NOAA GFS 0.25°", credit: "NOAA", kind: "fields" } as const;

const current: FeedState = {
  name: "gfs",
  state: "current",
  newestRun: parseInstant("2026-09-15T06:00:00Z"),
  steps: 209,
  stepsExpected: 209,
  validUntil: parseInstant("2026-10-01T06:00:00Z"),
  nextExpected: parseInstant("2026-09-15T15:40:00Z"),
  lastSuccess: parseInstant("2026-09-15T11:20:00Z"),
  error: null,
  errorAt: null,
  mirror: "AWS",
  bytesToday: 1_200_000_000,
  bytesTotal: 9_000_000_000,
  quarantined: 0,
  updatedAt: now,
};

const serviceAt = (states: FeedState[], at: number, errorS?: number) =>
  feedsStatus({
    open: false,
    enabled: [gfs],
    states: { all: async () => states },
    diskBytes: async () => 22e9,
    budgetBytes: undefined,
    now: () => at,
    clockReading: async () => (errorS === undefined ? undefined : { errorS, hosts: 3, at }),
  });

const statusAt = async (states: FeedState[], at = now) => {
  const answer = await serviceAt(states, at).read();
  expect(feedsResponse.parse(answer)).toEqual(answer);
  return answer.feeds[0]!;
};

it.each([-7200, 7200])("reports a clock %i s ahead, and judges ages without its error", async (errorS) => {
  const service = serviceAt([current], now + errorS, errorS);
  const { feeds, clock_error_s, now: corrected } = await service.read();
  expect({ clock_error_s, corrected }).toEqual({
    clock_error_s: errorS,
    corrected: "2026-09-15T12:00:00Z",
  });
  expect(feeds[0]).toMatchObject({ state: "current", age_s: 21_600 });
  expect(await service.clockProblem()).toMatch(errorS < 0 ? /120 min slow, by 3 hosts/ : /120 min fast/);
  const metrics = createMetrics();
  observeFeeds(service, metrics);
  expect((await metrics.text()).body).toContain(`clock_error_seconds ${errorS}`);
});

it("a feed whose loop has died is late an hour after its own expectation", async () => {
  const expected = current.nextExpected!;
  expect((await statusAt([current], expected + 3600)).state).toBe("current");
  expect((await statusAt([current], expected + 3601)).state).toBe("late");
});

it("a feed with an arriving run is late when its loop has written nothing for an hour, and not while it catches up", async () => {
  const growing: FeedState = { ...current, state: "growing", nextExpected: now - 7200, updatedAt: now };
  expect((await statusAt([growing], now + 3600)).state).toBe("growing");
  expect((await statusAt([growing], now + 3601)).state).toBe("late");
});

const rules = () => readFile(path.join(import.meta.dirname, "../../deploy/alerts.yml"), "utf8");

it("each metric has its own value, in seconds and bytes", async () => {
  const metrics = createMetrics();
  const failing: FeedState = { ...current, state: "failing", quarantined: 3 };
  observeFeeds(serviceAt([failing], now), metrics);
  const { body } = await metrics.text();
  const values = [...body.matchAll(/^(feed_\w+)\{feed="gfs"\} (\S+)$/gm)].map(([, name, value]) => [
    name,
    +value!,
  ]);
  expect(Object.fromEntries(values)).toEqual({
    feed_age_seconds: 21_600,
    feed_overdue_seconds: -13_200,
    feed_success_age_seconds: 2400,
    feed_failing: 1,
    feed_quarantined: 3,
    feed_today_bytes: 1_200_000_000,
  });
});

it("a feed that does not change, and of which nothing more is expected, raises no alarm for its silence", async () => {
  const metrics = createMetrics();
  const whole = { ...current, nextExpected: null, lastSuccess: now - 30 * 86_400 };
  observeFeeds(serviceAt([whole], now), metrics);
  const { body } = await metrics.text();
  expect(body).toContain('feed_success_age_seconds{feed="gfs"} 2592000');
  expect(body).not.toContain("feed_overdue_seconds{");
  const ofAge = (await rules()).match(/expr: .*_age_seconds.*/g);
  expect(ofAge?.length).toBeGreaterThan(0);
  for (const rule of ofAge ?? []) expect(rule).toContain(" and feed_overdue_seconds > 0");
});

it("other metrics are still reported while the table of feeds cannot be read", async () => {
  const metrics = createMetrics();
  const away = { open: false, read: () => Promise.reject(new Error("the database does not answer")) };
  metrics.gauge("other", "Something else", () => 1);
  metrics.gauge("lost", "Of the same database", away.read);
  observeFeeds(away, metrics);
  const { body } = await metrics.text();
  expect(body).toContain("other 1");
  expect(body).toMatch(/^lost Nan$/m);
  expect(body).not.toContain("feed_failing{");
});
