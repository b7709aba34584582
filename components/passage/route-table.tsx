import { Fragment, type KeyboardEvent, useEffect, useId, useMemo, useRef } from "react";
import {
  changePlan,
  markPlan,
  removed,
  reordered,
  usePlan,
  usePlanMarks,
} from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { MILE_KM, type Place } from "#lib/geo/sphere.ts";
import { formatBearing, positionText } from "#lib/position.ts";
import { usePassageWords } from "./passage-words.ts";
import { legNumbers } from "./route-files.ts";
import { RouteWaypoint } from "./route-waypoint.tsx";

interface Props {
  onCentre(place: Place): void;
}

/** The waypoints, each with the course and the distance of the leg that ends there; the marked one with what changes it. */
export function RouteTable({ onCentre }: Props) {
  const words = useWords();
  const { table } = usePassageWords().route;
  const { route } = usePlan().plan;
  const { waypoint: marked, isDrawing } = usePlanMarks();
  const legs = useMemo(() => legNumbers(route), [route]);
  const body = useRef<HTMLTableSectionElement>(null);
  const help = useId();
  /** The row that takes the focus when it is drawn: its button moved with its waypoint. */
  const next = useRef<number>(undefined);
  const buttons = () => [...(body.current?.querySelectorAll<HTMLElement>("[data-waypoint]") ?? [])];
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the route
  useEffect(() => {
    const row = next.current;
    next.current = undefined;
    if (row !== undefined) buttons()[Math.min(row, route.length - 1)]?.focus();
  }, [route]);
  // What was marked on the map is shown.
  useEffect(() => {
    if (marked !== undefined && !isDrawing)
      body.current?.querySelector(`[data-waypoint="${marked}"]`)?.scrollIntoView({ block: "nearest" });
  }, [marked, isDrawing]);
  const reorder = (from: number, to: number) => {
    if (to < 0 || to >= route.length) return;
    changePlan({ route: reordered(route, from, to) });
    markPlan({ waypoint: marked === from ? to : marked });
  };
  const remove = (index: number) => {
    changePlan({ route: removed(route, index) });
    markPlan({ waypoint: undefined });
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by && event.altKey) {
      next.current = index + by;
      reorder(index, index + by);
    } else if (by) buttons()[index + by]?.focus();
    else if (event.key === "Delete") {
      next.current = index;
      remove(index);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <p id={help} className="sr-only">
        {table.help}
      </p>
      <table className="route-table" aria-label={table.title} aria-describedby={help}>
        <thead>
          <tr>
            <th scope="col">{table.waypoint}</th>
            <th scope="col">{table.course}</th>
            <th scope="col">{table.distance}</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {route.map((waypoint, index) => {
            const leg = legs[index - 1];
            const isOpen = index === marked;
            const { latitude, longitude, name } = waypoint;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: waypoints have no other identity
              <Fragment key={index}>
                <tr data-marked={isOpen}>
                  <th scope="row">
                    <button
                      type="button"
                      data-waypoint={index}
                      className="route-row"
                      aria-expanded={isOpen}
                      onKeyDown={(event) => onKeyDown(event, index)}
                      onClick={() => markPlan({ waypoint: isOpen ? undefined : index })}
                    >
                      <span className="route-number">{index + 1}</span>
                      <span className="min-w-0">
                        {name ? <span className="block truncate font-semibold">{name}</span> : null}
                        <span className="block tabular-nums">{positionText(latitude, longitude)}</span>
                      </span>
                    </button>
                  </th>
                  <td>{leg?.course === undefined ? "" : formatBearing(leg.course)}</td>
                  <td>
                    {leg ? formatMiles(leg.miles * MILE_KM, words, 1) : ""}
                    {leg && waypoint.leg === "rhumb" ? (
                      <span className="block text-muted text-xs">{table.rhumb}</span>
                    ) : null}
                  </td>
                </tr>
                {isOpen ? (
                  <tr>
                    <td colSpan={3}>
                      <RouteWaypoint
                        key={`${latitude} ${longitude}`}
                        index={index}
                        onCentre={onCentre}
                        onReorder={(to) => reorder(index, to)}
                        onRemove={() => {
                          next.current = index;
                          remove(index);
                        }}
                      />
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
