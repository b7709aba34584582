import type { FeedStatus, FeedsResponse } from "#lib/contract/feeds.ts";

/** A feed of fields whose newest run is arriving. */
export const arrivingFeed: FeedStatus = {
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

/** The reply of GET /feeds at noon of that day. @param budget Size limit of the disk, bytes. */
export function feedsAnswer(feeds: FeedStatus[], budget: number | null = null): FeedsResponse {
  return {
    now: "2026-09-15T12:00:00Z",
    clock_error_s: 0,
    feeds,
    disk: { bytes: 22e9, budget_bytes: budget },
  };
}
