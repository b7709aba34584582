import { distanceKm, initialBearing, type Place } from "@open-metocean/geo/sphere";
import { markPlan, usePlanMarks } from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { Words } from "#lib/messages/words.ts";
import { formatBearing } from "#lib/position.ts";

/** Text such as `123 n mi, 245°`. */
export function measureText(from: Place, to: Place, words: Words): string {
  return `${formatMiles(distanceKm(from, to), words, 1)}, ${formatBearing(initialBearing(from, to))}`;
}

/** Shows the measured distance over the map, with a button to finish. */
export function Measuring() {
  const words = useWords();
  const { measure } = usePlanMarks("measure");
  if (!measure) return null;
  const { mapMenu: text } = words.screen;
  return (
    <section aria-label={text.measure} className="notice flex items-center gap-2">
      <p role="status" className="min-w-0 flex-1 tabular-nums">
        {measure.to ? measureText(measure.from, measure.to, words) : text.measureHow}
      </p>
      <button type="button" className="button px-3" onClick={() => markPlan({ measure: undefined })}>
        {text.measureEnd}
      </button>
    </section>
  );
}
