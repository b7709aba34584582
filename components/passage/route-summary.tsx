import { useMemo } from "react";
import { Choice } from "#components/ui/choice.tsx";
import { usePlan } from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { legKinds } from "#lib/passage/route.ts";
import { usePassageWords } from "./passage-words.ts";
import { legNumbers } from "./route-files.ts";

/** How long the route is, and the kind of all its legs. */
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

/** `10 waypoints, 342 n mi`. */
export function useRouteText(): string {
  const words = useWords();
  const { route: text } = usePassageWords();
  const { route } = usePlan().plan;
  return useMemo(() => {
    const miles = legNumbers(route).reduce((sum, leg) => sum + leg.miles, 0);
    return text.summary({ count: route.length, length: formatMiles(miles * MILE_KM, words) });
  }, [route, text, words]);
}
