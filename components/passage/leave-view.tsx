import "#components/api-client/without-eval.ts";
import { useEffect, useState } from "react";
import type { ListedEnsemble } from "#components/api-client/listed-ensembles.ts";
import type { NamedModel } from "#components/api-client/listed-models.ts";
import { TimeField } from "#components/fields/time-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Verdict } from "#components/ui/verdict.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatClock, formatShortTime } from "#components/view-state/format-time.ts";
import { changePlan } from "#components/view-state/plan.ts";
import { instantNear } from "#components/view-state/timeline.ts";
import { type PlanVessel, type PlanWithVessel, passageLimits } from "#lib/contract/passage.ts";
import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { ArrivalForm, withArrivalWords } from "./arrival-form.tsx";
import { TakeDeparture } from "./departures-table.tsx";
import { MemberDepartures, useFirstEnsemble } from "./member-departures.tsx";
import { useComparedModels } from "./model-comparison.tsx";
import { ModelDepartures } from "./model-departures.tsx";
import { nextLook } from "./next-look.ts";
import { OldForecasts, SavedNotice } from "./passage-facts.tsx";
import {
  formatDuration,
  formatMissedArrival,
  limitText,
  type PassageStyle,
  shortDeciding,
  usePassageStyle,
  VerdictBadge,
  verdictTones,
} from "./passage-format.tsx";
import type { PassageAnswer } from "./passage-queries.ts";
import { type StormsAsked, type Sweep, sweepSteps, usualSweep } from "./passage-request.ts";
import {
  departuresIn,
  leastBad,
  SweepChart,
  type SweepOrder,
  SweepTable,
  sweepOrders,
} from "./sweep-table.tsx";
import { comparedPart, type SweepState, useSweep } from "./use-search.ts";

interface Props {
  plan: PlanWithVessel;
  apiKey: string;
  storms: StormsAsked;
}

/** The forecasts that departures are planned with: the best of each variable, each model, or each member of an ensemble. */
type Through = "best" | "models" | "ensemble";

const throughOf = ({ meta }: Pick<PassageAnswer, "meta">): Through =>
  meta.ensemble ? "ensemble" : meta.comparison ? "models" : "best";

export function LeaveView({ plan, apiKey, storms }: Props) {
  const { words: all, zone } = usePassageStyle();
  const { leave: words } = all;
  const { now } = useClock("now");
  const { state, start, cancel } = useSweep(apiKey);
  const [chosen, choose] = useState<Partial<Sweep>>({});
  const sweep = { ...usualSweep(plan, now), ...chosen };
  const models = useComparedModels(apiKey);
  const ensemble = useFirstEnsemble(apiKey);
  const [through, setThrough] = useState<Through>(state.is === "done" ? throughOf(state.answer) : "best");
  const compare = (by = through) => {
    const planners = {
      models: by === "models" ? models.map(({ name }) => name) : [],
      ensemble: by === "ensemble" ? ensemble : undefined,
    };
    void start(plan, sweep, storms, planners, now);
  };
  const choices = [
    ...(models.length > 1 ? [["models", all.models.agreed({ count: models.length })] as const] : []),
    ...(ensemble ? [["ensemble", all.members.button] as const] : []),
  ];
  const isStale = state.is === "done" && state.plan !== comparedPart(plan);
  // Opening the view starts the comparison.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => {
    if (state.is !== "done" || isStale) compare();
  }, []);
  return (
    <div className="space-y-3">
      <ArrivalForm plan={plan} apiKey={apiKey} />
      {choices.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {choices.map(([name, label]) => (
            <button
              key={name}
              type="button"
              className="toggle"
              aria-pressed={through === name}
              onClick={() => {
                const next = through === name ? "best" : name;
                setThrough(next);
                compare(next);
              }}
            >
              {label}
            </button>
          ))}
        </div>
      ) : null}
      <Progress state={state} onCancel={cancel} onCompare={() => compare()} />
      {state.is === "done" ? (
        <Compared
          answer={state.answer}
          models={models}
          ensemble={ensemble}
          isStale={isStale}
          onCompare={() => compare()}
          vessel={plan.vessel}
          chosen={plan.departure}
        />
      ) : null}
      <details>
        <summary>{words.other}</summary>
        <form
          className="flex flex-wrap items-end gap-x-3 gap-y-2"
          onSubmit={(event) => {
            event.preventDefault();
            compare();
          }}
        >
          {(["from", "to"] as const).map((end) => (
            <TimeField
              key={end}
              label={words[end]({ clock: zone.label(now) })}
              zone={zone}
              now={now}
              time={sweep[end]}
              onChange={(time) => choose({ ...chosen, [end]: time })}
            />
          ))}
          <Choice
            title={words.step}
            options={sweepSteps.map((hours) => [String(hours), words.hours({ count: hours })] as const)}
            value={String(sweep.step)}
            onChange={(hours) =>
              choose({ ...chosen, step: sweepSteps.find((one) => String(one) === hours) ?? sweep.step })
            }
          />
          <Button type="submit">{words.compare}</Button>
        </form>
      </details>
    </div>
  );
}

