import type { Zone } from "#components/view-state/civil.ts";
import { formatTime, formatZonedTime } from "#components/view-state/format-time.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { escapeMarkup } from "#lib/markup.ts";
import { positionText } from "#lib/position.ts";
import type { Units } from "#lib/units.ts";
import type { FirstNumberPart } from "./first-number.tsx";
import { type Conditions, keyValues, peekParts } from "./format-conditions.ts";

/**
 * Writes the conditions as PointPeek and PointPanel will render them, for a script that runs before React. A
 * test checks that both are the same.
 *
 * The time bar and the page's notice are rendered by React, so time and `notice` are included here until
 * then.
 *
 * @param time Unix seconds.
 * @param notice What must be stated about the data: that they are synthetic.
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
  const rows = lines.map(({ name, value, details }) => {
    const spans = details.map((text) => `<span>${escapeMarkup(text)}</span>`);
    return `<div><dt>${escapeMarkup(name)}</dt><dd><strong>${escapeMarkup(value)}</strong>${spans.join("")}</dd></div>`;
  });
  const position = positionText(place.latitude, place.longitude);
  const standing = [`${position} · ${formatZonedTime(time, zone)}`, notice].filter(Boolean).join(". ");
  return {
    peek:
      `<p class="peek-place" aria-hidden="true">${escapeMarkup(standing)}</p>` +
      `<p class="peek-line" aria-hidden="true">${parts.join("")}</p>` +
      `<p class="sr-only">${escapeMarkup([heading, notice].filter(Boolean).join(" "))}</p>`,
    panel:
      `<section aria-label="${escapeMarkup(words.point.title)}">` +
      `<h2 class="font-semibold tabular-nums">${escapeMarkup(position)}</h2>` +
      `<p class="place-line"></p><p class="outlook"></p>` +
      `<p class="text-muted text-sm tabular-nums">${escapeMarkup(formatTime(time, undefined, zone))}</p>` +
      `<dl class="readings ">${rows.join("")}</dl>` +
      `${notice && `<p class="text-muted text-sm">${escapeMarkup(notice)}</p>`}` +
      "</section>",
  };
}
