import "#components/api-client/without-eval.ts";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { ListedEnsemble } from "#components/api-client/listed-ensembles.ts";
import { modelTitle, type NamedModel } from "#components/api-client/listed-models.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { formatShortTime } from "#components/view-state/format-time.ts";
import { changePlan, markPlan, moved, roundedPlace } from "#components/view-state/plan.ts";
import { useOnline } from "#components/view-state/use-browser.ts";
import { useWords } from "#components/words/words-context.ts";
import { optimiseLimits, type Plan, type PlanWithVessel } from "#lib/contract/passage.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { formatMiles } from "#lib/format-miles.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { type Objective, objectives } from "#lib/passage/limits.ts";
import { type DifferencePart, differencesOf } from "#lib/passage/optimise/order.ts";
import { positionText } from "#lib/position.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { TaskProgress } from "./leave-view.tsx";
import { totalOf } from "./member-words.ts";
import { CheckedRoute, Differences, SayingBadge } from "./model-comparison.tsx";
import { agreementSentence } from "./model-words.ts";
import {
  ABSENT,
  formatDuration,
  fuelText,
  fuelUnit,
  limitText,
  milesText,
  type PassageStyle,
  planFuel,
  TableScroll,
  usePassageStyle,
  usePassageWords,
  VerdictBadge,
} from "./passage-format.tsx";
import { type BetterRequest, oneBody, type StormsAsked } from "./passage-request.ts";
import { type Ashore, type FoundRoute, searchedPart, useBetterRoute } from "./use-search.ts";

/** Durations below this are shown to the minute, longer ones to the hour, s. */
const TO_THE_HOUR_S = 6 * HOUR_S;

/** Text such as `6 h later, 12 n mi longer, highest sea 2.1 m instead of 4.3 m`. */
function differenceIn(found: FoundRoute, words: Messages["passage"]["better"], style: PassageStyle): string {
  const { own, plan, better } = found;
  const { difference: text } = words;
  const parts = differencesOf(own, plan, better.over_limits_s, better.weighted_over_limits_s).map((part) =>
    partText(part, text, style),
  );
  return parts.length > 0 ? parts.join(text.join) : words.same;
}

function partText(
  part: DifferencePart,
  text: Messages["passage"]["better"]["difference"],
  style: PassageStyle,
): string {
  const span = (seconds: number) => (seconds === 0 ? text.noTime : roundedSpan(seconds, style));
  switch (part.of) {
    case "arrival":
      return text.arrives;
    case "gates":
      return text.gates({ better: part.better, own: part.own });
    case "waiting":
      return text.waits({ span: span(part.seconds) });
    case "duration":
      return (part.difference > 0 ? text.later : text.earlier)({ span: span(Math.abs(part.difference)) });
    case "distance":
      return (part.difference > 0 ? text.longer : text.shorter)({
        distance: milesText(Math.abs(part.difference), style),
      });
    case "sea":
    case "wind": {
      const written = (value: number) =>
        limitText(part.of === "sea" ? "head_sea_m" : "wind_kt", value, style);
      return text[part.of]({ better: written(part.better), own: written(part.own) });
    }
    case "litres":
    case "tonnes": {
      const written = (amount: number) => fuelText(amount, part.of === "litres" ? "l" : "t", style);
      return text.fuel({ better: written(part.better), own: written(part.own) });
    }
    case "over":
    case "weighted":
      return text[part.of]({ better: span(part.better), own: span(part.own) });
  }
}

function roundedSpan(seconds: number, style: PassageStyle): string {
  const to = seconds < TO_THE_HOUR_S ? 60 : HOUR_S;
  return formatDuration(Math.round(seconds / to) * to, style);
}

function refusalText(
  request: Extract<BetterRequest, { as: "refused" }>,
  { refused }: Messages["passage"]["better"],
  style: PassageStyle,
): string {
  if (request.why === "loop" || request.why === "vessel") return refused[request.why];
  const hours = (count: number) => formatDuration(count * HOUR_S, style);
  const { distance_nm: miles, hours: most } = optimiseLimits;
  switch (request.why) {
    case "distance":
      return refused.distance({ miles: milesText(request.miles, style), most: milesText(miles, style) });
    case "forecast":
      return refused.forecast({ span: hours(request.hours), known: hours(request.known) });
    case "hours":
    case "at_once":
      return refused.hours({ span: hours(request.hours * request.models), most: hours(most.async) });
  }
}