function refusalOf(refused: PassageStyle["words"]["leave"]["refused"], why: keyof typeof refused): string {
  return why === "departures" ? refused.departures({ most: passageLimits.departures }) : refused[why];
}

interface ProgressProps {
  state: SweepState;
  onCancel(): void;
  onCompare(): void;
}

export function Progress({ state, onCancel, onCompare }: ProgressProps) {
  const style = usePassageStyle();
  const { leave: words } = style.words;
  if (state.is === "failed")
    return <ErrorMessage error={withArrivalWords(state.error, style)} onRetry={state.again} />;
  if (state.is !== "running")
    return (
      <>
        <p role="status" className="text-sm">
          {state.is === "cancelled" ? words.cancelled : ""}
          {state.is === "refused" ? refusalOf(words.refused, state.why) : ""}
        </p>
        {state.is === "cancelled" ? (
          <Button primary onClick={onCompare}>
            {words.compare}
          </Button>
        ) : null}
      </>
    );
  const { share, departures } = state;
  return (
    <div className="space-y-1 text-sm">
      <p role="status">{words.comparing({ count: departures })}</p>
      <TaskProgress share={share} label={words.comparing({ count: departures })} />
      <Button onClick={onCancel}>{words.cancel}</Button>
    </div>
  );
}

/** @param share Share that is done, 0..1; undefined if the answer comes immediately. */
export function TaskProgress({ share, label }: { share: number | undefined; label: string }) {
  const { leave } = usePassageStyle().words;
  return (
    <>
      <progress className="task-progress" max={1} value={share} aria-label={label} />
      {share === undefined ? null : (
        <p aria-hidden="true" className="text-sm">
          {leave.percent({ percent: Math.floor(100 * share) })}
        </p>
      )}
    </>
  );
}

interface ComparedProps {
  answer: PassageAnswer;
  /** Models with their names for people. */
  models?: readonly NamedModel[];
  /** The ensemble with its name for people. */
  ensemble?: ListedEnsemble | undefined;
  /** The plan has changed since the comparison. */
  isStale: boolean;
  onCompare(): void;
  vessel: PlanVessel;
  chosen: string | undefined;
}

/** The result of a comparison. */
export function Compared({
  answer,
  models = [],
  ensemble,
  isStale,
  onCompare,
  vessel,
  chosen,
}: ComparedProps) {
  const { words } = usePassageStyle();
  const { leave } = words;
  const [sorted, setOrder] = useState<SweepOrder>();
  const order = sorted ?? bestOrder(answer);
  const departures = departuresIn(answer.plans, answer.meta, order);
  const { instants, setTime } = useClock("instants", "setTime");
  /** The map moves to the time of the departure, so that it shows what was chosen. */
  const choose = ({ departure }: Pick<PassagePlan, "departure">) => {
    changePlan({ departure }, "departure");
    const time = parseInstant(departure);
    setTime(instantNear(instants, time) ?? time);
  };
  return (
    <>
      <SavedNotice answer={answer} />
      {isStale ? (
        <div className="space-y-2">
          <p className="old-notice">{leave.stale}</p>
          <Button primary onClick={onCompare}>
            {leave.compare}
          </Button>
        </div>
      ) : null}
      <div className="space-y-3" data-old={isStale || undefined}>
        <OldForecasts answer={answer} />
        {answer.withStorms ? null : <p className="text-sm">{words.storms.notLooked}</p>}
        {answer.meta.ensemble ? (
          <MemberDepartures
            found={answer.meta.ensemble}
            title={ensemble?.title ?? answer.meta.ensemble.ensemble}
            chosen={chosen}
            onChoose={(departure) => choose({ departure })}
          />
        ) : answer.meta.comparison ? (
          <ModelDepartures
            answer={answer}
            models={models}
            order={bestOrder(answer)}
            chosen={chosen}
            onChoose={(departure) => choose({ departure })}
          />
        ) : (
          <>
            <BestDepartures answer={answer} chosen={chosen} onChoose={choose} />
            <SweepChart plans={answer.plans} chosen={chosen} onChoose={choose} />
            <Choice<SweepOrder>
              title={leave.order}
              options={sweepOrders.map((name) => [name, leave.orders[name]] as const)}
              value={order}
              onChange={setOrder}
            />
            <SweepTable
              departures={departures}
              isSail={vessel.kind === "sail"}
              chosen={chosen}
              onChoose={choose}
            />
          </>
        )}
      </div>
    </>
  );
}

