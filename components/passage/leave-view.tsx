import "#components/api-client/without-eval.ts";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { formatShortTime, fromClock, toClock } from "#components/view-state/format-time.ts";
import { changePlan } from "#components/view-state/plan.ts";
import { type PlanVessel, type PlanWithVessel, passageLimits } from "#lib/contract/passage.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";
import { OldForecasts, SavedNotice } from "./passage-facts.tsx";
import { formatDeciding, formatVessel, type PassageStyle, VerdictBadge } from "./passage-format.tsx";
import type { PassageAnswer } from "./passage-queries.ts";
import { nextDays, type StormsAsked, type SweepStep, sweepSteps } from "./passage-request.ts";
import { departuresIn, SweepChart, type SweepOrder, SweepTable, sweepOrders } from "./sweep-table.tsx";
import { comparedPart, type SweepState, useSweep } from "./use-search.ts";

interface Props {
  plan: PlanWithVessel;
  style: PassageStyle;
  apiKey: string;
  storms: StormsAsked;
  /** Weather clock of the service, Unix seconds. */
  now: number;
}

const DAYS = 5;

export function LeaveView({ plan, style, apiKey, storms, now }: Props) {
  const { leave: words } = style.words;
  const { zone } = style;
  const { state, start, cancel } = useSweep(apiKey);
  const [step, setStep] = useState<SweepStep>(3);
  const [range, setRange] = useState<{ from: string; to: string }>();
  const first = Math.ceil(now / HOUR_S) * HOUR_S;
  const { from, to } = range ?? { from: toClock(first, zone), to: toClock(first + DAYS * DAY_S, zone) };
  const compare = () =>
    void start(plan, { from: fromClock(from, zone), to: fromClock(to, zone), step }, storms, now);
  return (
    <div className="space-y-3">
      <form
        className="flex flex-wrap items-end gap-x-3 gap-y-2"
        onSubmit={(event) => {
          event.preventDefault();
          compare();
        }}
      >
        <Button
          primary
          onClick={() => {
            setRange(undefined);
            void start(plan, nextDays(DAYS, step, now), storms, now);
          }}
        >
          {words.days({ days: DAYS })}
        </Button>
        <TextField
          label={words.from({ clock: zone.label(now) })}
          type="datetime-local"
          value={from}
          onChange={(text) => setRange({ from: text, to })}
        />
        <TextField
          label={words.to({ clock: zone.label(now) })}
          type="datetime-local"
          value={to}
          onChange={(text) => setRange({ from, to: text })}
        />
        <Choice
          title={words.step}
          options={sweepSteps.map((hours) => [String(hours), words.hours({ count: hours })] as const)}
          value={String(step)}
          onChange={(hours) => setStep(sweepSteps.find((one) => String(one) === hours) ?? step)}
        />
        <Button type="submit">{words.compare}</Button>
      </form>
      <Progress state={state} style={style} onCancel={cancel} />
      {state.is === "done" ? (
        <Compared
          answer={state.answer}
          isStale={state.plan !== comparedPart(plan)}
          vessel={plan.vessel}
          chosen={plan.departure}
          style={style}
          now={now}
        />
      ) : null}
    </div>
  );
}

function refusalOf(refused: PassageStyle["words"]["leave"]["refused"], why: keyof typeof refused): string {
  return why === "departures" ? refused.departures({ most: passageLimits.departures }) : refused[why];
}

function Progress({ state, style, onCancel }: { state: SweepState; style: PassageStyle; onCancel(): void }) {
  const { leave: words } = style.words;
  if (state.is === "failed") return <ErrorMessage error={state.error} onRetry={state.again} />;
  if (state.is !== "running")
    return (
      <p role="status" className="text-sm">
        {state.is === "none" ? words.invitation : ""}
        {state.is === "cancelled" ? words.cancelled : ""}
        {state.is === "refused" ? refusalOf(words.refused, state.why) : ""}
      </p>
    );
  const { share, departures } = state;
  return (
    <div className="space-y-1 text-sm">
      <p role="status">{words.comparing({ count: departures })}</p>
      <progress
        className="task-progress"
        max={1}
        value={share}
        aria-label={words.comparing({ count: departures })}
      />
      {share === undefined ? null : (
        <p aria-hidden="true">{words.percent({ percent: Math.floor(100 * share) })}</p>
      )}
      <Button onClick={onCancel}>{words.cancel}</Button>
    </div>
  );
}

interface ComparedProps {
  answer: PassageAnswer;
  /** The plan has changed since. */
  isStale: boolean;
  vessel: PlanVessel;
  chosen: string | undefined;
  style: PassageStyle;
  now: number;
}

function Compared({ answer, isStale, vessel, chosen, style, now }: ComparedProps) {
  const { words, zone } = style;
  const { leave } = words;
  const [order, setOrder] = useState<SweepOrder>("balanced");
  const departures = departuresIn(answer.plans, answer.meta, order);
  const [best] = departuresIn(answer.plans, answer.meta, "balanced");
  const timeOf = (plan: PassagePlan) => formatShortTime(parseInstant(plan.departure), zone);
  const choose = (plan: PassagePlan) => changePlan({ departure: plan.departure }, "departure");
  return (
    <>
      <SavedNotice answer={answer} style={style} now={now} />
      {isStale ? <p className="old-notice">{leave.stale}</p> : null}
      <OldForecasts answer={answer} style={style} />
      {answer.withStorms ? null : <p className="text-sm">{words.storms.notLooked}</p>}
      {best ? (
        <div role="status" className="passage-best" data-verdict={best.plan.verdict}>
          <p className="font-semibold">
            {best.isWhole
              ? (best.plan.verdict === "NO" ? leave.leastBad : leave.best)({
                  when: timeOf(best.plan),
                  verdict: words.verdicts[best.plan.verdict],
                })
              : leave.noneWhole}{" "}
            <VerdictBadge verdict={best.plan.verdict} />
          </p>
          <p className="text-sm">{formatDeciding(best.plan, style)}</p>
          <p className="text-sm">{words.print.vessel({ what: formatVessel(vessel, style) })}</p>
          {best.plan.departure === chosen ? (
            <p className="text-sm">{leave.taken({ when: timeOf(best.plan) })}</p>
          ) : (
            <Button primary={!(best.plan.verdict === "NO")} onClick={() => choose(best.plan)}>
              {leave.take({ when: timeOf(best.plan) })}
            </Button>
          )}
        </div>
      ) : null}
      <SweepChart plans={answer.plans} style={style} chosen={chosen} onChoose={choose} />
      <Choice<SweepOrder>
        title={leave.order}
        options={sweepOrders.map((name) => [name, leave.orders[name]] as const)}
        value={order}
        onChange={setOrder}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard */}
      <section className="passage-scroll" aria-label={leave.table.caption} tabIndex={0}>
        <SweepTable
          departures={departures}
          style={style}
          isSail={vessel.kind === "sail"}
          chosen={chosen}
          onChoose={choose}
        />
      </section>
    </>
  );
}
