import type { StepPair } from "#components/time/timeline.ts";
import { clockText, shortTime, timeText } from "#components/time/words.ts";
import type { Zone } from "#components/time/zone.ts";
import { parseInstant } from "#lib/time.ts";

interface Props {
  title: string;
  steps: StepPair;
  time: number;
  now: number;
  zone: Zone;
}

/** Which model, run and steps the field comes from. Unix seconds. */
export function Provenance({ title, steps, time, now, zone }: Props) {
  const { run, before, after } = steps;
  const runTime = parseInstant(run.reference_time);
  const old = Math.max(0, Math.round((now - runTime) / 3600));
  const between =
    before === after
      ? ""
      : `, interpolated between ${clockText(parseInstant(before), zone)} and ${clockText(parseInstant(after), zone)}`;
  return (
    <p className="truncate">
      {title}: {run.model} · run {shortTime(runTime)} UTC
      {run.dataset === "Forecast" ? ` · ${old} h old` : ""} · valid {timeText(time, runTime, zone)}
      {between}
    </p>
  );
}
