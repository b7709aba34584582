import { useClock } from "#components/view-state/clock-context.ts";
import { formatZonedTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type FirstNumber, useEndOfFirstNumber, useFirstNumber } from "./first-number.ts";
import { FirstNumberSlot } from "./first-number-slot.tsx";
import { keyValues, peekParts } from "./format-conditions.ts";
import type { PointSample } from "./point-queries.ts";
import { useConditions } from "./use-conditions.ts";
import { usePointSample } from "./use-point-sample.ts";

/** What matters most at the sampled point, for the low panel of a phone. */
export function PointPeek() {
  const { point } = useWords();
  const sample = usePointSample();
  const first = useFirstNumber(sample);
  if (!sample) return <FirstNumberSlot part="peek" first={first} hint={point.tap} />;
  return <Values sample={sample} first={first} />;
}

function Values({ sample, first }: { sample: PointSample; first: FirstNumber | undefined }) {
  const { view, zone } = useView();
  const { words } = zone;
  const { point, ui } = words;
  const { side } = useClock();
  const { shown, old, offline, error } = useConditions(sample);
  useEndOfFirstNumber(shown !== undefined || error !== null);
  if (!shown && !error && first) return <FirstNumberSlot part="peek" first={first} hint={point.tap} />;
  if (!shown) {
    return <p className="text-muted text-sm">{error ? point.unreadable : point.reading}</p>;
  }
  const time = formatZonedTime(shown.time, zone);
  const of = side ? words.compare.of({ side: side.sampled, text: time }) : time;
  const lines = keyValues(shown.conditions, view.u, words).map(({ spoken }) => spoken);
  return (
    <>
      <p className={`peek-line ${old ? "old-values" : ""}`} aria-hidden="true" data-testid="peek">
        {side ? <strong>{words.compare.side[side.sampled]}</strong> : null}
        {peekParts(shown.conditions, view.u, words).map(({ variable, text }) => (
          <span key={variable}>{text}</span>
        ))}
      </p>
      {old || offline ? (
        <p className="text-muted text-xs" aria-hidden="true">
          {offline ? point.old.asOfOffline({ time }) : point.old.asOf({ time })}
        </p>
      ) : null}
      <p className="sr-only">{point.heading({ of, sentences: lines.join(ui.joins.sentences) })}</p>
    </>
  );
}
