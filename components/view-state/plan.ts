import { normaliseLongitude } from "@open-metocean/geo/grid";
import type { Place } from "@open-metocean/geo/sphere";
import { useSyncExternalStore } from "react";
import type { Plan, PlanVessel, PlanWaypoint } from "#lib/contract/passage.ts";
import { defaultLimits, type Limits } from "#lib/passage/limits.ts";
import type { LegKind } from "#lib/passage/route.ts";
import { createStore } from "#lib/store.ts";
import { deviceStorage, keepJson, readKept, storedState } from "./device-setting.ts";
import { sharedState } from "./shared-state.ts";

/**
 * The plan of this page, as the device stores it: in localStorage, and sent only in requests for its passage.
 */
interface StoredPlan {
  plan: Plan;
  /** Plans before the last changes, oldest first, and those that were taken back, newest first. */
  past: readonly Plan[];
  future: readonly Plan[];
  /** Name of what was changed last. */
  changedName: string | undefined;
  /** false if the device did not store the last change, so that the plan is lost with the page. */
  isKept: boolean;
}

export const emptyPlan: Plan = { name: "", route: [] };

const STORAGE_KEY = "metocean-plan";
const MAX_UNDO = 100;

const onServer: StoredPlan = {
  plan: emptyPlan,
  past: [],
  future: [],
  changedName: undefined,
  isKept: true,
};
const store = createStore<StoredPlan>(() => ({
  ...onServer,
  plan: readKept<Plan>(deviceStorage.getItem(STORAGE_KEY), "plan") ?? emptyPlan,
}));

export const readPlan = store.read;
export const subscribeToPlan = store.subscribe;

/** The plan and its storage state; an empty plan while the page is rendered on the server. */
export function usePlan() {
  const { plan, past, future, isKept } = useSyncExternalStore(subscribeToPlan, readPlan, () => onServer);
  const [canUndo, canRedo] = [past.length > 0, future.length > 0];
  return { plan, isKept, canUndo, canRedo, change: changePlan, undo: undoPlan, redo: redoPlan };
}

/**
 * Changes parts of the plan. Another browser tab has its own plan; the device stores the one that was changed
 * last.
 *
 * @param name Name of what is changed; consecutive changes of the same thing are undone together.
 */
export function changePlan(part: Partial<Plan>, name?: string): void {
  const { plan, past, changedName } = readPlan();
  const isFurther = name !== undefined && name === changedName;
  publish({
    plan: { ...plan, ...part },
    past: isFurther ? past : [...past.slice(1 - MAX_UNDO), plan],
    future: [],
    changedName: name,
  });
}

export function undoPlan(): void {
  const { plan, past, future } = readPlan();
  const before = past.at(-1);
  if (before)
    publish({ plan: before, past: past.slice(0, -1), future: [plan, ...future], changedName: undefined });
}

export function redoPlan(): void {
  const { plan, past, future } = readPlan();
  const [next, ...rest] = future;
  if (next) publish({ plan: next, past: [...past, plan], future: rest, changedName: undefined });
}

function publish(next: Omit<StoredPlan, "isKept">): void {
  store.set({ ...next, isKept: keepJson(STORAGE_KEY, "plan", next.plan) });
}

const VESSEL_KEY = "metocean-vessel";

/** The vessel that was last chosen on this device; undefined if none was. */
export function keptVessel(): PlanVessel | undefined {
  return readKept<PlanVessel>(deviceStorage.getItem(VESSEL_KEY), "vessel");
}

/** Sets the vessel of the plan and of future plans. @param name As in `changePlan`. */
export function chooseVessel(
  vessel: PlanVessel,
  part: Pick<Plan, "limits"> | object = {},
  name?: string,
): void {
  keepJson(VESSEL_KEY, "vessel", vessel);
  changePlan({ ...part, vessel }, name);
}

/**
 * Limits of the user's vessel, with typical ones of its kind where they were not changed; undefined until a
 * vessel was chosen.
 */
export function useLimits(): Limits | undefined {
  const { plan } = usePlan();
  const kept = useSyncExternalStore(subscribeToPlan, keptKind, () => undefined);
  const kind = plan.vessel?.kind ?? kept;
  return kind && { ...defaultLimits[kind], ...plan.limits };
}

const keptKind = () => keptVessel()?.kind;

const SAVED_KEY = "metocean-plans";
const noPlans: readonly Plan[] = [];
const saved = storedState(SAVED_KEY, (text) => readKept<readonly Plan[]>(text, "plans") ?? noPlans);

export const readSavedPlans = saved.read;

/** The plans saved by name on this device, sorted by name. */
export function useSavedPlans(): readonly Plan[] {
  return useSyncExternalStore(saved.subscribe, saved.read, () => noPlans);
}

/**
 * Saves a plan under its name, replacing another one of that name. @returns false if the device did not store
 * it.
 */
export function savePlan(plan: Plan): boolean {
  return setSavedPlans([...readSavedPlans().filter(({ name }) => name !== plan.name), plan]);
}

