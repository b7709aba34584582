import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { useOwnKey } from "#components/api-client/api-key.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { useSteady } from "#components/ui/use-steady.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { fromClock, toClock } from "#components/view-state/format-time.ts";
import { changePlan, usePlan } from "#components/view-state/plan.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { Plan, PlanWithVessel } from "#lib/contract/passage.ts";
import { formatInstant } from "#lib/time.ts";
import { BetterRoute } from "./better-route.tsx";
import { LeaveView } from "./leave-view.tsx";
import { type PassageStyle, usePassageWords } from "./passage-format.tsx";
import { passageQuery } from "./passage-queries.ts";
import { departureOf, hasRoute, oneBody, type WatchedPassage, watchedPassage } from "./passage-request.ts";
import { PassageView } from "./passage-view.tsx";
import { PrintedPassage } from "./printed-passage.tsx";
import { RouteEditor, type RouteEditorProps } from "./route-editor.tsx";
import { ChooseVessel, LimitsForm, VesselForm } from "./vessel-form.tsx";

/** The plan of a passage: its route, and what it will be like. */
export function PassagePanel({ actions, ...props }: RouteEditorProps & PassageOutlookProps) {
  return (
    <div className="space-y-4">
      <RouteEditor {...props} />
      <PassageOutlook actions={actions} onShow={props.onShow} />
    </div>
  );
}

const views = ["passage", "leave", "vessel"] as const;

type OutlookView = (typeof views)[number];

interface PassageOutlookProps {
  /** What can be done with the passage at its departure: a button with this label watches it. */
  actions(label: string, passage: WatchedPassage): ReactNode;
  /** Moves the map so that it shows a route. */
  onShow(route: Plan["route"]): void;
}

/** What the passage will be like: vessel, limits, departures, table and chart. */
function PassageOutlook({ actions, onShow }: PassageOutlookProps) {
  const { outlook: words } = usePassageWords();
  const { plan } = usePlan();
  const key = useOwnKey();
  if (!hasRoute(plan)) return <p className="text-muted text-sm">{words.needsRoute}</p>;
  if (key === undefined) return <p className="text-sm">{words.needsKey}</p>;
  const { vessel } = plan;
  // What a vessel that nobody has chosen would meet, and when, is no answer.
  if (!vessel) return <ChooseVessel words={words} />;
  return <Outlook plan={{ ...plan, vessel }} apiKey={key} actions={actions} onShow={onShow} />;
}

interface OutlookProps extends PassageOutlookProps {
  plan: PlanWithVessel;
  apiKey: string;
}

function Outlook({ plan, apiKey, actions, onShow }: OutlookProps) {
  const { outlook: words } = usePassageWords();
  const { view, zone } = useView();
  const { now } = useClock();
  const [shown, setShown] = useState<OutlookView>("passage");
  const { limits } = plan;
  const style = useMemo<PassageStyle>(
    () => ({ units: view.u, zone, words, ownLimits: limits }),
    [view.u, zone, words, limits],
  );
  const storms = { provider: view.sp, method: view.danger ?? ("classic" as const) };
  const departure = departureOf(plan, now);
  const body = oneBody(plan, departure, storms);
  // A route that is being drawn, and a number that is being typed, are asked for when they stand still.
  const steady = useSteady(JSON.stringify(body));
  const sent = useMemo(() => JSON.parse(steady) as typeof body, [steady]);
  const query = useQuery({
    ...passageQuery(apiKey, sent),
    enabled: now > 0,
    // The answer of the plan as it was stands until the next one is there.
    placeholderData: (before, last) => (last?.queryKey[1] === apiKey ? before : undefined),
  });
  const { data } = query;
  return (
    <section aria-label={words.title} className="passage-outlook space-y-3">
      <OutlookTabs shown={shown} onShow={setShown} />
      {shown === "passage" ? (
        <>
          <div className="flex flex-wrap items-end gap-2">
            <DepartureField departure={departure} style={style} />
            {actions(words.watch, watchedPassage(plan, departure))}
          </div>
          {now > 0 ? (
            <BetterRoute
              plan={plan}
              departure={departure}
              style={style}
              apiKey={apiKey}
              storms={storms}
              now={now}
              onShow={onShow}
            />
          ) : null}
          <PassageView plan={plan} query={query} style={style} apiKey={apiKey} storms={storms} now={now} />
        </>
      ) : null}
      {shown === "leave" && now > 0 ? (
        <LeaveView plan={plan} style={style} apiKey={apiKey} storms={storms} now={now} />
      ) : null}
      {shown === "vessel" ? (
        <>
          <VesselForm vessel={plan.vessel} style={style} />
          <LimitsForm plan={plan} style={style} />
        </>
      ) : null}
      {data ? <PrintedPassage plan={plan} answer={data} style={style} /> : null}
    </section>
  );
}

/** Tabs of the outlook; arrow keys move between them. */
function OutlookTabs({ shown, onShow }: { shown: OutlookView; onShow(view: OutlookView): void }) {
  const { outlook: words } = usePassageWords();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = (views.indexOf(shown) + by + views.length) % views.length;
    onShow(views[next]!);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={words.views.title}
      className="flex flex-wrap gap-1 border-line border-b"
      onKeyDown={onKeyDown}
    >
      {views.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === shown}
          tabIndex={name === shown ? 0 : -1}
          className="tab"
          onClick={() => onShow(name)}
        >
          {words.views[name]}
        </button>
      ))}
    </div>
  );
}

function DepartureField({ departure, style }: { departure: number; style: PassageStyle }) {
  const { words, zone } = style;
  const written = toClock(departure, zone);
  // What is typed stands until the departure changes: a text that is no time yet is not taken away.
  const [typed, setTyped] = useState<{ text: string; before: string }>();
  return (
    <TextField
      label={words.departure({ clock: zone.label(departure) })}
      type="datetime-local"
      value={typed?.before === written ? typed.text : written}
      onChange={(text) => {
        setTyped({ text, before: written });
        const time = fromClock(text, zone);
        if (!Number.isNaN(time)) changePlan({ departure: formatInstant(time) }, "departure");
      }}
    />
  );
}
