import type { ViewBox } from "@open-metocean/geo/box";
import { boxOfPlaces } from "@open-metocean/geo/box";
import { normaliseLongitude } from "@open-metocean/geo/grid";
import { reckoned } from "@open-metocean/geo/rhumb";
import { distanceKm } from "@open-metocean/geo/sphere";
import type { StormEntry } from "@open-metocean/storms/schema";
import { useMemo } from "react";
import { POSITION_ZOOM, type Target } from "#components/fields/place-suggestions.ts";
import type { AreaOfInterest } from "#components/storms/format-storm.ts";
import { useStormsState } from "#components/storms/storms-context.tsx";
import { asideOf, type Side, widerSide } from "#components/view-state/compared.ts";
import { markPlan } from "#components/view-state/plan.ts";
import { nameSearched } from "#components/view-state/saved-places.ts";
import { readShip } from "#components/view-state/ship-store.ts";
import { useChangeView, useViewState } from "#components/view-state/view-context.tsx";
import {
  type ChangeView,
  type DetailsTab,
  type Place,
  sampledPlace,
} from "#components/view-state/view-url.ts";
import { coveredByPanel } from "./covered.ts";
import { shownTab, tabParameter } from "./details-tab.ts";
import { useScreen } from "./screen-context.tsx";

/** Zoom at which the winds of a storm are visible. */
const STORM_ZOOM = 4;

/** Closest zoom for a narrow water. */
const STRAIT_ZOOM = 10;

/** Degrees of longitude that a phone shows at zoom 0, minus a margin. */
const PHONE_SPAN = 240;

/** Distance up to which the closest approach to a storm is shown together with its cone, km. */
const MAX_FRAMED_KM = 1000;

/** Closest zoom for a route. */
const ROUTE_ZOOM = 9;

/** Time until a sheet has reached its height, milliseconds, as in app/page.css. */
export const RISE_MS = 200;

function centreOfBox({ south, north, west, east }: ViewBox): Place {
  return { latitude: (south + north) / 2, longitude: normaliseLongitude((west + east) / 2) };
}

/** Navigation to places and storms, which changes the view, the map and the panel together. */
export function useNavigation() {
  const view = useViewState();
  const changeView = useChangeView();
  const screen = useScreen();
  const storms = useStormsState();
  return useMemo(() => navigationOf(view, changeView, screen, storms), [view, changeView, screen, storms]);
}