export function deletePlan(named: string): boolean {
  return setSavedPlans(readSavedPlans().filter(({ name }) => name !== named));
}

/**
 * Replaces all saved plans, for example to undo a change. @returns false if the device did not store them.
 */
export function setSavedPlans(plans: readonly Plan[]): boolean {
  const sorted = plans.toSorted((one, other) => one.name.localeCompare(other.name));
  const isKept = keepJson(SAVED_KEY, "plans", sorted);
  if (isKept) saved.set(sorted);
  return isKept;
}

export const MAX_WAYPOINTS = 500;

type Route = Plan["route"];

/** Rounds a place to five decimals of a degree (1.1 m), as in a link. */
export function roundedPlace({ latitude, longitude }: Place): Place {
  const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
  const east = round(longitude);
  return {
    latitude: round(latitude),
    longitude: Math.abs(east) <= 180 ? east : round(normaliseLongitude(east)),
  };
}

/**
 * A route with an additional waypoint. @param index Its position; defaults to the end. A leg that is divided
 * keeps its kind.
 */
export function inserted(route: Route, place: Place, index = route.length, name?: string): Route {
  if (route.length >= MAX_WAYPOINTS) return route;
  const leg = (route[index] ?? route.at(-1))?.leg ?? "great_circle";
  const waypoint: PlanWaypoint = { ...roundedPlace(place), leg, ...(name && { name }) };
  return [...route.slice(0, index), waypoint, ...route.slice(index)];
}

export function changed(route: Route, index: number, part: Partial<PlanWaypoint>): Route {
  return route.map((waypoint, one) => (one === index ? { ...waypoint, ...part } : waypoint));
}

/** A route with a moved waypoint; the name stays, because the move usually makes its position more exact. */
export function moved(route: Route, index: number, place: Place): Route {
  return changed(route, index, roundedPlace(place));
}

export function removed(route: Route, index: number): Route {
  return route.filter((_, one) => one !== index);
}

/** A route with a waypoint at another position in the order. */
export function reordered(route: Route, from: number, to: number): Route {
  const waypoint = route[from];
  if (!waypoint || to < 0 || to >= route.length) return route;
  const others = removed(route, from);
  return [...others.slice(0, to), waypoint, ...others.slice(to)];
}

/** The route in reverse; each leg keeps its kind. */
export function reversed(route: Route): Route {
  const legs = route.map(({ leg }) => leg);
  return route.toReversed().map((waypoint, index) => ({
    ...waypoint,
    leg: legs[index === 0 ? 0 : route.length - index] ?? waypoint.leg,
  }));
}

/**
 * A storm near which the boat passes: the positions of both at that time, and the danger area to which the
 * route is compared.
 */
export interface PlanStorm {
  label: string;
  boat: Place;
  centre: Place;
  /** Closed ring; undefined if there is none, or until it is loaded. */
  area: readonly Place[] | undefined;
}

export interface BetterMark {
  route: readonly (Place & { leg: LegKind })[];
  label: string;
}

/** A part of the way with a single colour step. */
export interface RouteShare {
  places: readonly Place[];
  /** Colour step: see `shareStep`. */
  step: number;
}

/** Marks that the map shows in addition to the route of the plan. They are not stored in the link or on the device. */
interface PlanMarks {
  isDrawing: boolean;
  /** Position of the selected waypoint. */
  waypoint: number | undefined;
  /** Position of the vessel at the displayed time, or at the pointer. @see course Degrees, TO. */
  boat: (Place & { course: number | undefined }) | undefined;
  storms: readonly PlanStorm[];
  /** Proposed routes. */
  better: readonly BetterMark[];
  /** The way of the vessel by the worst share of a limit; empty until it is known. */
  shares: readonly RouteShare[];
  /** A measured distance; its end follows the pointer until it is fixed. */
  measure: { from: Place; to: Place | undefined; isFixed: boolean } | undefined;
  /** Result of opening a link: its plan could not be read, or the previous plan was saved under a name. */
  notice: { is: "damagedLink" } | { is: "kept"; as: string } | undefined;
}

const none: PlanMarks = {
  isDrawing: false,
  waypoint: undefined,
  boat: undefined,
  storms: [],
  better: [],
  shares: [],
  measure: undefined,
  notice: undefined,
};
const marks = sharedState(none);

export const usePlanMarks = marks.use;
export const readPlanMarks = marks.current;
export const markPlan = marks.change;

/**
 * Moves the end of the measured distance. @param isFixed The place was clicked, not only pointed at. @returns
 * Whether a distance is being measured.
 */
export function measureTo(to: Place, isFixed: boolean): boolean {
  const { measure } = marks.current();
  if (!measure) return false;
  if (isFixed || !measure.isFixed) marks.change({ measure: { ...measure, to, isFixed } });
  return true;
}

/** @returns Whether a distance was being measured. */
export function endMeasuring(): boolean {
  const isMeasuring = marks.current().measure !== undefined;
  marks.change({ measure: undefined });
  return isMeasuring;
}
