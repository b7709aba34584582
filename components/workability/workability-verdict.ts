import type { WorkabilityResult } from "#components/api-client/workability-service.ts";
import { civilOf, type Zone } from "#components/view-state/civil.ts";
import { formatLength, formatLongDate, formatShortTime } from "#components/view-state/format-time.ts";
import { formatUngrouped, inUnit } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import type { MemberCounts } from "#lib/workability/analyse.ts";
import { isShort, windowsAMonth } from "./workability-draft.ts";

/** Text such as `62 %`. @param share 0..1; null if unknown. */
export function percentText(share: number | null, words: Words): string {
  if (share === null) return "—";
  return inUnit(formatUngrouped(100 * share, 0, words.language), words.catalog.units["%"].symbol, words);
}

/** Number of members that are counted. */
export const totalOf = ({ keep, break: broken, not_known }: MemberCounts): number =>
  keep + broken + not_known;

/** The answer in words: the share, the windows, the members that have one, the wait, and missing data. */
export function verdictOf(
  { results, meta }: WorkabilityResult,
  zone: Zone<"workability">,
): { share: string; lines: string[] } {
  const { words } = zone;
  const { workability, dates } = words;
  const all = results[0]!;
  const { window_hours: hours, longest_wait: wait } = meta;
  if (all.within_share === null) return { share: workability.noData, lines: [] };
  const lines: string[] = [];
  const months = results.slice(1).filter(({ within_share }) => within_share !== null);
  const ranked = [...months].sort((a, b) => b.window_hours / b.hours - a.window_hours / a.hours);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  const next = meta.windows[0];
  const monthOf = (row: (typeof results)[number]) => ({
    month: dates.longMonths[row.month! - 1]!,
    count: windowsAMonth(row),
  });
  if (!next) lines.push(workability.noWindow({ hours }));
  else if (isShort(all) || !best || !worst || best === worst) {
    const from = formatShortTime(parseInstant(next.from), zone);
    lines.push(workability.windows({ hours, count: all.windows, from, lasting: next.hours }));
  } else {
    const [most, least] = [monthOf(best), monthOf(worst)];
    lines.push(
      workability.months({
        hours,
        best: most.month,
        most: most.count,
        worst: least.month,
        least: least.count,
      }),
    );
  }
  if (meta.ensemble) {
    const { with_window: members, unjudged } = meta.ensemble;
    lines.push(workability.members({ hours, count: members.keep, total: totalOf(members) }));
    const list = unjudged.map((name) => words.catalog.outputs[name]).join(words.ui.joins.list);
    if (list) lines.push(workability.unjudged({ list }));
  }
  if (wait && next && wait.hours > 0) {
    const span = formatLength(wait.hours * HOUR_S, words);
    const begin = parseInstant(wait.from);
    const from = isShort(all) ? formatShortTime(begin, zone) : formatLongDate(civilOf(begin, zone), words);
    lines.push(
      wait.is_lower_bound ? workability.waitAtLeast({ span, from }) : workability.wait({ span, from }),
    );
  }
  const { length } = meta.places;
  if (length > 1) {
    const without = Math.max(0, ...meta.limits.map(({ places_without }) => places_without));
    lines.push(workability.inBox({ count: length - without, without }));
  }
  if (all.missing_hours > 0)
    lines.push(workability.missing({ share: percentText(all.missing_hours / all.hours, words) }));
  return { share: workability.share({ share: percentText(all.within_share, words) }), lines };
}
