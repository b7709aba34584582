import type { FieldName } from "#lib/catalog/fields.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { DAY_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import { archivedPerFetched } from "#server/ingest/feeds/disk-budget.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import type { Keep } from "#server/ingest/feeds/keep.ts";
import { inHours, LINE, table } from "#server/ingest/feeds/plan-feeds.ts";
import { fieldsOfProfile } from "#server/ingest/feeds/profile-fields.ts";
import { bytesOf, partsOf } from "./unit-parts.ts";
import { day, isOf, type Kind, kinds, lackingOf, type Span, type Unit, unitsOf } from "./units.ts";

/** Processor time to decode, check and write what was fetched, seconds a byte (`npm run bench -- "feeds cycle"`). */
const COMPUTING = 4.68 / 24.2e6;

/** A unit that is to be fetched, and what it costs, about. */
export interface PlannedUnit extends Unit {
  names: FieldName[];
  /** How many it has when it is whole. */
  steps: number;
  /** To be fetched. */
  bytes: number;
  /** Times that what is published of it does not have; undefined where nothing is. */
  lacking: number[] | undefined;
}

export interface BackfillPlan {
  feed: FieldFeed;
  profile: Profile;
  span: Span;
  /** Oldest first. */
  units: PlannedUnit[];
  /** Units of each kind that are there already. */
  there: Record<Kind, number>;
  /** Why parts of the span are left out, in words. */
  leftOut: string[];
}

/** What has to be fetched to fill a span, after what is published. */
export function planBackfill(
  feed: FieldFeed,
  profile: Profile,
  keep: Keep,
  span: Span,
  runs: readonly Run[],
  now: number,
): BackfillPlan {
  const names = fieldsOfProfile(feed, profile);
  const { units, leftOut } = unitsOf(feed, names, keep, span, now);
  const there: BackfillPlan["there"] = { recent: 0, archive: 0, years: 0 };
  const planned: PlannedUnit[] = [];
  for (const unit of units) {
    const wanted = names.filter(unit.wants);
    const parts = partsOf(feed, profile, unit);
    const every = parts.flatMap(({ part }) => part.times).filter((time) => isOf(unit, time));
    const times = [...new Set(every)].sort((a, b) => a - b);
    const lacking = lackingOf(runs, feed, unit, wanted, times);
    if (lacking?.length === 0) there[unit.kind]++;
    else {
      const bytes = parts.reduce((sum, part) => sum + bytesOf(part, feed, profile), 0);
      planned.push({ ...unit, names: wanted, steps: times.length, bytes, lacking });
    }
  }
  return { feed, profile, span, units: planned, there, leftOut };
}

/**
 * What a back-fill costs, for people.
 *
 * @param bytesADay What FEED_BYTES_A_DAY leaves beside the feeds of FEEDS.
 */
export function describeBackfill(plan: BackfillPlan, bytesADay: number): string {
  const { feed, profile, units, there, leftOut, span } = plan;
  const bytes = units.reduce((sum, unit) => sum + unit.bytes, 0);
  const rows = (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const own = units.filter((unit) => unit.kind === kind);
    if (own.length + there[kind] === 0) return [];
    const first = own[0];
    const reach = first ? `${day(first.from)} to ${day(own.at(-1)!.to - DAY_S)}` : "-";
    const of = kind === "years" ? "periods of 10 days" : "days";
    const sum = own.reduce((total, unit) => total + unit.bytes, 0);
    return [
      [
        kinds[kind],
        `${own.length} ${of}`,
        reach,
        String(there[kind]),
        own.length > 0 ? formatBytes(sum) : "-",
      ],
    ];
  });
  const lines = [
    `Back-fill of ${feed.name}, ${day(span.from)} to ${day(span.to - DAY_S)}, profile ${profile}, about:`,
  ];
  if (rows.length > 0) lines.push(...table([["", "to fetch", "", "there already", "bytes"], ...rows]));
  lines.push(...leftOut.map((words) => `Left out: ${words}.`));
  if (units.length === 0) return [...lines, "There is nothing to fetch.", ""].join("\n");
  lines.push(
    `Together ${formatBytes(bytes)} to fetch: ${inHours(bytes / LINE)} at 20 Mbit/s, and ${inHours(bytes * COMPUTING)} of one processor. On disk ${formatBytes(bytes * archivedPerFetched(feed, profile))}.`,
  );
  if (bytesADay <= 0)
    lines.push("FEED_BYTES_A_DAY leaves nothing for it: the feeds of FEEDS take all of it.");
  else if (Number.isFinite(bytesADay))
    lines.push(
      `FEED_BYTES_A_DAY leaves ${formatBytes(bytesADay)} a day for it: ${Math.ceil(bytes / bytesADay)} days.`,
    );
  lines.push(
    "It goes on where it was when it is stopped and started again, and waits while the server fetches.",
  );
  return [...lines, ""].join("\n");
}
