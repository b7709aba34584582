import type { Zone } from "#components/view-state/civil.ts";
import { formatTime, formatZonedTime } from "#components/view-state/format-time.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { escapeMarkup } from "#lib/markup.ts";
import { positionText } from "#lib/position.ts";
import type { Units } from "#lib/units.ts";
import type { FirstNumberPart } from "./first-number.tsx";
import { type Conditions, keyValues, peekParts } from "./format-conditions.ts";

/**
 * The conditions as PointPeek and PointPanel will show them, for a script that runs before React is there. A test holds
 * them to be the same.
 *
 * The time bar and the notice of the page come with React, so time and `notice` are written here until then.
 *
 * @param time Unix seconds.
 * @param notice What must be known of the data: that they are invented.
 */
export function firstNumberHtml(
  conditions: Conditions,
  place: Place,
  time: number,
  units: Units,
  zone: Zone,
  notice = "",
): Record<FirstNumberPart, string> {
  const { words } = zone;
  const lines = keyValues(conditions, units, words);
  const sentences = lines.map(({ spoken }) => spoken).join(words.ui.joins.sentences);
  const heading = words.point.heading({ of: formatZonedTime(time, zone), sentences });
  const parts = peekParts(conditions, units, words).map(({ text }) => `<span>${escapeMarkup(text)}</span>`);
  const rows = lines.map(
    ({ name, text }) =>
      `<div class="contents"><dt class="text-muted text-sm leading-6">${escapeMarkup(name)}</dt>` +
      `<dd class="text-pretty font-medium leading-6">${escapeMarkup(text)}</dd></div>`,
  );
  const standing = escapeMarkup([formatZonedTime(time, zone), notice].filter(Boolean).join(". "));
  return {
    peek:
      `<p class="peek-line" aria-hidden="true">${parts.join("")}</p>` +
      `<p class="text-muted text-xs" aria-hidden="true">${standing}</p>` +
      `<p class="sr-only">${escapeMarkup([heading, notice].filter(Boolean).join(" "))}</p>`,
    panel:
      `<section aria-label="${escapeMarkup(words.point.title)}">` +
      `<h2 class="font-semibold tabular-nums">${escapeMarkup(positionText(place.latitude, place.longitude))}</h2>` +
      `<p class="text-muted text-sm tabular-nums">${escapeMarkup(formatTime(time, undefined, zone))}</p>` +
      `<div class="mt-3 space-y-4"><dl class="grid grid-cols-[minmax(4rem,auto)_1fr] gap-x-3 gap-y-1">${rows.join("")}</dl>` +
      `${notice && `<p class="text-muted text-sm">${escapeMarkup(notice)}</p>`}</div>` +
      "</section>",
  };
}
