import type { ExpressionSpecification, LayerSpecification, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import { type MapColours, mapColours, paintLayers } from "#components/view-state/map-colours.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { unwrappedLine } from "#lib/geo/unwrap.ts";
import { legLines } from "#lib/passage/route.ts";
import { labelFont } from "./basemap.ts";
import { addGeojson, endOf, type MapHost, type MapLayer, PLAN_LEGS, PLAN_WAYPOINTS } from "./map-layer.ts";
import type { ScenePlan } from "./scene.ts";

/** The route of a plan. Where it can be changed, its waypoints are dragged by mouse or finger. */
export function planMapLayer({ map, element }: MapHost): MapLayer {
  const setPlan = addGeojson(map, "plan");
  // What a finger hits is wider than what a mouse does.
  const reach = matchMedia("(pointer: coarse)").matches ? 22 : 12;
  let plan: ScenePlan | undefined;
  let dragged: { waypoint: number; to: { latitude: number; longitude: number } | undefined } | undefined;

  const drawDragged = () => {
    if (!plan || !dragged?.to) return;
    const { waypoint, to } = dragged;
    const route = plan.route.map((one, index) => (index === waypoint ? { ...one, ...to } : one));
    setPlan(planShapes({ ...plan, route, marked: waypoint }));
  };
  const press = (event: (MapMouseEvent | MapTouchEvent) & { features?: GeoJSON.Feature[] }) => {
    const { originalEvent, features = [], point } = event;
    // A finger that moves the map takes no waypoint with it.
    const isOther =
      "touches" in originalEvent
        ? originalEvent.touches.length > 1 || !plan?.isDrawing
        : originalEvent.button !== 0;
    if (!plan?.onMove || isOther || features.length === 0) return;
    const away = ({ geometry }: GeoJSON.Feature) => {
      const [longitude = 0, latitude = 0] = (geometry as GeoJSON.Point).coordinates;
      const { x, y } = map.project([longitude, latitude]);
      return Math.hypot(x - point.x, y - point.y);
    };
    const nearest = features.reduce((one, other) => (away(other) < away(one) ? other : one));
    // The map stays where it is.
    event.preventDefault();
    dragged = { waypoint: Number(nearest.properties?.id), to: undefined };
  };
  const drag = ({ lngLat }: MapMouseEvent | MapTouchEvent) => {
    if (!dragged) return;
    dragged.to = { latitude: lngLat.lat, longitude: lngLat.lng };
    drawDragged();
  };
  const drop = () => {
    if (!dragged) return;
    const { waypoint, to } = dragged;
    dragged = undefined;
    if (to) plan?.onMove?.(waypoint, to);
  };
  const cancel = () => {
    dragged = undefined;
    setPlan(plan && planShapes(plan));
  };
  const listen = () => {
    map.on("mousedown", PLAN_WAYPOINTS, press);
    map.on("touchstart", PLAN_WAYPOINTS, press);
    map.on("mousemove", drag);
    map.on("touchmove", drag);
    map.on("touchend", drop);
    map.on("touchcancel", cancel);
    // The button may be released beside the map.
    window.addEventListener("mouseup", drop);
  };

  let isListening = false;
  return {
    draw({ plan: next, theme }, last) {
      if (theme !== last?.theme) {
        paintLayers(map, layersIn(mapColours(element), reach), () => endOf("marks"));
        if (!isListening) listen();
        isListening = true;
      }
      if (next === last?.plan) return;
      plan = next;
      if (dragged) drawDragged();
      else setPlan(plan && planShapes(plan));
      if (plan?.isDrawing) map.doubleClickZoom.disable();
      else map.doubleClickZoom.enable();
    },
    close: () => window.removeEventListener("mouseup", drop),
  };
}

function layersIn({ halo, sample, danger, ink, better }: MapColours, reach: number): LayerSpecification[] {
  const of = (kind: PlanShape): ExpressionSpecification => ["==", ["get", "kind"], kind];
  const isMarked: ExpressionSpecification = ["get", "marked"];
  const source = "plan";
  const line = (id: string, paint: { "line-color": string; "line-width": number; "line-opacity"?: number }) =>
    ({ id, type: "line", source, filter: of("leg"), layout: { "line-join": "round" }, paint }) as const;
  const invisible = { "circle-color": halo, "circle-radius": reach, "circle-opacity": 0 };
  return [
    {
      id: "plan-danger",
      type: "fill",
      source,
      filter: of("danger"),
      paint: { "fill-color": danger, "fill-opacity": 0.18 },
    },
    {
      id: "plan-danger-line",
      type: "line",
      source,
      filter: of("danger"),
      paint: { "line-color": danger, "line-width": 2, "line-dasharray": [3, 2] },
    },
    {
      id: "plan-approach",
      type: "line",
      source,
      filter: of("approach"),
      paint: { "line-color": ink, "line-width": 1.5, "line-dasharray": [2, 2] },
    },
    {
      id: "plan-approach-label",
      type: "symbol",
      source,
      filter: of("approach"),
      layout: {
        "symbol-placement": "line-center",
        "text-field": ["get", "label"],
        "text-font": labelFont,
        "text-size": 12,
      },
      paint: { "text-color": ink, "text-halo-color": halo, "text-halo-width": 2 },
    },
    {
      id: "plan-better-halo",
      type: "line",
      source,
      filter: of("better"),
      layout: { "line-join": "round" },
      paint: { "line-color": halo, "line-width": 6 },
    },
    {
      id: "plan-better",
      type: "line",
      source,
      filter: of("better"),
      layout: { "line-join": "round" },
      paint: { "line-color": better, "line-width": 3, "line-dasharray": [3, 1.5] },
    },
    {
      id: "plan-better-label",
      type: "symbol",
      source,
      filter: of("better"),
      layout: {
        "symbol-placement": "line",
        "symbol-spacing": 500,
        "text-field": ["get", "label"],
        "text-font": labelFont,
        "text-size": 13,
        "text-offset": [0, -1],
      },
      paint: { "text-color": better, "text-halo-color": halo, "text-halo-width": 2 },
    },
    line("plan-halo", { "line-color": halo, "line-width": 6 }),
    line("plan-line", { "line-color": sample, "line-width": 2.5 }),
    line(PLAN_LEGS, { "line-color": halo, "line-width": reach * 1.5, "line-opacity": 0 }),
    {
      id: "plan-waypoints",
      type: "circle",
      source,
      filter: of("waypoint"),
      paint: {
        "circle-radius": ["case", isMarked, 12, 9],
        "circle-color": ["case", isMarked, sample, halo],
        "circle-stroke-color": ["case", isMarked, halo, sample],
        "circle-stroke-width": 2,
      },
    },
    {
      id: "plan-numbers",
      type: "symbol",
      source,
      filter: of("waypoint"),
      layout: {
        "text-field": ["get", "number"],
        "text-font": labelFont,
        "text-size": 11,
        "text-allow-overlap": true,
        "text-ignore-placement": true,
      },
      paint: { "text-color": ["case", isMarked, halo, sample] },
    },
    {
      id: "plan-names",
      type: "symbol",
      source,
      filter: of("waypoint"),
      layout: {
        "text-field": ["get", "name"],
        "text-font": labelFont,
        "text-size": 12,
        "text-anchor": "left",
        "text-offset": [1.1, 0],
        "text-optional": true,
      },
      paint: { "text-color": sample, "text-halo-color": halo, "text-halo-width": 1.5 },
    },
    {
      id: "plan-boat",
      type: "circle",
      source,
      filter: of("boat"),
      paint: {
        "circle-radius": 7,
        "circle-color": sample,
        "circle-stroke-color": halo,
        "circle-stroke-width": 3,
      },
    },
    { id: PLAN_WAYPOINTS, type: "circle", source, filter: of("waypoint"), paint: invisible },
  ];
}

/** Property `kind` of a shape. */
type PlanShape = "danger" | "approach" | "better" | "leg" | "waypoint" | "boat";

type Waypoint = Pick<ScenePlan["route"][number], "latitude" | "longitude" | "leg">;

/** Lines of the legs by the waypoints that they end at: most stay the same while one waypoint moves. */
const drawn = new WeakMap<Waypoint, { from: Waypoint; coordinates: GeoJSON.Position[][] }>();

function coordinatesOf(from: Waypoint, to: Waypoint): GeoJSON.Position[][] {
  const before = drawn.get(to);
  if (before?.from === from) return before.coordinates;
  const lines = legLines(from, to, to.leg);
  const coordinates = lines.map((line) => line.map(({ latitude, longitude }) => [longitude, latitude]));
  drawn.set(to, { from, coordinates });
  return coordinates;
}

/**
 * Legs, waypoints, boat and nearest storms of a plan, and the route that is proposed beside it. `id` is the position of a waypoint from 0, and of a leg that of the waypoint that it
 * ends at.
 */
export function planShapes({ route, marked, boat, storms, better }: ScenePlan): GeoJSON.FeatureCollection {
  const feature = (
    kind: PlanShape,
    geometry: GeoJSON.Geometry,
    properties: GeoJSON.GeoJsonProperties,
  ): GeoJSON.Feature => ({ type: "Feature", properties: { kind, ...properties }, geometry });
  return {
    type: "FeatureCollection",
    features: [
      ...storms.flatMap(({ area }) =>
        area ? [feature("danger", { type: "Polygon", coordinates: [lineOf(area)] }, {})] : [],
      ),
      ...storms.map(({ boat: from, centre, label }) =>
        feature("approach", { type: "LineString", coordinates: lineOf([from, centre]) }, { label }),
      ),
      ...(better ? [feature("better", betterLine(better.route), { label: better.label })] : []),
      ...route.slice(1).map((to, index) => {
        const coordinates = coordinatesOf(route[index]!, to);
        return feature("leg", { type: "MultiLineString", coordinates }, { id: index + 1 });
      }),
      ...route.map(({ latitude, longitude, name = "" }, index) =>
        feature(
          "waypoint",
          { type: "Point", coordinates: [longitude, latitude] },
          { id: index, number: String(index + 1), name, marked: index === marked },
        ),
      ),
      ...(boat
        ? [
            feature(
              "boat",
              { type: "Point", coordinates: [boat.longitude, boat.latitude] },
              { course: boat.course ?? 0 },
            ),
          ]
        : []),
    ],
  };
}

/** One line for each leg, so that the label stands once on the longest of them. */
function betterLine(route: readonly Waypoint[]): GeoJSON.MultiLineString {
  const coordinates = route.slice(1).flatMap((to, index) => coordinatesOf(route[index]!, to));
  return { type: "MultiLineString", coordinates };
}

/** Longitudes go on across ±180. */
function lineOf(places: readonly Place[]): GeoJSON.Position[] {
  return unwrappedLine(places).map(({ longitude, latitude }) => [longitude, latitude]);
}
