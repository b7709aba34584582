import { utc, type Zone } from "#components/view-state/civil.ts";
import { formatClock, formatDay, formatShortTime, formatTime } from "#components/view-state/format-time.ts";
import { paintedTitle } from "#components/view-state/overlays.ts";
import type { StepPair } from "#components/view-state/timeline.ts";
import { useWords } from "#components/words/words-context.ts";
import { datasetTitle } from "#lib/messages/words.ts";
import { parseInstant } from "#lib/time.ts";
import type { SecondaryField } from "./use-secondary-field.ts";

interface Props {
  title: string;
  steps: StepPair;
  /** How far the forecast reaches so far, hours after its base time; undefined if unknown. */
  reach: number | undefined;
  /** The field does not change with time. */
  fixed: boolean;
  /** Time of the drawn field. */
  time: number;
  now: number;
  zone: Zone;
}

/** Model, run and steps of the field. Times are Unix seconds. */
export function Provenance({ title, steps, reach, fixed, time, now, zone }: Props) {
  const { run, before, after } = steps;
  const { map } = zone.words;
  const { model, dataset } = run;
  if (fixed)
    return <span>{map.fixedSource({ title, model, dataset: datasetTitle(dataset, zone.words) })}</span>;
  const isForecast = dataset === "Forecast";
  const runTime = parseInstant(run.reference_time);
  const [from, to] = [parseInstant(before), parseInstant(after)];
  const formatStep = formatDay(from, zone) === formatDay(to, zone) ? formatClock : formatShortTime;
  return (
    <span>
      {map.source({
        title,
        model,
        age: isForecast ? Math.max(0, Math.round((now - runTime) / 3600)) : undefined,
        reach: isForecast ? reach : undefined,
        run: formatShortTime(runTime, { ...utc, words: zone.words }),
        valid: formatTime(time, runTime, zone),
        from: before === after ? undefined : formatStep(from, zone),
        to: formatStep(to, zone),
      })}
    </span>
  );
}

/** Runs of the secondary fields: lines over the layer, and the depth below it. */
export function SecondaryProvenance({ fields }: { fields: readonly SecondaryField[] }) {
  const words = useWords();
  return fields.map(({ variable, run }) =>
    run ? (
      <span key={variable}>
        {words.map.secondarySource({
          title: paintedTitle(variable, words),
          model: run.model,
          run:
            run.dataset === "Static"
              ? undefined
              : formatShortTime(parseInstant(run.reference_time), { ...utc, words }),
        })}
      </span>
    ) : null,
  );
}
