import { between, destination, type Place } from "@open-metocean/geo/sphere";
import { queryOptions, type UseQueryResult, useQueries } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { stormService } from "#components/api-client/service.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { Verdict } from "#components/ui/verdict.tsx";
import type { Zone } from "#components/view-state/civil.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { markPlan, type PlanStorm } from "#components/view-state/plan.ts";
import { nearestIndex } from "#components/view-state/timeline.ts";
import { NO_BREAK_SPACE, wholeValues } from "#components/words/whole-values.ts";
import type { PlanWithVessel } from "#lib/contract/passage.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import type { StormDanger } from "#lib/contract/storms.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { withArrivalWords } from "./arrival-form.tsx";
import { agreementSentence } from "./model-words.ts";
import { PassageChart } from "./passage-chart.tsx";
import {
  OldForecasts,
  PassageKnowledge,
  PassageStorms,
  PassageTotals,
  SavedNotice,
} from "./passage-facts.tsx";
import {
  formatAnswer,
  formatArrival,
  formatDuration,
  formatReason,
  formatVessel,
  milesText,
  saysWhy,
  TableScroll,
  usePassageStyle,
  verdictTones,
} from "./passage-format.tsx";
import { loadPassageSchemas, type PassageAnswer } from "./passage-queries.ts";
import type { StormsAsked } from "./passage-request.ts";
import { columns, columnTitle, PassageTable, rowModes, useShownColumns } from "./passage-table.tsx";
import { sharesOf } from "./route-shares.ts";

/** Storms whose winds and cone stay farther away than this are not drawn, km. */
const NEAR_KM = 1000;

/** The danger area of a storm. @param issued Base time of its forecast; a new one triggers a new request. */
const dangerQuery = (key: string, { provider, method }: StormsAsked, id: string, issued: number) =>
  queryOptions({
    queryKey: ["passage-danger", key, provider, method, id, issued] as const,
    queryFn: async ({ signal }): Promise<StormDanger> => {
      const [reply, { danger }] = await Promise.all([
        stormService(key).danger(id, { provider, method }, { signal }),
        loadPassageSchemas(),
      ]);
      return parseReply(reply, danger);
    },
    staleTime: Number.POSITIVE_INFINITY,
    ...retryPolicy,
  });

/**
 * Draws with the plan the position of the boat when a storm is nearest, and the danger areas to which its way
 * is compared.
 */
function usePlanStorms(plan: PassagePlan, key: string, asked: StormsAsked, { words }: Zone): void {
  const near = nearStorms(plan);
  const areas = useQueries({
    queries: near.map(({ id, issued_at, danger }) => ({
      ...dangerQuery(key, asked, id, issued_at),
      enabled: danger !== null,
    })),
    combine: (replies) => replies.map(({ data }) => data),
  });
  useEffect(() => {
    const storms = nearStorms(plan).flatMap(({ id, name, closest }): PlanStorm[] => {
      const boat = boatAt(plan, closest.time);
      const polygon = areas.find((area) => area?.id === id)?.polygon;
      return boat
        ? [
            {
              label: `${name ?? id} ${formatMiles(closest.distance_km, words)}`,
              boat,
              centre: destination(boat, closest.bearing_deg, closest.distance_km),
              area: polygon?.map(({ lat, lon }) => ({ latitude: lat, longitude: lon })),
            },
          ]
        : [];
    });
    markPlan({ storms });
    return () => markPlan({ storms: [] });
  }, [plan, areas, words]);
}

function nearStorms({ storms }: PassagePlan) {
  return (storms?.results ?? []).filter(({ least_clearance }) => least_clearance.clearance_km <= NEAR_KM);
}

interface HeadProps {
  /** Departures are compared below, so the answer for a single one is not shown. */
  compares?: boolean;
  plan: PlanWithVessel;
  query: UseQueryResult<PassageAnswer>;
  /** The answer of all models for the same departure, if there are several. */
  byModel?: PassageAnswer | undefined;
}

/** The summary that stays visible: verdict and arrival, the deciding cause, and the vessel. */
export function PassageHead({ compares = false, plan, query, byModel }: HeadProps) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  const [evaluated] = data?.plans ?? [];
  const isCurrent = !isPlaceholderData;
  const compared = byModel?.meta.comparison?.find(({ departure }) => departure === evaluated?.departure);
  const arrival = evaluated && formatArrival(evaluated, style);
  useEffect(() => {
    markPlan({ shares: evaluated && isCurrent ? sharesOf(evaluated) : [] });
    return () => markPlan({ shares: [] });
  }, [evaluated, isCurrent]);
  return (
    <div className="space-y-1.5" aria-busy={isFetching}>
      <p role="status" className="sr-only">
        {compares
          ? ""
          : isFetching
            ? words.evaluating
            : evaluated
              ? `${formatAnswer(evaluated, style)}. ${formatReason(evaluated, style)}`
              : ""}
      </p>
      {error ? <ErrorMessage error={withArrivalWords(error, style)} onRetry={() => void refetch()} /> : null}
      {data ? <SavedNotice answer={data} /> : null}
      {data && isPlaceholderData ? (
        <p className="old-notice">{isFetching ? words.evaluating : words.former}</p>
      ) : null}
      {compares ? null : evaluated ? (
        <Verdict
          tone={verdictTones[evaluated.verdict]}
          title={wholeValues(formatAnswer(evaluated, style), zone.words)}
        >
          <p>{wholeValues(formatReason(evaluated, style), zone.words)}</p>
          <p className="text-muted text-xs">
            {wholeValues(
              [
                ...(saysWhy(evaluated) && arrival ? [`${words.totals.arrival} ${arrival}`] : []),
                formatDuration(evaluated.totals.duration_s, style),
                milesText(evaluated.totals.distance_nm, style),
                formatVessel(plan.vessel, style),
              ].join(`${NO_BREAK_SPACE}· `),
              zone.words,
            )}
          </p>
          {compared ? (
            <p role="status" className="font-semibold text-sm">
              {agreementSentence(compared, style)}
            </p>
          ) : null}
        </Verdict>
      ) : isFetching ? (
        <p className="skeleton h-20 p-3 text-sm" aria-hidden="true">
          {words.evaluating}
        </p>
      ) : null}
    </div>
  );
}

