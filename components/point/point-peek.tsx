import { formatShortTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { keyValues, peekParts } from "./format-conditions.ts";
import type { PointSample } from "./point-queries.ts";
import { useConditions } from "./use-conditions.ts";
import { usePointSample } from "./use-point-sample.ts";

/** What matters most at the sampled point, for the low panel of a phone. */
export function PointPeek() {
  const sample = usePointSample();
  if (!sample) return <p className="text-muted text-sm">Tap the sea for its conditions.</p>;
  return <Values {...sample} />;
}

function Values(sample: PointSample) {
  const { view, zone } = useView();
  const { shown, old, offline, error } = useConditions(sample);
  if (!shown) {
    return (
      <p className="text-muted text-sm">
        {error ? "The conditions could not be read." : "Reading the forecast…"}
      </p>
    );
  }
  const time = `${formatShortTime(shown.time, zone)} ${zone.label(shown.time)}`;
  const words = keyValues(shown.conditions, view.u).map(({ spoken }) => spoken);
  return (
    <>
      <p className={`peek-line ${old ? "old-values" : ""}`} aria-hidden="true" data-testid="peek">
        {peekParts(shown.conditions, view.u).map(({ variable, text }) => (
          <span key={variable}>{text}</span>
        ))}
      </p>
      {old || offline ? (
        <p className="text-muted text-xs" aria-hidden="true">
          As of {time}
          {offline ? ", offline" : ""}
        </p>
      ) : null}
      <p className="sr-only">
        {time}. {words.join(" ")}
      </p>
    </>
  );
}