interface BestProps extends Pick<ComparedProps, "answer" | "chosen"> {
  onChoose(plan: PassagePlan): void;
}

const BEST = 3;

/** The latest departures come first if it is wished how the vessel arrives. */
const bestOrder = ({ plans }: Pick<PassageAnswer, "plans">) =>
  plans.some(({ arrive }) => arrive) ? "latest" : "balanced";

/**
 * The three best departures, each with its reason; if none is good, the least bad one and when to compare
 * again.
 */
function BestDepartures({ answer, chosen, onChoose }: BestProps) {
  const { plans, meta } = answer;
  const style = usePassageStyle();
  const { now } = useClock("now");
  const { leave } = style.words;
  const order = bestOrder(answer);
  const ordered = departuresIn(plans, meta, order);
  const good = ordered.filter(({ plan, isWhole }) => isWhole && plan.verdict !== "NO").slice(0, BEST);
  const leaves = (plan: PassagePlan) => formatShortTime(parseInstant(plan.departure), style.zone);
  const [best, ...others] = good.map(({ plan }) => plan);
  if (best)
    return (
      <div className="space-y-2" role="status">
        <Verdict
          tone={verdictTones[best.verdict]}
          title={leave[order === "latest" ? "latestOne" : "bestOne"]({ when: leaves(best) })}
        >
          <p>{reasonOf(best, style)}</p>
          <p>{arrivalText(best, meta, style)}</p>
        </Verdict>
        <TakeDeparture departure={best.departure} chosen={chosen} primary onTake={() => onChoose(best)} />
        <ul className="text-sm">
          {others.map((plan) => (
            <li key={plan.departure}>
              <button
                type="button"
                className="min-h-11 w-full border-t border-t-line py-1 text-left hover:bg-page"
                onClick={() => onChoose(plan)}
              >
                <VerdictBadge verdict={plan.verdict} />{" "}
                {leave.orElse({ when: leaves(plan), why: reasonOf(plan, style) })}
              </button>
            </li>
          ))}
        </ul>
      </div>
    );
  const whole = ordered.some(({ isWhole }) => isWhole);
  const allNo = ordered.every(({ plan }) => plan.verdict === "NO");
  const least = leastBad(ordered);
  const look = nextLook(plans, now);
  const why = least && (formatMissedArrival(least, style) ?? shortDeciding(least, style));
  const noneGood = order === "latest" ? leave.noneArrives : leave.noneGood;
  return (
    <div role="status">
      <Verdict
        tone={whole || allNo ? "danger" : "caution"}
        title={whole || allNo ? noneGood : leave.noneWhole}
      >
        {least && why !== undefined ? <p>{leave.least({ when: leaves(least), why })}</p> : null}
        {look === undefined ? null : <p>{leave.look({ when: formatShortTime(look, style.zone) })}</p>}
      </Verdict>
    </div>
  );
}

/**
 * How a departure arrives if that was wished: `arrives Sun 20 Sep 11:20, 40 min in hand, sunset 19:05, high
 * water Saint-Malo 11:50`.
 */
function arrivalText(plan: PassagePlan, { gates }: PassageMeta, style: PassageStyle): string {
  const { leave } = style.words;
  const { arrive, arrival, arrival_light: light } = plan;
  if (!arrive || arrival === null) return "";
  const clock = (instant: string | null | undefined) =>
    instant ? formatClock(parseInstant(instant), style.zone) : undefined;
  // Only a station that the service chose has its distance; the gates of the route have none.
  const tide = gates?.at(-1)?.water_km === undefined ? undefined : plan.gates?.at(-1);
  const high = clock(tide?.nearest);
  return [
    leave.arrives({ when: formatShortTime(parseInstant(arrival), style.zone) }),
    arrive.spare_s !== null && leave.spare({ span: formatDuration(arrive.spare_s, style) }),
    light === "day" && leave.sunset({ when: clock(arrive.sunset) }),
    tide && high && leave.highWater({ station: tide.station, when: high }),
  ]
    .filter(Boolean)
    .join(style.zone.words.ui.joins.clauses);
}

/** Text such as `21 h, wind ≤ 18 kn, waves ≤ 1.6 m`; for a departure near a limit it names that limit. */
function reasonOf(plan: PassagePlan, style: PassageStyle): string {
  const { leave } = style.words;
  const { duration_s: duration, max_wind_kt: wind, max_height_m: sea } = plan.totals;
  return [
    formatDuration(Math.round(duration / HOUR_S) * HOUR_S, style),
    wind !== null && leave.windMost({ value: limitText("wind_kt", wind, style) }),
    sea !== null && leave.seaMost({ value: limitText("head_sea_m", sea, style) }),
    plan.verdict === "CAUTION" && shortDeciding(plan, style),
  ]
    .filter(Boolean)
    .join(style.zone.words.ui.joins.clauses);
}