interface BetterRouteProps {
  plan: PlanWithVessel;
  /** Unix seconds. */
  departure: number;
  apiKey: string;
  storms: StormsAsked;
  /** The models that a route is checked on. */
  models: readonly NamedModel[];
  /** The ensemble whose members judge a route. */
  ensemble: ListedEnsemble | undefined;
  /** Moves the map so that it shows a route. */
  onShow(route: Plan["route"]): void;
}

/**
 * Searches for a better route between the ends of the plan, and shows it beside the user's own route until
 * one of them is chosen.
 */
export function BetterRoute({ plan, departure, apiKey, storms, models, ensemble, onShow }: BetterRouteProps) {
  const style = usePassageStyle();
  const { now } = useClock("now");
  const { better: text } = usePassageWords();
  const isOnline = useOnline();
  const { state, search, settle, cancel } = useBetterRoute(apiKey);
  const [objective, setObjective] = useState<Objective>("within_limits");
  const [through, setThrough] = useState<"models" | "ensemble">();
  const button = useRef<HTMLButtonElement>(null);
  const isRunning = state.is === "running";
  const planners = {
    models: through === "models" ? models.map(({ name }) => name) : [],
    ensemble: through === "ensemble" ? ensemble : undefined,
  };
  const start = (of = plan) => void search(of, departure, objective, storms, planners, now);
  const found = state.is === "found" ? state.found : undefined;
  const isStale = found !== undefined && found.of !== searchedPart(plan, departure);
  const proposed = found && !isStale && proposalsOf(found, models).length > 0 ? found : undefined;
  const near = proposed?.own.near_coast;
  // Beside the land that a leg crosses, its distance from the coast is zero, which says nothing more.
  const isNear = near && near.leg !== proposed.ownLandLeg && !proposed.plan.near_coast;
  useProposedOnMap(proposed, models, onShow);
  const decide = (route: FoundRoute["better"]["route"] | undefined) => {
    if (route) changePlan({ route: withNames(route, plan.route) });
    settle(route ? "used" : "kept");
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
        <Button ref={button} disabled={!isOnline && !isRunning} onClick={isRunning ? cancel : () => start()}>
          {isRunning ? text.stop : text.find}
        </Button>
        <Choice<Objective>
          title={text.objective}
          options={objectives.map((name) => [name, text.objectives[name]] as const)}
          value={objective}
          onChange={setObjective}
        />
        {models.length > 1 ? (
          <Checkbox
            checked={through === "models"}
            onChange={(isChecked) => setThrough(isChecked ? "models" : undefined)}
          >
            {style.words.models.search({ count: models.length })}
          </Checkbox>
        ) : null}
        {ensemble ? (
          <Checkbox
            checked={through === "ensemble"}
            onChange={(isChecked) => setThrough(isChecked ? "ensemble" : undefined)}
          >
            {style.words.members.button}
          </Checkbox>
        ) : null}
      </div>
      <p role="status" className={proposed ? "font-semibold text-sm" : "text-sm"}>
        {proposed && proposed.routes.length === 0
          ? text.found({ text: differenceIn(proposed, text, style) })
          : isOnline || isRunning
            ? said
            : text.offline}
      </p>
      {found && !isStale ? <p className="text-muted text-xs">{text.order[found.better.objective]}</p> : null}
      {state.is === "running" ? <TaskProgress share={state.share} label={text.searching} /> : null}
      {state.is === "failed" ? <ErrorMessage error={state.error} onRetry={start} /> : null}
      {state.is === "ashore"
        ? state.ends.map((end) => <OnLand key={end.end} ashore={end} onMove={move} />)
        : null}
      {proposed && proposed.routes.length > 0 ? (
        <RoutesByModel found={proposed} models={models} onDecide={decide} />
      ) : proposed ? (
        <div
          className="flex flex-col items-start gap-1.5 border-l-[0.375rem] border-l-accent px-2.5 py-1 text-[0.875rem] data-[verdict=CAUTION]:border-(--map-danger) data-[verdict=NO]:border-alarm"
          data-verdict={proposed.plan.verdict}
        >
          {proposed.better.keeps_limits || proposed.better.objective === "fastest" ? null : (
            <p>{text.leastBad}</p>
          )}
          {proposed.ownLandLeg === undefined ? null : (
            <p>{text.crossesLand({ leg: proposed.ownLandLeg + 1 })}</p>
          )}
          {isNear ? (
            <p>{text.nearCoast({ leg: near.leg + 1, distance: milesText(near.distance_nm, style) })}</p>
          ) : null}
          <BetterTable found={proposed} />
          <MembersOnRoute ensemble={proposed.ensemble} />
          <CheckedRoute
            apiKey={apiKey}
            models={models}
            body={oneBody({ ...plan, route: [...proposed.better.route] }, departure, storms)}
          />
          <p className="text-muted text-xs">{text.check}</p>
          <div className="flex flex-wrap gap-2">
            <Button primary onClick={() => decide(proposed.better.route)}>
              {text.use}
            </Button>
            <Button onClick={() => decide(undefined)}>{text.keep}</Button>
          </div>
        </div>
      ) : null}
    </section>
  );
}

