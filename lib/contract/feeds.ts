import { z } from "zod";

/** States of a feed, from best to worst. */
export const feedStates = ["current", "growing", "waiting", "late", "failing"] as const;

const instant = z.iso.datetime().nullable();

const bytes = z.int().nonnegative();

const feed = z.strictObject({
  name: z.string().describe("as in the setting FEEDS").meta({ example: "gfs" }),
  title: z.string().describe("what it brings"),
  credit: z.string().describe("the line that its licence asks for"),
  kind: z.enum(["fields", "storms"]),
  state: z
    .enum(feedStates)
    .describe(
      "current: nothing newer is expected yet; growing: a newer run is arriving; waiting: nothing was fetched yet; " +
        "late: what was expected has not come; failing: the last attempt failed",
    ),
  newest_run: instant.describe("base time of the newest run, or issue of the newest text"),
  age_s: z.int().nullable().describe("seconds since newest_run, by the weather clock"),
  steps: z.int().nonnegative().describe("steps of that run that are published"),
  steps_expected: z.int().nonnegative().describe("steps of a whole run; 0 where steps do not apply"),
  valid_until: instant.describe("last time that is published"),
  next_expected: instant.describe("when something newer is expected"),
  last_success: instant,
  last_error: z
    .strictObject({ at: z.iso.datetime(), message: z.string() })
    .nullable()
    .describe("the newest failure since the last success, in words"),
  mirror: z.string().nullable().describe("host that answered last"),
  bytes_today: bytes.describe("fetched since midnight UTC"),
  quarantined: z.int().nonnegative().describe("files that were fetched, refused and kept for the operator"),
});

/** Answer of GET /feeds. */
export const feedsResponse = z.strictObject({
  now: z.iso
    .datetime()
    .describe("the weather clock, by which ages count; without the error that is known of it"),
  clock_error_s: z
    .int()
    .nullable()
    .describe(
      "how far the clock of this server is ahead, seconds, by the hosts of its feeds; negative where it is slow, 0 within " +
        "five minutes, null where several hosts have not been heard lately",
    ),
  feeds: z.array(feed).describe("the feeds that are turned on; empty where none is"),
  disk: z.strictObject({
    bytes: bytes.describe("published runs"),
    budget_bytes: bytes.nullable().describe("null without a budget"),
  }),
});

export type FeedsResponse = z.infer<typeof feedsResponse>;
export type FeedStatus = z.infer<typeof feed>;