function navigationOf(
  view: ReturnType<typeof useViewState>,
  changeView: ChangeView,
  { map, former, panel, weather }: ReturnType<typeof useScreen>,
  storms: ReturnType<typeof useStormsState>,
) {
  const currentTab = () => shownTab(view.current());
  /** Shows another tab; the browser's Back returns to the previous one. */
  const setTab = (tab: DetailsTab) => {
    if (tab !== currentTab()) changeView({ tab: tabParameter(tab, view.current()) }, "push");
  };
  const openTab = (tab: DetailsTab) => {
    setTab(tab);
    panel.change({ open: true });
  };
  /** Moves the focus to the content of the panel. */
  const focusPanel = () => panel.change({ asked: panel.current().asked + 1 });
  /** Raises a low sheet high enough to work in. */
  const raise = () => {
    if (panel.current().stop === "low") panel.change({ stop: "half" });
  };
  /** Time of the map, or now until it is known, Unix seconds. */
  const shownTime = () => {
    const { time, now } = weather.current();
    return time ?? now;
  };
  /** The ship's position at the displayed time; undefined if there is no ship. */
  const shipPlace = () => {
    const { ship } = readShip();
    return ship && reckoned(ship, weather.current().drawnTime ?? shownTime());
  };
  /** Moves the map, also while it is still loading. */
  const lookAt = (place: Place, zoom?: number, aside?: number) => {
    former.current = undefined;
    if (map.current) map.current.goTo(place, zoom, aside);
    else changeView({ c: place, z: zoom ?? view.current().z });
  };
  const showBox = (box: ViewBox, maxZoom?: number, aside = 0, covered = coveredByPanel()) => {
    former.current = undefined;
    map.current?.fit(box, maxZoom, aside, covered);
  };
  const moves = () => map.current?.userMoves() ?? 0;
  /**
   * Shows the conditions at a place. The panel opens only for the first point; later points replace it.
   *
   * @param side Which of two compared pictures the place was seen in; defaults to that of the previous point.
   */
  const sample = (
    { latitude, longitude }: Place,
    { history, side }: { history?: "push"; side?: Side | undefined } = {},
  ) => {
    const { p, cmp } = view.current();
    const opens = p === null || currentTab() !== "point" || !panel.current().open;
    const change = {
      p: sampledPlace(latitude, longitude),
      tab: tabParameter("point", view.current()),
      ...(cmp && side && { cmp: { ...cmp, sampled: side } }),
    };
    changeView(change, history ?? (opens ? "push" : "replace"));
    panel.change({ open: true });
  };
  const revealShip = () => {
    const place = shipPlace();
    if (place) map.current?.reveal(place, coveredByPanel());
  };
  const frameStorm = async (entry: StormEntry) => {
    const before = moves();
    const { stormBox, stormPlace } = await import("#components/storms/storm-shapes.ts");
    // The user may have moved the map in the meantime.
    if (moves() !== before) return;
    const { scene } = storms.current();
    const approach = scene?.approach?.id === entry.id ? scene.approach : undefined;
    const isNear = approach && distanceKm(approach.vessel, approach.centre) < MAX_FRAMED_KM;
    const box = stormBox(entry, shownTime(), isNear ? approach.vessel : undefined);
    const place = stormPlace(entry, shownTime());
    if (box && map.current)
      map.current.fit(
        { ...box, east: box.east < box.west ? box.east + 360 : box.east },
        undefined,
        0,
        coveredByPanel(),
      );
    else if (place && map.current) map.current.goTo(place);
    // A map that is still loading opens at the place of the address.
    else if (place) {
      const { latitude, longitude } = place;
      changeView({ c: { latitude, longitude }, z: Math.max(view.current().z, STORM_ZOOM) });
    }
  };
  /**
   * Shows the tide or stream of a station; the browser's Back returns.
   *
   * @param place Location of the station, to which the map moves; without it the map stays.
   */
  const openTide = (id: string, place?: Place, zoom = POSITION_ZOOM) => {
    if (place) lookAt(place, Math.max(view.current().z, zoom));
    changeView(
      { tide: id, datum: null, port: null, tab: tabParameter("tide", { ...view.current(), tide: id }) },
      "push",
    );
    panel.change({ open: true });
    focusPanel();
  };
  return {
    setTab,
    openTab,
    focusPanel,
    sample,
    /**
     * Goes to the target of a search, focuses the map, and shows the conditions; for a station its tide or
     * stream.
     */
    find({ place, zoom, bounds, name, station }: Target) {
      if (station) return openTide(station.id, place, zoom);
      nameSearched(name === undefined ? undefined : { ...place, name });
      const { cmp, z } = view.current();
      const side = cmp ? widerSide(cmp) : undefined;
      const aside = cmp && side ? asideOf(cmp, side) : 0;
      if (bounds && map.current) showBox(bounds, STRAIT_ZOOM, aside, { right: 0, bottom: 0 });
      else lookAt(place, zoom ?? Math.max(z, POSITION_ZOOM), aside);
      sample(place, { history: "push", side });
      map.current?.focus();
    },
    /** Shows the details of a storm, and its cone on the map. */
    openStorm(id: string) {
      const { storm, c: centre, z: zoom } = view.current();
      const isOpen = storm === id && currentTab() === "storms";
      if (storm === null) former.current = { centre, zoom, moves: moves() };
      const tab = tabParameter("storms", { ...view.current(), storm: id });
      changeView({ storm: id, film: null, tab }, isOpen ? "replace" : "push");
      panel.change({ open: true });
      const entry = storms.current().entries.find((one) => one.id === id);
      if (entry) void frameStorm(entry);
    },
    /** Closes the details of a storm, and restores the map's previous view unless the map was moved since. */
    closeStorm() {
      changeView({ storm: null, film: null, tab: "storms" }, "push");
      const { current: camera } = former;
      if (camera?.moves === moves()) lookAt(camera.centre, camera.zoom);
      former.current = undefined;
    },
    openTide,
    closeTide() {
      const shown = currentTab();
      const tab = shown === "tide" ? "point" : shown;
      changeView(
        { tide: null, datum: null, port: null, tab: tabParameter(tab, { ...view.current(), tide: null }) },
        "push",
      );
    },
    /** Moves the map so that it shows all places of a route. */
    showRoute(route: readonly Place[]) {
      const box = boxOfPlaces(route);
      if (!box) return;
      const east = box.east < box.west ? box.east + 360 : box.east;
      if (map.current) showBox({ ...box, east }, ROUTE_ZOOM);
      else {
        const span = Math.max(east - box.west, 2 * (box.north - box.south), 1);
        const zoom = Math.min(ROUTE_ZOOM, Math.log2(PHONE_SPAN / span));
        changeView({ c: centreOfBox({ ...box, east }), z: Number(zoom.toFixed(2)) });
      }
    },
    /** Shows a tab, high enough to work in, and focuses it. */
    showTab(tab: DetailsTab) {
      openTab(tab);
      raise();
      focusPanel();
      if (tab === "ship") setTimeout(revealShip, RISE_MS);
    },
    /** Selects a waypoint of the plan, and shows it in the panel. */
    showWaypoint(waypoint: number) {
      markPlan({ waypoint });
      openTab("passage");
      raise();
    },
    /** Lets clicks on the map add waypoints until `endDrawing`. */
    startDrawing() {
      markPlan({ isDrawing: true });
      // On a phone the panel would cover the map.
      panel.change({ stop: "low" });
      map.current?.focus();
    },
    endDrawing() {
      markPlan({ isDrawing: false });
      openTab("passage");
      panel.change({ stop: "half" });
      focusPanel();
    },
    /** Moves the map so that it shows a storm with its whole track. */
    showWhole({ track_bbox: { s: south, n: north, w: west, e } }: StormEntry) {
      const east = e < west ? e + 360 : e;
      showBox({ south, north, west, east });
    },
    /** Moves the map to the ship if it is out of sight. */
    revealShip,
    /**
     * Moves the map to the ship's position at the displayed time, or opens its panel if there is no ship.
     * @returns Whether there is one.
     */
    showShip(): boolean {
      const place = shipPlace();
      if (place) lookAt(place);
      else openTab("ship");
      return place !== undefined;
    },
    /** Moves the map to a place without changing the zoom. */
    centreOn: (place: Place) => lookAt(place),
    /** Moves the map to a place, and closer. */
    showPlace(place: Place, zoom = STORM_ZOOM) {
      lookAt(place, Math.max(view.current().z, zoom));
    },
    /** Moves the map to an area of interest. */
    async showArea(area: AreaOfInterest) {
      const { areaPlace } = await import("#components/storms/storm-shapes.ts");
      const place = areaPlace(area);
      if (place) lookAt(place, Math.max(view.current().z, STORM_ZOOM));
    },
    /** Moves the map so that it shows a storm with its cone; a map that is still loading opens at the storm. */
    showStorm: frameStorm,
  };
}
