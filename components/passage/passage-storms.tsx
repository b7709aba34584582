import { formatHour } from "#components/view-state/format-time.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { formatBearing } from "#lib/position.ts";
import type { PassageStyle } from "./passage-format.ts";

interface Props {
  plan: PassagePlan;
  style: PassageStyle;
  /** Storms were looked at. */
  looked: boolean;
}

/** How near storms come to the boat on its way, and its way through their danger areas. */
export function PassageStorms({ plan, style, looked }: Props) {
  const { storms: words } = style.words;
  const lines = stormLines(plan, style);
  return (
    <section className="space-y-1 text-sm">
      <h3 className="font-semibold">{words.title}</h3>
      {!looked || !plan.storms ? (
        <p>{words.notLooked}</p>
      ) : lines.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <ul className="space-y-1">
          {lines.map(({ text, isWithin }) => (
            <li key={text} className="passage-storm" data-within={isWithin || undefined}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Storms further off than this from the boat, with gales and cone taken off, are not worth a sentence, km. */
const FAR_KM = 2500;

/** A sentence or two for each storm that may matter, the nearest first. */
export function stormLines(
  { storms }: PassagePlan,
  { words: { storms: words }, zone }: PassageStyle,
): { text: string; isWithin: boolean }[] {
  if (!storms) return [];
  const { joins } = zone.words.ui;
  const told = storms.results
    .filter(({ least_clearance }) => least_clearance.clearance_km <= FAR_KM)
    .map(({ id, name, closest, danger, is_stale }) => {
      const of = name ?? id;
      const isWithin = danger !== null && danger.enters !== null;
      const way = danger
        ? danger.enters === null
          ? words.clear({ distance: formatMiles(danger.clearance_km, zone.words) })
          : words.enters({
              when: formatHour(danger.enters, zone),
              out: danger.leaves === null ? undefined : formatHour(danger.leaves, zone),
            })
        : words.noArea;
      const approach = words.closest({
        name: of,
        distance: formatMiles(closest.distance_km, zone.words),
        bearing: formatBearing(closest.bearing_deg),
        when: formatHour(closest.time, zone),
      });
      return { text: [approach, way, ...(is_stale ? [words.old] : [])].join(joins.sentences), isWithin };
    });
  const silent = storms.without_forecast
    .filter(({ is_active, km }) => is_active && (km ?? 0) <= FAR_KM)
    .map(({ id, name, km }) => ({
      text: words.unforecast({
        name: name ?? id,
        distance: km === undefined ? undefined : formatMiles(km, zone.words),
      }),
      isWithin: false,
    }));
  return [...told, ...silent];
}
