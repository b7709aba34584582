import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { askForKey } from "#components/api-client/key-store.ts";
import { GUEST } from "#components/api-client/saved-replies.ts";
import { TimeField } from "#components/fields/time-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { useSteady } from "#components/ui/use-steady.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { changePlan, keptVessel, usePlan } from "#components/view-state/plan.ts";
import { instantNear } from "#components/view-state/timeline.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { Plan, PlanWithVessel } from "#lib/contract/passage.ts";
import { formatInstant } from "#lib/time.ts";
import { BetterRoute } from "./better-route.tsx";
import { LeaveView } from "./leave-view.tsx";
import { MembersOfPassage, useFirstEnsemble } from "./member-departures.tsx";
import { ModelComparison, useComparedModels, useModelsAnswer } from "./model-comparison.tsx";
import { usePassageStyle, usePassageWords } from "./passage-format.tsx";
import { passageQuery } from "./passage-queries.ts";
import { departureOf, hasRoute, oneBody, type WatchedPassage, watchedPassage } from "./passage-request.ts";
import { PassageHead, PassageView } from "./passage-view.tsx";
import { PrintedPassage } from "./printed-passage.tsx";
import { RouteEditor, type RouteEditorProps } from "./route-editor.tsx";
import { ChooseVessel, LimitsForm, VesselForm } from "./vessel-form.tsx";

/** The plan of a passage: its outlook, followed by the editor of its route. */
export function PassagePanel({ actions, ...props }: Omit<RouteEditorProps, "heading"> & PassageOutlookProps) {
  const { route: words } = usePassageWords();
  const { plan } = usePlan();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <div className="space-y-4">
      <h2
        ref={heading}
        data-opened
        tabIndex={-1}
        className={hasRoute(plan) ? "sr-only" : "font-semibold text-lg"}
      >
        {words.title}
      </h2>
      {hasRoute(plan) ? <PassageOutlook actions={actions} onShow={props.onShow} /> : null}
      <RouteEditor {...props} heading={heading} />
    </div>
  );
}

const views = ["passage", "leave", "vessel"] as const;

type OutlookView = (typeof views)[number];

interface PassageOutlookProps {
  /** Renders actions for the passage at its departure: a button with this label that watches it. */
  actions(label: string, passage: WatchedPassage): ReactNode;
  /** Moves the map so that it shows a route. */
  onShow(route: Plan["route"]): void;
}

/** The outlook of the passage: vessel, limits, departures, table and chart. */
function PassageOutlook({ actions, onShow }: PassageOutlookProps) {
  const { outlook: words } = usePassageWords();
  const { plan } = usePlan();
  const key = useApiKey();
  if (key === undefined) return <AskForKey text={words.needsKey} />;
  const vessel = plan.vessel ?? keptVessel();
  // Without a chosen vessel an evaluation would be meaningless.
  if (!vessel) return <ChooseVessel />;
  return <Outlook plan={{ ...plan, vessel }} apiKey={key} actions={actions} onShow={onShow} />;
}

/** Says what needs a key, and offers to enter one. */
function AskForKey({ text }: { text: string }) {
  const { status } = useWords().access;
  return (
    <div className="space-y-2 text-sm">
      <p>{text}</p>
      <Button primary className="px-4" onClick={() => askForKey()}>
        {status.enter}
      </Button>
    </div>
  );
}

interface OutlookProps extends PassageOutlookProps {
  plan: PlanWithVessel;
  apiKey: string;
}

