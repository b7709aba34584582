import type { FieldName } from "#lib/catalog/fields.ts";
import { inputsOfVariable, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { bracket } from "#lib/field/interpolate.ts";
import { planWindOf } from "#lib/field/wind-profile.ts";
import { forecastAge, oldForecastText } from "#lib/forecast-age.ts";
import { en } from "#lib/messages/generated/en.ts";
import { formatInstant, HOUR_S } from "#lib/time.ts";
import type { Run } from "./run.ts";

/**
 * Describes the run that answered some values of a variable.
 *
 * @param times Requested instants, Unix seconds.
 * @param windHeight Metres.
 * @param now Weather clock, Unix seconds.
 */
export function describeRun(
  name: VariableName,
  run: Run,
  times: Iterable<number>,
  points: number,
  windHeight: number,
  now: number,
): PointMeta["provenance"][number] {
  const fields = inputsOfVariable(name);
  const notes = new Set(fields.flatMap((field) => run.fields[field]?.comment ?? []));
  const isStatic = variable(name).static;
  const described: PointMeta["provenance"][number] = {
    variable: name,
    dataset: run.dataset,
    source: run.source,
    model: run.model,
    run: run.id,
    reference_time: isStatic ? null : formatInstant(run.referenceTime),
    valid_times: isStatic ? [] : validTimes(run, fields[0], times),
    points,
  };
  Object.assign(described, ageIn(run, times, now));
  if (run.credit !== undefined) described.credit = run.credit;
  if (variable(name).atHeights) {
    described.wind_method = windMethod(run, windHeight);
    described.wind_height = windHeight;
  }
  if (notes.size > 0) described.notes = [...notes];
  return described;
}

/** The age of a forecast, and the notice if it is old. */
export type Aged = Pick<PointMeta["provenance"][number], "age_s" | "notice">;

export function ageIn(run: Run, times: Iterable<number>, now: number): Aged {
  let latest = Number.NEGATIVE_INFINITY;
  for (const time of times) latest = Math.max(latest, time);
  const age = forecastAge(run, run.referenceTime, now, latest);
  if (!age) return {};
  const notice = age.isOld && oldForecastText(age.hours, run.model, run.referenceTime, en);
  return { age_s: age.seconds, ...(notice && { notice }) };
}

/**
 * Describes a run beside those of other models: the model for which it answers, and the steps of its grid and time.
 *
 * @param instants Requested times, Unix seconds.
 */
export function besideOthers(
  answer: string,
  name: VariableName,
  run: Run,
  instants: Iterable<number>,
): Pick<PointMeta["provenance"][number], "answer" | "grid_step" | "step_h"> {
  const { latitude, longitude } = run.grid;
  const times = variable(name).static ? [] : stepTimes(run, inputsOfVariable(name)[0]);
  let seconds = 0;
  for (const time of instants) {
    const steps = bracket(times, time, run.holds);
    if (!steps) continue;
    // On a step the one after it counts, or the one before the last.
    const before = Math.min(steps.before, times.length - 2);
    seconds = Math.max(seconds, (times[before + 1] ?? 0) - (times[before] ?? 0));
  }
  return {
    answer,
    grid_step: Math.max(latitude.step, longitude.step),
    ...(seconds > 0 && { step_h: seconds / HOUR_S }),
  };
}

function windMethod(run: Run, height: number): "levels" | "power_law" | "10m" {
  const plan = planWindOf(run.fields, height);
  if (plan.method === "power_law") return "power_law";
  return plan.method === "level" && plan.height === 10 ? "10m" : "levels";
}

/** Times at which a run has a field, or all its times, ascending, Unix seconds. */
function stepTimes(run: Run, field: FieldName | undefined): number[] {
  const stored = field && run.fields[field]?.steps;
  return stored ? stored.map((step) => run.times[step]!) : run.times;
}

/** Returns the steps between which instants are interpolated, ascending. */
function validTimes(run: Run, field: FieldName | undefined, instants: Iterable<number>): string[] {
  const times = stepTimes(run, field);
  const used = new Set<number>();
  for (const time of instants) {
    const steps = bracket(times, time, run.holds);
    if (!steps) continue;
    used.add(times[steps.before]!);
    used.add(times[steps.after]!);
  }
  return [...used].sort((a, b) => a - b).map(formatInstant);
}
