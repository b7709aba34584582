import { z } from "zod";

/** States of a feed, from best to worst. */
export const feedStates = ["current", "growing", "ended", "waiting", "late", "failing"] as const;

const instant = z.iso.datetime().nullable();

const bytes = z.int().nonnegative();

const feed = z.strictObject({
  name: z.string().describe("Name of the feed in the setting FEEDS").meta({ example: "gfs" }),
  title: z.string().describe("Name of the data set and its variables"),
  credit: z.string().describe("Attribution that the licence asks for"),
  kind: z.enum(["fields", "storms"]),
  state: z
    .enum(feedStates)
    .describe(
      "current: nothing newer is expected yet; growing: a newer run is arriving; waiting: nothing was fetched yet; " +
        "late: what was expected has not come; failing: the last attempt failed; " +
        "ended: its publisher has ended it, and its last runs answer as long as they reach",
    ),
  newest_run: instant.describe("Base time of the newest run, or time of issue of the newest storm text"),
  age_s: z.int().nullable().describe("Seconds from newest_run to now, by the weather clock"),
  steps: z.int().nonnegative().describe("Number of steps of the newest run that are published"),
  steps_expected: z
    .int()
    .nonnegative()
    .describe("Number of steps of a complete run; 0 for feeds without steps"),
  valid_until: instant.describe("Last time that the published steps reach"),
  next_expected: instant.describe("Time at which something newer is expected"),
  last_success: instant,
  last_error: z
    .strictObject({ at: z.iso.datetime(), message: z.string() })
    .nullable()
    .describe("The newest failure since the last success, as text; also fields that the newest run lacks"),
  mirror: z.string().nullable().describe("Host that answered last"),
  bytes_today: bytes.describe("Bytes fetched since midnight UTC"),
  quarantined: z
    .int()
    .nonnegative()
    .describe("Number of files that were fetched and refused; they are stored for the operator"),
});

/** Answer of GET /feeds. */
export const feedsResponse = z.strictObject({
  now: z.iso.datetime().describe("The weather clock, by which ages count, corrected by clock_error_s"),
  clock_error_s: z
    .int()
    .nullable()
    .describe(
      "Error of the clock of this server according to the hosts of its feeds, seconds: positive if it is ahead, negative if it is slow, " +
        "0 within five minutes, null if fewer than two hosts have agreed within two hours",
    ),
  feeds: z.array(feed).describe("The feeds that are turned on"),
  disk: z.strictObject({
    bytes: bytes.describe("Size of the published runs, bytes"),
    budget_bytes: bytes
      .nullable()
      .describe("Size that the archive may grow to, bytes; null if there is no limit"),
  }),
});

export type FeedsResponse = z.infer<typeof feedsResponse>;
export type FeedStatus = z.infer<typeof feed>;