/** Counts the members of an ensemble that keep the limits on the found route and on the own one. */
function MembersOnRoute({ ensemble }: Pick<FoundRoute, "ensemble">) {
  const { members: text } = usePassageStyle().words;
  const { better, departures: [own] = [] } = ensemble ?? {};
  if (!better || !own) return null;
  return (
    <>
      <p role="status" className="font-semibold">
        {text.better({ better: better.keep, own: own.keep, total: totalOf(own) })}
      </p>
      <p className="text-muted text-xs">{text.caution}</p>
    </>
  );
}

/** A route that was found, and the models that found it; no model for the best of each variable. */
interface Proposal {
  route: FoundRoute["better"]["route"];
  names: string[];
}

/** The different routes that are better than the own one. */
export function proposalsOf({ better, routes }: FoundRoute, models: readonly NamedModel[]): Proposal[] {
  if (routes.length === 0) return better.origin === "own" ? [] : [{ route: better.route, names: [] }];
  const proposals = new Map<string, Proposal>();
  for (const { model, origin, route } of routes) {
    if (origin === "own") continue;
    const key = JSON.stringify(route);
    const one = proposals.get(key) ?? { route, names: [] };
    one.names.push(modelTitle(models, model));
    proposals.set(key, one);
  }
  return [...proposals.values()];
}

/** Draws the proposed routes, and moves the map to show them and the own one when they are found. */
function useProposedOnMap(
  found: FoundRoute | undefined,
  models: readonly NamedModel[],
  onShow: BetterRouteProps["onShow"],
): void {
  const { words, zone } = usePassageStyle();
  const { better: label } = usePassageWords().better;
  const marks = useMemo(
    () =>
      (found ? proposalsOf(found, models) : []).map(({ route, names }) => ({
        route,
        label:
          names.length > 0 ? words.models.routeOf({ names: names.join(zone.words.ui.joins.list) }) : label,
      })),
    [found, models, words, zone, label],
  );
  useEffect(() => {
    markPlan({ better: marks });
    return () => markPlan({ better: [] });
  }, [marks]);
  const show = useEffectEvent(() => onShow(marks.flatMap(({ route }) => route)));
  useEffect(() => {
    if (found) show();
  }, [found]);
}

interface RoutesByModelProps {
  found: FoundRoute;
  models: readonly NamedModel[];
  onDecide(route: FoundRoute["better"]["route"] | undefined): void;
}

/** The better route of each model in numbers of its own weather, and what all models say about it. */
function RoutesByModel({ found, models, onDecide }: RoutesByModelProps) {
  const style = usePassageStyle();
  const { words, zone } = style;
  const { better: text } = usePassageWords();
  const { totals: titles, leave, models: ofModels } = words;
  const size = (name: "head_sea_m" | "wind_kt", value: number | null) =>
    value === null ? ABSENT : limitText(name, value, style);
  return (
    <div className="space-y-2 text-sm">
      <TableScroll label={ofModels.routes}>
        <table className="passage-table">
          <caption className="sr-only">{ofModels.routes}</caption>
          <thead>
            <tr>
              {[
                ofModels.model,
                leave.table.verdict,
                zone.words.catalog.layers.wind,
                leave.table.sea,
                titles.distance,
                titles.arrival,
              ].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.routes.map(({ model, origin, distance_nm, checked }) => {
              const says = checked.models.find((one) => one.model === model);
              return says ? (
                <tr key={model}>
                  <th scope="row">{modelTitle(models, model)}</th>
                  <td className="text-left!">
                    <SayingBadge says={says.says} /> {origin === "own" ? ofModels.same : ""}
                  </td>
                  <td>{size("wind_kt", says.max_wind_kt)}</td>
                  <td>{size("head_sea_m", says.max_height_m)}</td>
                  <td>{milesText(distance_nm, style)}</td>
                  <td>
                    {says.arrival === null ? ABSENT : formatShortTime(parseInstant(says.arrival), zone)}
                  </td>
                </tr>
              ) : null;
            })}
          </tbody>
        </table>
      </TableScroll>
      {proposalsOf(found, models).map(({ route, names }) => {
        const of = names.join(zone.words.ui.joins.list);
        const { checked } = found.routes.find((one) => one.route === route)!;
        return (
          <div key={of} className="space-y-1">
            <p className="font-semibold">
              {ofModels.routeOf({ names: of })}
              {": "}
              {agreementSentence(checked, style)}
            </p>
            <Differences compared={checked} plans={[]} models={models} />
            <Button onClick={() => onDecide(route)}>{ofModels.take({ names: of })}</Button>
          </div>
        );
      })}
      <p className="text-muted text-xs">{text.check}</p>
      <Button onClick={() => onDecide(undefined)}>{text.keep}</Button>
    </div>
  );
}

