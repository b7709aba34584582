import { MILE_KM } from "@open-metocean/geo/sphere";
import { useMemo } from "react";
import { Button } from "#components/ui/button.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { usePlan } from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { legKinds } from "#lib/passage/route.ts";
import { usePassageWords } from "./passage-format.tsx";
import { legNumbers } from "./route-files.ts";

export function RouteSummary() {
  const { plan, change } = usePlan();
  const { route: words } = usePassageWords();
  const summary = useRouteText();
  const { route } = plan;
  const kinds = new Set(route.slice(1).map(({ leg }) => leg));
  const [only] = kinds;
  if (route.length < 2) return null;
  return (
    <div className="flex flex-wrap items-end justify-between gap-2">
      <p className="text-sm tabular-nums">{summary}</p>
      <Choice
        title={words.allLegs}
        options={legKinds.map((kind) => [kind, words.legs[kind]] as const)}
        value={kinds.size === 1 && only ? only : ("mixed" as (typeof legKinds)[number])}
        onChange={(leg) => change({ route: route.map((waypoint) => ({ ...waypoint, leg })) })}
      />
    </div>
  );
}

/** Text such as `10 waypoints, 342 n mi`. */
function useRouteText(): string {
  const words = useWords();
  const { route: text } = usePassageWords();
  const { route } = usePlan().plan;
  return useMemo(() => {
    const miles = legNumbers(route).reduce((sum, leg) => sum + leg.miles, 0);
    return text.summary({ count: route.length, length: formatMiles(miles * MILE_KM, words) });
  }, [route, text, words]);
}

export function RoutePeek() {
  const { route: words } = usePassageWords();
  const { plan } = usePlan();
  const summary = useRouteText();
  if (plan.route.length === 0) return <p className="text-muted text-sm">{words.raise}</p>;
  return (
    <p className="truncate text-sm">
      <strong>{plan.name || words.title}</strong>
      <span className="block truncate text-muted text-xs tabular-nums">{summary}</span>
    </p>
  );
}

/** Instructions over the map while clicks add waypoints, with a button to finish. */
export function RouteDrawing({ onDone }: { onDone(): void }) {
  const { drawing, undo: undoText } = usePassageWords().route;
  const { plan, undo, canUndo } = usePlan();
  const summary = useRouteText();
  return (
    <section aria-label={drawing.title} className="notice flex items-center gap-2">
      <p className="min-w-0 flex-1">
        <span className="max-md:hidden">{drawing.byMouse}</span>
        <span className="md:hidden">{drawing.byTouch}</span>
        <span role="status" className="block text-muted text-xs tabular-nums">
          {plan.route.length > 0 ? summary : ""}
        </span>
      </p>
      <Button disabled={!canUndo} onClick={undo}>
        {undoText}
      </Button>
      <Button primary onClick={onDone}>
        {drawing.done}
      </Button>
    </section>
  );
}
