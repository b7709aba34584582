import { formatBytes } from "#lib/format-bytes.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { archivedPerFetched } from "./disk-budget.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";
import type { Keep } from "./keep.ts";
import { titleOf } from "./profile-fields.ts";
import { segmentsOf } from "./segments.ts";

/** A line to the internet for estimates, bytes a second: 20 Mbit/s. */
export const LINE = 2.5e6;

/** What a feed costs, about. */
export interface FeedPlan {
  name: string;
  title: string;
  credit: string;
  cyclesADay: number;
  steps: number;
  bytesACycle: number;
  bytesADay: number;
  /** On disk, when everything is retained that is to be. */
  bytesInAll: number;
}

export function planFeed(feed: FieldFeed, profile: Profile, keep: Keep): FeedPlan {
  const isStatic = feed.source.dataset === "Static";
  const parts = feed.parts(0, profile);
  const cyclesADay = isStatic ? 0 : DAY_S / feed.cycles.every;
  const bytesACycle = parts.length * feed.partBytes(profile);
  const first = segmentsOf(parts, feed.cycles.every)[0];
  const bytesADay = cyclesADay * bytesACycle;
  const dayOfShortLeads = first ? cyclesADay * (first.to - first.from) * feed.partBytes(profile) : 0;
  const days = (seconds: number) => seconds / DAY_S;
  const past =
    days(keep.recent) + days(keep.archive) / 3 + Math.max(0, days(keep.years) - days(keep.recent)) / 3;
  const fetched = isStatic ? bytesACycle : (keep.cycles + 1) * bytesACycle + (5 + past) * dayOfShortLeads;
  return {
    name: feed.name,
    title: titleOf(feed, profile),
    credit: feed.credit,
    cyclesADay,
    steps: parts.reduce((sum, { times }) => sum + times.length, 0),
    bytesACycle,
    bytesADay,
    bytesInAll: fetched * archivedPerFetched(feed, profile),
  };
}

/** The table of `feeds plan`. */
export function describePlan(plans: readonly FeedPlan[], profile: Profile): string {
  const sum = (of: (plan: FeedPlan) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  const rows = plans.map((plan) => [
    plan.name,
    plan.cyclesADay === 0 ? "once" : `${Number(plan.cyclesADay.toFixed(1))} a day`,
    String(plan.steps),
    formatBytes(plan.bytesACycle),
    formatBytes(plan.bytesADay),
    formatBytes(plan.bytesInAll),
    inHours(plan.bytesACycle / LINE),
  ]);
  const head = ["feed", "cycles", "steps", "a cycle", "a day", "on disk", "at 20 Mbit/s"];
  const total = [
    "together",
    "",
    "",
    "",
    formatBytes(sum((p) => p.bytesADay)),
    formatBytes(sum((p) => p.bytesInAll)),
    "",
  ];
  return [
    `Profile ${profile}, about:`,
    ...table([head, ...rows, total]),
    "",
    ...plans.map(({ title, credit }) => `${title} (${credit})`),
    "",
  ].join("\n");
}

/** A span of time for people: minutes, or hours from the first on. */
export function inHours(seconds: number): string {
  return seconds < HOUR_S
    ? `${Math.max(1, Math.ceil(seconds / 60))} min`
    : `${(seconds / HOUR_S).toFixed(1)} h`;
}

/** Columns of equal width, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}
