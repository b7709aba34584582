import type { StepPair } from "#components/time/timeline.ts";
import { shortTime, timeText } from "#components/time/words.ts";
import { parseInstant } from "#lib/time.ts";

/** Which model, run and steps the field comes from. */
export function Provenance({ title, steps, time }: { title: string; steps: StepPair; time: number }) {
  const { run, before, after } = steps;
  const runTime = parseInstant(run.reference_time);
  const between =
    before === after
      ? ""
      : `, interpolated between ${shortTime(parseInstant(before))} and ${shortTime(parseInstant(after))}`;
  return (
    <p className="md:truncate">
      {title}: {run.model} · run {shortTime(runTime)} UTC · valid {timeText(time, runTime)}
      {between}
    </p>
  );
}
