import { forecastAge } from "#lib/forecast-age.ts";
import { HOUR_S } from "#lib/time.ts";
import type { RunFacts } from "./compose.ts";
import type { Judged, Sample } from "./judge.ts";
import type { Agreement, modelSayings, silences } from "./message.ts";
import { hourlyValue, STORM_NM, type WeatherQuantity } from "./quantities.ts";

/** The answer of a model to a question. */
export interface ModelAnswer {
  model: string;
  /** Name for people. */
  title: string;
  says: (typeof modelSayings)[number];
  why?: (typeof silences)[number] | undefined;
  /** First hour that it does not know, Unix seconds; for `ends`. */
  until?: number | undefined;
  /** Base time of its newest run, Unix seconds. */
  runAt: number | undefined;
  /** Base time of the run with which it last reached the threshold, and has not said otherwise since. */
  reachedAt: number | undefined;
  judged: Judged;
  run: RunFacts | undefined;
}

/** A model that reached a threshold and cannot say now keeps a watch from clearing for this long after that run, s. */
const REMAINS_S = 36 * HOUR_S;

interface Asked {
  model: string;
  title: string;
  judged: Judged;
  /** The conditions may be fulfilled if hours without values fulfil them. */
  mayBeTrue: boolean;
  samples: readonly Sample[];
  quantities: readonly WeatherQuantity[];
  /** The newest run of the model for each variable of the question. */
  runs: readonly RunFacts[];
  /** The run of the deciding value. */
  run: RunFacts | undefined;
  /** Weather clock, Unix seconds. */
  now: number;
}

/**
 * Decides the answer of a model. It has not reached a threshold only if it knows all hours, or enough of them to tell, from runs
 * that are not old.
 *
 * @param before Base time of the run with which it last reached the threshold.
 */
export function modelAnswer(asked: Asked, before: number | undefined): ModelAnswer {
  const { model, title, judged, run, runs } = asked;
  const newest = Math.max(...runs.map(({ at }) => at));
  const silence = silenceOf(asked);
  const says = silence ? "cannot_say" : judged.state === "true" ? "reached" : "not_reached";
  return {
    model,
    title,
    says,
    ...silence,
    runAt: runs.length > 0 ? newest : undefined,
    reachedAt: says === "reached" ? (run?.at ?? newest) : says === "cannot_say" ? before : undefined,
    judged,
    run,
  };
}

function silenceOf({
  judged,
  mayBeTrue,
  samples,
  quantities,
  runs,
  run,
  now,
}: Asked): Pick<ModelAnswer, "why" | "until"> | undefined {
  // A bulletin about a storm, which has no source, is not a run of the model.
  const isOld = ({ at, rhythm, source }: RunFacts) =>
    source !== undefined && (forecastAge({ dataset: "Forecast", rhythm }, at, now)?.isOld ?? false);
  if (runs.length === 0) return { why: "absent" };
  if (judged.state === "true") return run && isOld(run) ? { why: "late" } : undefined;
  if (runs.some(isOld)) return { why: "late" };
  const hourly = quantities.filter((quantity) => quantity !== STORM_NM);
  const unknown = samples.map(({ weather }) =>
    hourly.some((quantity) => hourlyValue(quantity, weather) === null),
  );
  if (samples.length === 0 || unknown.every(Boolean)) return { why: "absent" };
  if (!mayBeTrue) return undefined;
  const first = unknown.indexOf(true);
  // All hours are known, but the storms are not.
  if (first < 0) return { why: "gaps" };
  return unknown.slice(first).every(Boolean) ? { why: "ends", until: samples[first]!.time } : { why: "gaps" };
}

/**
 * The answer to a question that is asked of several models. Those that cannot say are not counted; if none can, the
 * answer is unknown.
 *
 * @param firing The watch has fired. It does not clear while a model that reached the threshold within 36 hours cannot
 *   say whether it still does.
 */
export function agreedState(
  agreement: Agreement,
  answers: readonly ModelAnswer[],
  firing: boolean,
  now: number,
): Judged["state"] {
  const counted = (reached: (one: ModelAnswer) => boolean) => {
    const yes = answers.filter(reached).length;
    const no = answers.filter(({ says }) => says === "not_reached").length;
    if (yes + no === 0) return "unknown";
    const isTrue = agreement === "any" ? yes > 0 : agreement === "all" ? no === 0 : yes > no;
    return isTrue ? "true" : "false";
  };
  const state = counted(({ says }) => says === "reached");
  if (!firing || state !== "false") return state;
  const remains = ({ says, reachedAt = 0 }: ModelAnswer) =>
    says === "reached" || (says === "cannot_say" && now - reachedAt <= REMAINS_S);
  return counted(remains) === "true" ? "unknown" : state;
}

/** The judgement of all models: with the values of the first one that reached the threshold, or else that can say. */
export function joinedJudgement(state: Judged["state"], answers: readonly ModelAnswer[]): ModelAnswer {
  const of = (says: ModelAnswer["says"]) => answers.find((one) => one.says === says);
  const first =
    of(state === "false" ? "not_reached" : "reached") ?? of("reached") ?? of("not_reached") ?? answers[0]!;
  return { ...first, judged: { ...first.judged, state } };
}
