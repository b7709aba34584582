import { clockText, shortTime, timeText } from "#components/view-state/format-time.ts";
import type { StepPair } from "#components/view-state/timeline.ts";
import type { Zone } from "#components/view-state/zone.ts";
import { paintedOutput } from "#lib/catalog/colours.ts";
import { parseInstant } from "#lib/time.ts";
import type { SecondaryField } from "./use-secondary-field.ts";

interface Props {
  title: string;
  steps: StepPair;
  /** It does not change with time. */
  fixed: boolean;
  time: number;
  now: number;
  zone: Zone;
}

/** Which model, run and steps the field comes from. Unix seconds. */
export function Provenance({ title, steps, fixed, time, now, zone }: Props) {
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
  const between =
    before === after
      ? ""
      : `, interpolated between ${clockText(parseInstant(before), zone)} and ${clockText(parseInstant(after), zone)}`;
  return (
    <span>
      {title}: {run.model} · run {shortTime(runTime)} UTC
      {run.dataset === "Forecast" ? ` · ${old} h old` : ""} · valid {timeText(time, runTime, zone)}
      {between}
    </span>
  );
}

/** Which runs that comes from which is drawn beside the layer: lines over it, depth below it. */
export function SecondaryProvenance({ fields }: { fields: readonly SecondaryField[] }) {
  return fields.map(({ variable, run }) =>
    run ? (
      <span key={variable}>
        {paintedOutput(variable).title}: {run.model}
        {run.dataset === "Static" ? "" : ` · run ${shortTime(parseInstant(run.reference_time))} UTC`}
      </span>
    ) : null,
  );
}
