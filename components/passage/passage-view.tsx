import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatMinutes, formatZonedTime } from "#components/view-state/format-time.ts";
import { markPlan } from "#components/view-state/plan.ts";
import { nearestIndex } from "#components/view-state/timeline.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import type { PlanWithVessel } from "#lib/contract/plan.ts";
import { HOUR_S } from "#lib/time.ts";
import { boatAt } from "./boat-at.ts";
import { formatVessel } from "./format-vessel.ts";
import { PassageChart } from "./passage-chart.tsx";
import { columns, columnTitle } from "./passage-columns.ts";
import { formatDeciding, type PassageStyle } from "./passage-format.ts";
import { OldForecasts, PassageKnowledge } from "./passage-knowledge.tsx";
import type { PassageAnswer } from "./passage-queries.ts";
import type { StormsAsked } from "./passage-request.ts";
import { rowModes } from "./passage-rows.ts";
import { PassageStorms } from "./passage-storms.tsx";
import { PassageTable } from "./passage-table.tsx";
import { PassageTotals } from "./passage-totals.tsx";
import { useShownColumns } from "./shown-columns.ts";
import { usePlanStorms } from "./use-plan-storms.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

interface Props {
  plan: PlanWithVessel;
  query: UseQueryResult<PassageAnswer>;
  style: PassageStyle;
  apiKey: string;
  storms: StormsAsked;
  /** Weather clock of the service, Unix seconds. */
  now: number;
}

/** The passage at one departure: verdict, chart, table, storms, and what it does not know. */
export function PassageView({ plan, query, style, apiKey, storms, now }: Props) {
  const { words, zone } = style;
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  const [evaluated] = data?.plans ?? [];
  return (
    <div className="space-y-3" aria-busy={isFetching}>
      <p role="status" className="sr-only">
        {isFetching ? words.evaluating : evaluated ? formatDeciding(evaluated, style) : ""}
      </p>
      {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
      {data?.isSaved ? (
        <p className="old-notice">
          {words.saved({
            when: formatZonedTime(data.readAt, zone),
            age: formatMinutes(data.readAt, now, zone.words),
          })}
        </p>
      ) : null}
      {data && isPlaceholderData ? (
        <p className="old-notice">{isFetching ? words.evaluating : words.former}</p>
      ) : null}
      {data && evaluated ? (
        <Evaluated
          plan={plan}
          answer={data}
          evaluated={evaluated}
          style={style}
          apiKey={apiKey}
          storms={storms}
        />
      ) : isFetching ? (
        <div className="skeleton h-72" aria-hidden="true" />
      ) : null}
    </div>
  );
}

/** A time of the map this near to what was pointed at is taken, seconds: steps of forecasts are at most 3 h apart. */
const NEAR_S = 1.5 * HOUR_S;

interface EvaluatedProps extends Pick<Props, "plan" | "style" | "apiKey" | "storms"> {
  answer: PassageAnswer;
  evaluated: PassagePlan;
}

function Evaluated({ plan, answer, evaluated, style, apiKey, storms }: EvaluatedProps) {
  const { time = 0, drawn, instants, setTime } = useClock();
  const [pointed, setPointed] = useState<number>();
  const boatTime = pointed ?? drawn ?? time;
  // The boat on the map follows the pointer, else the time of the map.
  useEffect(() => markPlan({ boat: boatAt(evaluated, boatTime) }), [evaluated, boatTime]);
  useEffect(() => () => markPlan({ boat: undefined }), []);
  usePlanStorms(evaluated, apiKey, storms, style.zone);
  const showTime = (at: number) => {
    const near = instants[nearestIndex(instants, at)];
    setTime(near !== undefined && Math.abs(near - at) <= NEAR_S ? near : at);
  };
  const common = { plan: evaluated, meta: answer.meta, style };
  return (
    <>
      <div className="passage-best" data-verdict={evaluated.verdict}>
        <p>
          <VerdictBadge verdict={evaluated.verdict} /> {formatDeciding(evaluated, style)}
        </p>
        <p className="text-sm">{style.words.print.vessel({ what: formatVessel(plan.vessel, style) })}</p>
      </div>
      <OldForecasts answer={answer} style={style} />
      <PassageTotals plan={evaluated} meta={answer.meta} kind={plan.vessel.kind} style={style} />
      <PassageChart
        {...common}
        time={drawn ?? time}
        pointed={pointed}
        onPoint={setPointed}
        onTime={showTime}
      />
      <Rows {...common} route={plan.route} time={drawn ?? time} onPoint={setPointed} onTime={showTime} />
      <PassageStorms plan={evaluated} style={style} looked={answer.withStorms} />
      <PassageKnowledge answer={answer} style={style} />
    </>
  );
}

type RowsProps = Omit<Parameters<typeof PassageTable>[0], "mode" | "shown">;

/** The table, with the choice of its rows and columns. */
function Rows(props: RowsProps) {
  const { style } = props;
  const { table } = style.words;
  const { shown, mode, setMode, toggle } = useShownColumns();
  return (
    <>
      <Choice
        title={table.rows}
        options={rowModes.map((name) => [name, table.modes[name]] as const)}
        value={mode}
        onChange={setMode}
      />
      <details className="passage-columns">
        <summary>{table.columns}</summary>
        <div className="passage-fields">
          {columns.map(({ id }) => (
            <Checkbox key={id} checked={shown.includes(id)} onChange={() => toggle(id)}>
              {columnTitle(id, style)}
            </Checkbox>
          ))}
        </div>
      </details>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard */}
      <section className="passage-scroll" aria-label={table.caption} tabIndex={0}>
        <PassageTable {...props} mode={mode} shown={shown} />
      </section>
    </>
  );
}
