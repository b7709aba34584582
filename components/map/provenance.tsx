import { formatClock, formatDay, formatShortTime, formatTime } from "#components/view-state/format-time.ts";
import type { StepPair } from "#components/view-state/timeline.ts";
import type { Zone } from "#components/view-state/zone.ts";
import { paintedOutput } from "#lib/catalog/colours.ts";
import { parseInstant } from "#lib/time.ts";
import type { SecondaryField } from "./use-secondary-field.ts";

interface Props {
  title: string;
  steps: StepPair;
  /** How far the forecast reaches so far, hours after its base time; undefined while that is not known. */
  reach: number | undefined;
  /** It does not change with time. */
  fixed: boolean;
  /** Of what is drawn. */
  time: number;
  now: number;
  zone: Zone;
}

/** Model, run and steps that the field comes from. Times are Unix seconds. */
export function Provenance({ title, steps, reach, fixed, time, now, zone }: Props) {
  const { run, before, after } = steps;
  if (fixed) {
    return (
      <span>
        {title}: {run.model} · {run.dataset}, the same at any time
      </span>
    );
  }
  const runTime = parseInstant(run.reference_time);
  const old = Math.max(0, Math.round((now - runTime) / 3600));
  const [from, to] = [parseInstant(before), parseInstant(after)];
  const formatStep = formatDay(from, zone) === formatDay(to, zone) ? formatClock : formatShortTime;
  const between =
    before === after ? "" : `, interpolated between ${formatStep(from, zone)} and ${formatStep(to, zone)}`;
  return (
    <span>
      {/* The age first: a phone shows only the beginning. */}
      {title}: {run.model}
      {run.dataset === "Forecast" ? `, ${old} h old${reach === undefined ? "" : `, to +${reach} h`}` : ""} ·
      run {formatShortTime(runTime)} UTC · valid {formatTime(time, runTime, zone)}
      {between}
    </span>
  );
}

/** Runs of the secondary fields: lines over the layer, depth below it. */
export function SecondaryProvenance({ fields }: { fields: readonly SecondaryField[] }) {
  return fields.map(({ variable, run }) =>
    run ? (
      <span key={variable}>
        {paintedOutput(variable).title}: {run.model}
        {run.dataset === "Static" ? "" : ` · run ${formatShortTime(parseInstant(run.reference_time))} UTC`}
      </span>
    ) : null,
  );
}
