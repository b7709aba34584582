import type { ViewBox } from "@open-metocean/geo/box";
import { boxOfPlaces } from "@open-metocean/geo/box";
import { normaliseLongitude } from "@open-metocean/geo/grid";
import { reckoned } from "@open-metocean/geo/rhumb";
import { distanceKm } from "@open-metocean/geo/sphere";
import type { StormEntry } from "@open-metocean/storms/schema";
import { POSITION_ZOOM, type Target } from "#components/fields/place-suggestions.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { asideOf, type Side, widerSide } from "#components/view-state/compared.ts";
import { markPlan } from "#components/view-state/plan.ts";
import { nameSearched } from "#components/view-state/saved-places.ts";
import { readShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { type DetailsTab, type Place, sampledPlace } from "#components/view-state/view-url.ts";
import { coveredByPanel } from "./covered.ts";
import { tabParameter } from "./details-tab.ts";
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

/** View of the map before the card of a storm was opened, and the number of user moves at that time. */
let camera: { centre: Place; zoom: number; moves: number } | undefined;

function centreOfBox({ south, north, west, east }: ViewBox): Place {
  return { latitude: (south + north) / 2, longitude: normaliseLongitude((west + east) / 2) };
}

/** Navigation to places and storms, which changes the view, the map and the panel together. */
export function useNavigation() {
  const { view, changeView } = useView();
  const { map, now, time, drawnTime, tab: current, setTab, panelOpen, setPanelOpen } = useScreen();
  const { panelStop: stop, setPanelStop, focusPanel } = useScreen();
  const { entries, scene } = useStorms();

  const openTab = (tab: DetailsTab) => {
    setTab(tab);
    setPanelOpen(true);
  };
  /** Moves the map, also while it is still loading. */
  const lookAt = (place: Place, zoom?: number, aside?: number) => {
    camera = undefined;
    if (map.current) map.current.goTo(place, zoom, aside);
    else changeView({ c: place, z: zoom ?? view.z });
  };
  const showBox = (box: ViewBox, maxZoom?: number, aside = 0, covered = coveredByPanel()) => {
    camera = undefined;
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
    const opens = view.p === null || current !== "point" || !panelOpen;
    const change = {
      p: sampledPlace(latitude, longitude),
      tab: tabParameter("point", view),
      ...(view.cmp && side && { cmp: { ...view.cmp, sampled: side } }),
    };
    changeView(change, history ?? (opens ? "push" : "replace"));
    setPanelOpen(true);
  };
  const revealShip = () => {
    const { ship } = readShip();
    if (ship) map.current?.reveal(reckoned(ship, drawnTime ?? time ?? now), coveredByPanel());
  };
  const frameStorm = async (entry: StormEntry) => {
    const before = moves();
    const { stormBox, stormPlace } = await import("#components/storms/storm-shapes.ts");
    // The user may have moved the map in the meantime.
    if (moves() !== before) return;
    const approach = scene?.approach?.id === entry.id ? scene.approach : undefined;
    const isNear = approach && distanceKm(approach.vessel, approach.centre) < MAX_FRAMED_KM;
    const box = stormBox(entry, time ?? now, isNear ? approach.vessel : undefined);
    const place = stormPlace(entry, time ?? now);
    if (box && map.current)
      map.current.fit(
        { ...box, east: box.east < box.west ? box.east + 360 : box.east },
        undefined,
        0,
        coveredByPanel(),
      );
    else if (place) map.current?.goTo(place);
  };
  /**
   * Shows the tide or stream of a station; the browser's Back returns.
   *
   * @param place Location of the station, to which the map moves; without it the map stays.
   */
  const openTide = (id: string, place?: Place, zoom = POSITION_ZOOM) => {
    if (place) lookAt(place, Math.max(view.z, zoom));
    changeView(
      { tide: id, datum: null, port: null, tab: tabParameter("tide", { ...view, tide: id }) },
      "push",
    );
    setPanelOpen(true);
    focusPanel();
  };
  return {
    openTab,
    sample,
    /**
     * Goes to the target of a search, focuses the map, and shows the conditions; for a station its tide or
     * stream.
     */
    find({ place, zoom, bounds, name, station }: Target) {
      if (station) return openTide(station.id, place, zoom);
      nameSearched(name === undefined ? undefined : { ...place, name });
      const side = view.cmp ? widerSide(view.cmp) : undefined;
      const aside = view.cmp && side ? asideOf(view.cmp, side) : 0;
      if (bounds && map.current) showBox(bounds, STRAIT_ZOOM, aside, { right: 0, bottom: 0 });
      else lookAt(place, zoom ?? Math.max(view.z, POSITION_ZOOM), aside);
      sample(place, { history: "push", side });
      map.current?.focus();
    },
    /** Shows the details of a storm, and its cone on the map. */
    openStorm(id: string) {
      const isOpen = view.storm === id && current === "storms";
      if (view.storm === null) camera = { centre: view.c, zoom: view.z, moves: moves() };
      const tab = tabParameter("storms", { ...view, storm: id });
      changeView({ storm: id, film: null, tab }, isOpen ? "replace" : "push");
      setPanelOpen(true);
      const entry = entries.find((one) => one.id === id);
      if (entry) void frameStorm(entry);
    },
    /** Closes the details of a storm, and restores the map's previous view unless the map was moved since. */
    closeStorm() {
      changeView({ storm: null, film: null, tab: "storms" }, "push");
      if (camera?.moves === moves()) lookAt(camera.centre, camera.zoom);
      camera = undefined;
    },
    openTide,
    closeTide() {
      const tab = current === "tide" ? "point" : current;
      changeView(
        { tide: null, datum: null, port: null, tab: tabParameter(tab, { ...view, tide: null }) },
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
      if (stop === "low") setPanelStop("half");
      focusPanel();
      if (tab === "ship") setTimeout(revealShip, RISE_MS);
    },
    /** Selects a waypoint of the plan, and shows it in the panel. */
    showWaypoint(waypoint: number) {
      markPlan({ waypoint });
      openTab("passage");
      if (stop === "low") setPanelStop("half");
    },
    /** Lets clicks on the map add waypoints until `endDrawing`. */
    startDrawing() {
      markPlan({ isDrawing: true });
      // On a phone the panel would cover the map.
      setPanelStop("low");
      map.current?.focus();
    },
    endDrawing() {
      markPlan({ isDrawing: false });
      openTab("passage");
      setPanelStop("half");
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
      const { ship } = readShip();
      if (ship) lookAt(reckoned(ship, drawnTime ?? time ?? now));
      else openTab("ship");
      return ship !== undefined;
    },
    /** Moves the map to a place without changing the zoom. */
    centreOn: (place: Place) => lookAt(place),
    /** Moves the map to an area of interest. */
    showPlace(place: Place) {
      lookAt(place, Math.max(view.z, STORM_ZOOM));
    },
  };
}
