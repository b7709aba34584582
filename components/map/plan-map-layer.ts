import type { ExpressionSpecification, LayerSpecification, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import { type MapColours, mapColours } from "#components/view-state/map-colours.ts";
import { layersOf, paintLayers } from "#components/view-state/paint-map.ts";
import { unwrappedLine } from "#lib/geo/ring.ts";
import type { Place } from "#lib/geo/sphere.ts";
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

function layersIn(colours: MapColours, reach: number): LayerSpecification[] {
  const { halo, sample, danger, ink, better } = colours;
  const { fill, line, dots, labels, reached } = layersOf("plan");
  const ifMarked = (yes: string, no: string): ExpressionSpecification => ["case", ["get", "marked"], yes, no];
  const invisible = { "line-opacity": 0 };
  const font = { "text-font": labelFont };
  return [
    fill("plan-danger", "danger", danger, 0.18),
    line("plan-danger-line", "danger", danger, 2, { dashes: [3, 2] }),
    line("plan-approach", "approach", ink, 1.5, { dashes: [2, 2] }),
    labels("plan-approach-label", "approach", colours, 2, { ...font, "symbol-placement": "line-center" }),
    line("plan-better-halo", "better", halo, 6),
    line("plan-better", "better", better, 3, { dashes: [3, 1.5] }),
    labels("plan-better-label", "better", { ink: better, halo }, 2, {
      ...font,
      "symbol-placement": "line",
      "symbol-spacing": 500,
      "text-size": 13,
      "text-offset": [0, -1],
    }),
    line("plan-halo", "leg", halo, 6),
    line("plan-line", "leg", sample, 2.5),
    line(PLAN_LEGS, "leg", halo, reach * 1.5, invisible),
    dots("plan-waypoints", "waypoint", ifMarked(sample, halo), ifMarked(halo, sample), [
      ["case", ["get", "marked"], 12, 9],
      2,
    ]),
    labels("plan-numbers", "waypoint", { ink: ifMarked(halo, sample), halo }, 0, {
      ...font,
      "text-field": ["get", "number"],
      "text-size": 11,
      "text-allow-overlap": true,
      "text-ignore-placement": true,
    }),
    labels("plan-names", "waypoint", { ink: sample, halo }, 1.5, {
      ...font,
      "text-field": ["get", "name"],
      "text-anchor": "left",
      "text-offset": [1.1, 0],
      "text-optional": true,
    }),
    dots("plan-boat", "boat", sample, halo, [7, 3]),
    reached(PLAN_WAYPOINTS, "waypoint", reach),
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
 * Legs, waypoints, boat and nearest storms of a plan, and the route that is proposed beside it. `id` is the position of a
 * waypoint from 0, and of a leg that of the waypoint that it ends at.
 */
export function planShapes({ route, marked, boat, storms, better }: ScenePlan): GeoJSON.FeatureCollection {
  const features: GeoJSON.Feature[] = [];
  const add = (kind: PlanShape, geometry: GeoJSON.Geometry, properties?: GeoJSON.GeoJsonProperties) =>
    features.push({ type: "Feature", properties: { kind, ...properties }, geometry });
  const pointOf = ({ longitude, latitude }: Place): GeoJSON.Point => ({
    type: "Point",
    coordinates: [longitude, latitude],
  });
  for (const { area } of storms) {
    if (area) add("danger", { type: "Polygon", coordinates: [lineOf(area)] });
  }
  for (const { boat: from, centre, label } of storms)
    add("approach", { type: "LineString", coordinates: lineOf([from, centre]) }, { label });
  if (better) add("better", betterLine(better.route), { label: better.label });
  route.slice(1).forEach((to, index) => {
    const coordinates = coordinatesOf(route[index]!, to);
    add("leg", { type: "MultiLineString", coordinates }, { id: index + 1 });
  });
  route.forEach((waypoint, id) => {
    const { name = "" } = waypoint;
    add("waypoint", pointOf(waypoint), { id, number: String(id + 1), name, marked: id === marked });
  });
  if (boat) add("boat", pointOf(boat), { course: boat.course ?? 0 });
  return { type: "FeatureCollection", features };
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
