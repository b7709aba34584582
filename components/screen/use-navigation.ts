import { POSITION_ZOOM, type Target } from "#components/fields/place-suggestions.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { asideOf, type Side, widerSide } from "#components/view-state/compared.ts";
import { markPlan } from "#components/view-state/plan.ts";
import { nameSearched } from "#components/view-state/saved-places.ts";
import { readShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { type DetailsTab, type Place, sampledPlace } from "#components/view-state/view-url.ts";
import type { StormEntry } from "#lib/contract/storms.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import { boxOfPlaces } from "#lib/geo/box.ts";
import { reckoned } from "#lib/geo/rhumb.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { coveredByPanel } from "./covered.ts";
import { tabParameter } from "./details-tab.ts";
import { useScreen } from "./screen-context.tsx";

/** Close enough to see the winds of a storm. */
const STORM_ZOOM = 4;

/** The closest that a narrow water is shown. */
const STRAIT_ZOOM = 10;

/** Degrees of longitude that a phone shows at zoom 0, less a margin. */
const PHONE_SPAN = 240;

/** So near the closest approach to a storm is framed with its cone, km. */
const MAX_FRAMED_KM = 1000;

/** The closest that a route is shown. */
const ROUTE_ZOOM = 9;

/** A sheet has its height after this long, milliseconds, as app/page.css has it. */
export const RISE_MS = 200;

/** What the map showed before the card of a storm was opened, and how often the user had moved it by then. */
let camera: { centre: Place; zoom: number; moves: number } | undefined;

function centreOfBox({ south, north, west, east }: ViewBox): Place {
  return { latitude: (south + north) / 2, longitude: normaliseLongitude((west + east) / 2) };
}

/** Ways to places and storms: each changes the view, the map and the panel together. */
export function useNavigation() {
  const { view, changeView } = useView();
  const { map, now, time, drawnTime, tab: current, setTab, panelOpen, setPanelOpen } = useScreen();
  const { panelStop: stop, setPanelStop, focusPanel } = useScreen();
  const { entries, scene } = useStorms();

  const openTab = (tab: DetailsTab) => {
    setTab(tab);
    setPanelOpen(true);
  };
  /** Moves the map, also while it is still being loaded. */
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
   * Shows the conditions at a place. Only the first point is gone to: others replace it.
   *
   * @param side Of two pictures that are compared, the one in which it is seen; that of the point before where left out.
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
    // The user may have gone elsewhere meanwhile.
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
   * Shows the tide or the stream of a station, to which the browser's Back returns.
   *
   * @param place Where the station is, to which the map goes; it stays where it is without.
   */
  const openTide = (id: string, place?: Place, zoom = POSITION_ZOOM) => {
    if (place) lookAt(place, Math.max(view.z, zoom));
    changeView({ tide: id, datum: null, tab: tabParameter("tide", { ...view, tide: id }) }, "push");
    setPanelOpen(true);
    focusPanel();
  };
  return {
    openTab,
    sample,
    /** Goes to what was searched, gives the map the focus, and shows the conditions; of a station its tide or stream. */
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
    /** Leaves the details of a storm, and shows what the map showed before, unless it was moved since. */
    closeStorm() {
      changeView({ storm: null, film: null, tab: "storms" }, "push");
      if (camera?.moves === moves()) lookAt(camera.centre, camera.zoom);
      camera = undefined;
    },
    openTide,
    closeTide() {
      const tab = current === "tide" ? "point" : current;
      changeView({ tide: null, datum: null, tab: tabParameter(tab, { ...view, tide: null }) }, "push");
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
    /** Shows a tab high enough to work in, and moves the focus to it. */
    showTab(tab: DetailsTab) {
      openTab(tab);
      if (stop === "low") setPanelStop("half");
      focusPanel();
      if (tab === "ship") setTimeout(revealShip, RISE_MS);
    },
    /** Marks a waypoint of the plan, and shows it in the panel. */
    showWaypoint(waypoint: number) {
      markPlan({ waypoint });
      openTab("passage");
      if (stop === "low") setPanelStop("half");
    },
    /** Clicks on the map add waypoints until `endDrawing`. */
    startDrawing() {
      markPlan({ isDrawing: true });
      // On a phone the panel covers the map.
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
    /** Moves the map to the ship where it is out of sight. */
    revealShip,
    /** Moves the map to where the ship is at the time shown, or opens its panel where there is none. @returns Whether there is. */
    showShip(): boolean {
      const { ship } = readShip();
      if (ship) lookAt(reckoned(ship, drawnTime ?? time ?? now));
      else openTab("ship");
      return ship !== undefined;
    },
    /** Moves the map to a place, as close as it is. */
    centreOn: (place: Place) => lookAt(place),
    /** Moves the map to an area of interest. */
    showPlace(place: Place) {
      lookAt(place, Math.max(view.z, STORM_ZOOM));
    },
  };
}