/** Copies the names of the user's waypoints that the better route also has. */
function withNames(found: FoundRoute["better"]["route"], own: Plan["route"]): Plan["route"] {
  return found.map((waypoint) => {
    const place = roundedPlace(waypoint);
    const same = own.find(
      ({ latitude, longitude }) => latitude === place.latitude && longitude === place.longitude,
    );
    return { ...waypoint, ...place, ...(same?.name && { name: same.name }) };
  });
}

interface OnLandProps {
  ashore: Ashore;
  onMove(ashore: Ashore): void;
}

/** Reports an end of the route that is on land, and offers to move it to the nearest water. */
function OnLand({ ashore, onMove }: OnLandProps) {
  const words = useWords();
  const { ashore: text } = usePassageWords().better;
  const { end, water } = ashore;
  return (
    <div role="alert" className="space-y-1 text-sm">
      <p>
        {water
          ? text[end]({
              distance: formatMiles(water.km, words),
              position: positionText(water.latitude, water.longitude),
            })
          : text[`${end}Inland`]}
      </p>
      {water ? <Button onClick={() => onMove(ashore)}>{text.move}</Button> : null}
    </div>
  );
}

type Row = [title: string, of: (plan: PassagePlan) => string];

/** Compares both routes in numbers; the line samples in the titles are those of the map. */
function BetterTable({ found }: { found: FoundRoute }) {
  const style = usePassageStyle();
  const { better: text, outlook } = usePassageWords();
  const { totals: titles, leave } = outlook;
  const { own, plan, better } = found;
  const over = (seconds: number) => (seconds > 0 ? formatDuration(seconds, style) : titles.none);
  const size = (name: "head_sea_m" | "wind_kt", value: number | null) =>
    value === null ? ABSENT : limitText(name, value, style);
  const ofFuel: Row[] = [
    [titles.motor, ({ totals }) => formatDuration(totals.motor_s, style)],
    [titles.fuel, (one) => planFuel(one, style) ?? ABSENT],
  ];
  const rows: Row[] = [
    [
      titles.arrival,
      ({ arrival }) => (arrival === null ? ABSENT : formatShortTime(parseInstant(arrival), style.zone)),
    ],
    [titles.duration, ({ totals }) => formatDuration(totals.duration_s, style)],
    [titles.distance, ({ totals }) => milesText(totals.distance_nm, style)],
    [titles.wind, ({ totals }) => size("wind_kt", totals.max_wind_kt)],
    [titles.sea, ({ totals }) => size("head_sea_m", totals.max_height_m)],
    ...(fuelUnit(own) ? ofFuel : []),
    [titles.over, (one) => over(better.over_limits_s[one === own ? "own" : "better"])],
    [text.weighted, (one) => over(better.weighted_over_limits_s[one === own ? "own" : "better"])],
  ];
  return (
    <table className="better-table">
      <caption className="sr-only">{text.caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">
            <span className="better-line" aria-hidden="true" /> {text.own}
          </th>
          <th scope="col">
            <span className="better-line" data-better aria-hidden="true" /> {text.better}
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{leave.table.verdict}</th>
          <td>
            <VerdictBadge verdict={own.verdict} />
          </td>
          <td>
            <VerdictBadge verdict={plan.verdict} />
          </td>
        </tr>
        {rows.map(([title, of]) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td>{of(own)}</td>
            <td>{of(plan)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