function Outlook({ plan, apiKey, actions, onShow }: OutlookProps) {
  const { words, zone } = usePassageStyle();
  const view = useView("sp", "danger");
  const { now, instants, setTime } = useClock("now", "instants", "setTime");
  const [shown, setShown] = useState<OutlookView>("passage");
  const storms = { provider: view.sp, method: view.danger ?? ("classic" as const) };
  const departure = departureOf(plan, now);
  const body = oneBody(plan, departure, storms);
  // The evaluation is requested only when drawing and typing have paused.
  const wanted = JSON.stringify(body);
  const steady = useSteady(wanted);
  const sent = useMemo(() => JSON.parse(steady) as typeof body, [steady]);
  const query = useQuery({
    ...passageQuery(apiKey, sent),
    // Before the clock is known the departure would be in 1970.
    enabled: now > 0 && steady === wanted,
    // The answer for the previous plan stays until the next one arrives.
    placeholderData: (before, last) => (last?.queryKey[1] === apiKey ? before : undefined),
  });
  const { data } = query;
  // A visitor may ask for one departure, and not for its members.
  const isGuest = apiKey === GUEST;
  const models = useComparedModels(apiKey);
  const [compares, setCompares] = useState(false);
  const isSteady = now > 0 && steady === wanted;
  const byModel = useModelsAnswer(apiKey, compares ? models : [], isSteady ? sent : undefined);
  const known = useFirstEnsemble(apiKey);
  const ensemble = isGuest ? undefined : known;
  const [asksMembers, setAsksMembers] = useState(false);
  const common = { plan, apiKey, storms };
  return (
    <section aria-label={words.title} className="passage-outlook space-y-3">
      <div className="passage-head">
        <PassageHead
          compares={shown === "leave"}
          plan={plan}
          query={query}
          byModel={compares && !byModel.isPlaceholderData ? byModel.data : undefined}
        />
        <OutlookTabs shown={shown} onShow={setShown} />
      </div>
      {shown === "passage" ? (
        <PassageView {...common} query={query}>
          <div className="flex flex-wrap items-end gap-2">
            <TimeField
              label={words.departure({ clock: zone.label(departure) })}
              zone={zone}
              now={now}
              time={departure}
              onChange={(time) => {
                changePlan({ departure: formatInstant(time) }, "departure");
                setTime(instantNear(instants, time) ?? time);
              }}
            />
            {actions(words.watch, watchedPassage(plan, departure))}
          </div>
          {models.length > 1 || ensemble ? (
            <div className="flex flex-wrap gap-2">
              {models.length > 1 ? (
                <button
                  type="button"
                  className="toggle"
                  aria-pressed={compares}
                  onClick={() => setCompares(!compares)}
                >
                  {words.models.compare({ count: models.length })}
                </button>
              ) : null}
              {ensemble ? (
                <button
                  type="button"
                  className="toggle"
                  aria-pressed={asksMembers}
                  onClick={() => setAsksMembers(!asksMembers)}
                >
                  {words.members.button}
                </button>
              ) : null}
            </div>
          ) : null}
          {compares && models.length > 1 ? <ModelComparison models={models} query={byModel} /> : null}
          {asksMembers && ensemble ? (
            <MembersOfPassage apiKey={apiKey} ensemble={ensemble} body={isSteady ? sent : undefined} />
          ) : null}
        </PassageView>
      ) : null}
      {shown === "passage" && now > 0 && !isGuest ? (
        <BetterRoute {...common} models={models} ensemble={ensemble} departure={departure} onShow={onShow} />
      ) : null}
      {shown === "leave" && isGuest ? <AskForKey text={words.keyForMore} /> : null}
      {shown === "leave" && now > 0 && !isGuest ? <LeaveView {...common} /> : null}
      {shown === "vessel" ? (
        <>
          <VesselForm vessel={plan.vessel} />
          <LimitsForm plan={plan} />
        </>
      ) : null}
      {data ? <PrintedPassage plan={plan} answer={data} /> : null}
    </section>
  );
}

/** Tabs of the outlook, with arrow keys to move between them. */
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
      className="flex flex-wrap border-line border-b"
      onKeyDown={onKeyDown}
    >
      {views.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === shown}
          tabIndex={name === shown ? 0 : -1}
          className="tab px-1.5 text-[0.8125rem]"
          onClick={() => onShow(name)}
        >
          {words.views[name]}
        </button>
      ))}
    </div>
  );
}
