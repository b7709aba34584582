import type { Place } from "@open-metocean/geo/sphere";
import { useMemo } from "react";
import type { Picked } from "#components/map/map-events.ts";
import { PLAN_LEGS, PLAN_WAYPOINTS } from "#components/map/map-layer.ts";
import type { ScenePlan } from "#components/map/scene.ts";
import {
  changePlan,
  inserted,
  markPlan,
  moved,
  readPlan,
  readPlanMarks,
  undoPlan,
  usePlan,
  usePlanMarks,
} from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import { measureText } from "./measuring.tsx";
import { useTab } from "./screen-context.tsx";
import { useNavigation } from "./use-navigation.ts";

/** The plan as the map draws it; undefined for nothing. */
export function usePlanScene(): ScenePlan | undefined {
  const { route } = usePlan().plan;
  const { waypoint: marked, ...marks } = usePlanMarks(
    "isDrawing",
    "waypoint",
    "boat",
    "storms",
    "better",
    "shares",
    "measure",
  );
  const { isDrawing, boat, storms, better, shares, measure } = marks;
  const words = useWords();
  // Outside the passage tab waypoints must not be dragged when the user moves the map.
  const isOpen = useTab() === "passage";
  return useMemo(
    () =>
      route.length > 0 || isDrawing || measure
        ? {
            route,
            marked,
            boat,
            storms,
            better,
            shares,
            measured: measure?.to && {
              from: measure.from,
              to: measure.to,
              label: measureText(measure.from, measure.to, words),
            },
            isDrawing,
            onMove: isOpen || isDrawing ? moveWaypoint : undefined,
            onInsert: isOpen || isDrawing ? insertWaypoint : undefined,
          }
        : undefined,
    [route, isDrawing, isOpen, marked, boat, storms, better, shares, measure, words],
  );
}

/** Clicks and keys on the map while a route is drawn. Each function returns whether it handled the event. */
export function usePlanDrawing() {
  const { endDrawing, showWaypoint } = useNavigation();
  const isDrawing = () => readPlanMarks().isDrawing;
  return {
    /** Handles a click outside all shapes, or Enter at the cross. */
    click(place: Place): boolean {
      if (isDrawing()) addWaypoint(place);
      return isDrawing();
    },
    /** Handles a click on a shape. @param place undefined off the globe. */
    pick({ layer, id }: Picked, place: Place | undefined): boolean {
      if (layer === PLAN_WAYPOINTS && isDrawing()) markPlan({ waypoint: Number(id) });
      else if (layer === PLAN_LEGS && isDrawing()) {
        if (place) addWaypoint(place, Number(id));
      } else if (layer === PLAN_WAYPOINTS || layer === PLAN_LEGS) showWaypoint(Number(id));
      else if (!isDrawing()) return false;
      else if (place) addWaypoint(place);
      return true;
    },
    key({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
      if (!isDrawing() || ctrlKey || metaKey || altKey) return false;
      if (key === "Escape") endDrawing();
      else if (key === "Backspace") undoPlan();
      else return false;
      return true;
    },
  };
}

function addWaypoint(place: Place, at?: number): void {
  const { route } = readPlan().plan;
  changePlan({ route: inserted(route, place, at) });
  markPlan({ waypoint: at ?? route.length });
}

const insertWaypoint = (waypoint: number, place: Place) => addWaypoint(place, waypoint);

function moveWaypoint(waypoint: number, to: Place): void {
  changePlan({ route: moved(readPlan().plan.route, waypoint, to) });
  markPlan({ waypoint });
}
