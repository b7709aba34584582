import { useEffect, useMemo, useRef, useState } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { changePlan, markPlan, moved, roundedPlace } from "#components/view-state/plan.ts";
import { useOnline } from "#components/view-state/use-browser.ts";
import type { Plan, PlanWithVessel } from "#lib/contract/plan.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { type Objective, objectives } from "#lib/passage/limits.ts";
import { positionText } from "#lib/position.ts";
import { BetterTable } from "./better-table.tsx";
import { differenceIn, refusalText } from "./better-text.ts";
import type { PassageStyle } from "./passage-format.ts";
import type { StormsAsked } from "./passage-request.ts";
import { usePassageWords } from "./passage-words.ts";
import { type Ashore, type FoundRoute, searchedPart, useBetterRoute } from "./use-better-route.ts";

export interface BetterRouteProps {
  plan: PlanWithVessel;
  /** Unix seconds. */
  departure: number;
  style: PassageStyle;
  apiKey: string;
  storms: StormsAsked;
  /** Weather clock of the service, Unix seconds. */
  now: number;
  /** Moves the map so that it shows a route. */
  onShow(route: Plan["route"]): void;
}

/** Searches a better route between the ends of the plan's, and shows it beside the user's own until one of them is chosen. */
export function BetterRoute({ plan, departure, style, apiKey, storms, now, onShow }: BetterRouteProps) {
  const words = usePassageWords();
  const { better: text, outlook } = words;
  const isOnline = useOnline();
  const { state, search, settle, cancel } = useBetterRoute(apiKey);
  const [objective, setObjective] = useState<Objective>("within_limits");
  const button = useRef<HTMLButtonElement>(null);
  const isRunning = state.is === "running";
  const start = (of = plan) => void search(of, departure, objective, storms, now);
  const found = state.is === "found" ? state.found : undefined;
  const isStale = found !== undefined && found.of !== searchedPart(plan, departure);
  const proposed = found && !isStale && found.better.origin !== "own" ? found : undefined;
  useProposedOnMap(proposed, text.better, onShow);
  const decide = (is: "used" | "kept") => {
    if (is === "used" && proposed) changePlan({ route: withNames(proposed.better.route, plan.route) });
    settle(is);
    button.current?.focus();
  };
  const move = ({ waypoint, water }: Ashore) => {
    if (!water) return;
    const route = moved(plan.route, waypoint, water);
    changePlan({ route });
    start({ ...plan, route });
    button.current?.focus();
  };
  const said = {
    none: text.about,
    cancelled: text.cancelled,
    used: text.used,
    kept: text.kept,
    no_way: text.noWay,
    refused: state.is === "refused" ? refusalText(state.request, text, style) : "",
    running: text.searching,
    ashore: "",
    failed: "",
    found: !found ? "" : isStale ? text.stale : proposed ? "" : text.none,
  }[state.is];
  return (
    <section aria-label={text.find} className="better-route space-y-2">
      <div className="flex flex-wrap items-end gap-2">
        <button
          ref={button}
          type="button"
          className="button px-3"
          disabled={!isOnline && !isRunning}
          onClick={isRunning ? cancel : () => start()}
        >
          {isRunning ? text.stop : text.find}
        </button>
        <Choice<Objective>
          title={text.objective}
          options={objectives.map((name) => [name, text.objectives[name]] as const)}
          value={objective}
          onChange={setObjective}
        />
      </div>
      <p role="status" className={proposed ? "font-semibold text-sm" : "text-sm"}>
        {proposed
          ? text.found({ text: differenceIn(proposed, text, style) })
          : isOnline || isRunning
            ? said
            : text.offline}
      </p>
      {found && !isStale ? <p className="passage-hint">{text.order[found.better.objective]}</p> : null}
      {state.is === "running" ? (
        <>
          <progress className="task-progress" max={1} value={state.share} aria-label={text.searching} />
          <p aria-hidden="true" className="text-sm">
            {outlook.leave.percent({ percent: Math.floor(100 * state.share) })}
          </p>
        </>
      ) : null}
      {state.is === "failed" ? <ErrorMessage error={state.error} onRetry={start} /> : null}
      {state.is === "ashore"
        ? state.ends.map((end) => <OnLand key={end.end} ashore={end} style={style} onMove={move} />)
        : null}
      {proposed ? (
        <div className="passage-best" data-verdict={proposed.plan.verdict}>
          {proposed.better.keeps_limits || proposed.better.objective === "fastest" ? null : (
            <p>{text.leastBad}</p>
          )}
          {proposed.ownLandLeg === undefined ? null : (
            <p>{text.crossesLand({ leg: proposed.ownLandLeg + 1 })}</p>
          )}
          <BetterTable found={proposed} style={style} />
          <p className="passage-hint">{text.check}</p>
          <div className="flex flex-wrap gap-2">
            <button type="button" className="button primary px-3" onClick={() => decide("used")}>
              {text.use}
            </button>
            <button type="button" className="button px-3" onClick={() => decide("kept")}>
              {text.keep}
            </button>
          </div>
        </div>
      ) : null}
    </section>
  );
}

/** Draws the proposed route, and moves the map to show both when it is found. */
function useProposedOnMap(
  found: FoundRoute | undefined,
  label: string,
  onShow: BetterRouteProps["onShow"],
): void {
  const route = found?.better.route;
  const mark = useMemo(() => (route ? { route, label } : undefined), [route, label]);
  useEffect(() => markPlan({ better: mark }), [mark]);
  useEffect(() => () => markPlan({ better: undefined }), []);
  const show = useRef(onShow);
  show.current = onShow;
  useEffect(() => {
    if (route) show.current([...route]);
  }, [route]);
}

/** The proposed route with the names of the user's own first and last waypoint. */
function withNames(found: FoundRoute["better"]["route"], own: Plan["route"]): Plan["route"] {
  return found.map((waypoint, index) => {
    const end = index === 0 ? own[0] : index === found.length - 1 ? own.at(-1) : undefined;
    return end ? { ...end, leg: waypoint.leg } : { ...waypoint, ...roundedPlace(waypoint) };
  });
}

interface OnLandProps {
  ashore: Ashore;
  style: PassageStyle;
  onMove(ashore: Ashore): void;
}

/** An end of the route that is on land, and the water to move it to. */
function OnLand({ ashore, style, onMove }: OnLandProps) {
  const { ashore: text } = usePassageWords().better;
  const { end, water } = ashore;
  return (
    <div role="alert" className="space-y-1 text-sm">
      <p>
        {water
          ? text[end]({
              distance: formatMiles(water.km, style.zone.words),
              position: positionText(water.latitude, water.longitude),
            })
          : text[`${end}Inland`]}
      </p>
      {water ? (
        <button type="button" className="button px-3" onClick={() => onMove(ashore)}>
          {text.move}
        </button>
      ) : null}
    </div>
  );
}