interface Props extends Omit<HeadProps, "compares" | "byModel"> {
  apiKey: string;
  storms: StormsAsked;
  /** Content between chart and table. */
  children: ReactNode;
}

/** The passage at one departure: chart, table, storms, and what it leaves out. */
export function PassageView(props: Props) {
  const { data } = props.query;
  const [evaluated] = data?.plans ?? [];
  return data && evaluated ? (
    <Evaluated {...props} answer={data} evaluated={evaluated} />
  ) : (
    <>
      {props.query.isFetching ? <div className="skeleton h-72" aria-hidden="true" /> : null}
      {props.children}
    </>
  );
}

/**
 * Largest difference between the pointed time and a time of the map that replaces it, seconds; forecast steps
 * are at most 3 h apart.
 */
const NEAR_S = 1.5 * HOUR_S;

interface EvaluatedProps extends Pick<Props, "plan" | "apiKey" | "storms" | "children"> {
  answer: PassageAnswer;
  evaluated: PassagePlan;
}

function Evaluated({ plan, answer, evaluated, apiKey, storms, children }: EvaluatedProps) {
  const { words, zone } = usePassageStyle();
  const { time = 0, drawn, instants, setTime } = useClock("time", "drawn", "instants", "setTime");
  const [pointed, setPointed] = useState<number>();
  const boatTime = pointed ?? drawn ?? time;
  // The boat on the map is at the pointed time, or else at the time of the map.
  useEffect(() => {
    markPlan({ boat: boatAt(evaluated, boatTime) });
    return () => markPlan({ boat: undefined });
  }, [evaluated, boatTime]);
  usePlanStorms(evaluated, apiKey, storms, zone);
  const showTime = (at: number) => {
    const near = instants[nearestIndex(instants, at)];
    setTime(near !== undefined && Math.abs(near - at) <= NEAR_S ? near : at);
  };
  const common = { plan: evaluated, meta: answer.meta };
  return (
    <>
      <PassageChart
        {...common}
        time={drawn ?? time}
        pointed={pointed}
        onPoint={setPointed}
        onTime={showTime}
      />
      {children}
      <OldForecasts answer={answer} />
      <Rows {...common} route={plan.route} time={drawn ?? time} onPoint={setPointed} onTime={showTime} />
      <details>
        <summary>{words.numbers}</summary>
        <PassageTotals plan={evaluated} meta={answer.meta} kind={plan.vessel.kind} />
      </details>
      <PassageStorms plan={evaluated} looked={answer.withStorms} />
      <PassageKnowledge answer={answer} />
    </>
  );
}

type RowsProps = Omit<Parameters<typeof PassageTable>[0], "mode" | "shown">;

function Rows(props: RowsProps) {
  const style = usePassageStyle();
  const { table } = style.words;
  const { shown, mode, setMode, toggle } = useShownColumns();
  const [isWide, setWide] = useState(false);
  return (
    <>
      <div className="passage-rows flex flex-wrap items-end gap-2" data-wide={isWide || undefined}>
        <Choice
          title={table.rows}
          options={rowModes.map((name) => [name, table.modes[name]] as const)}
          value={mode}
          onChange={setMode}
        />
        <button
          type="button"
          className="toggle max-lg:hidden"
          aria-pressed={isWide}
          onClick={() => setWide(!isWide)}
        >
          {style.words.wide}
        </button>
      </div>
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
      <TableScroll label={table.caption}>
        <PassageTable {...props} mode={mode} shown={shown} />
      </TableScroll>
    </>
  );
}

/**
 * Position of the vessel at a time: its first place before the departure, its last one after the end.
 *
 * @param time Unix seconds.
 * @returns `course` over ground, degrees, TO; undefined while it lies still. undefined for a plan without
 * pieces.
 */
export function boatAt(
  { pieces, end }: Pick<PassagePlan, "pieces" | "end">,
  time: number,
): (Place & { course: number | undefined }) | undefined {
  const first = pieces?.[0];
  if (!pieces || !first) return undefined;
  const { latitude, longitude } = first.start;
  if (time < parseInstant(first.start.timestamp)) return { latitude, longitude, course: undefined };
  for (const [index, { start, course_deg, mode }] of pieces.entries()) {
    const next = pieces[index + 1]?.start ?? end;
    const [from, to] = [parseInstant(start.timestamp), parseInstant(next.timestamp)];
    if (time >= to) continue;
    const share = to > from ? (time - from) / (to - from) : 0;
    return { ...between(start, next, share), course: mode === "held" ? undefined : course_deg };
  }
  return { latitude: end.latitude, longitude: end.longitude, course: undefined };
}
