import type {
  ExpressionSpecification,
  LayerSpecification,
  MapMouseEvent,
  MapTouchEvent,
  SymbolLayerSpecification,
} from "maplibre-gl";
import { type MapColours, mapColours, paintLayers } from "#components/view-state/map-colours.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { unwrappedLine } from "#lib/geo/unwrap.ts";
import { legLines } from "#lib/passage/route.ts";
import {
  addGeojson,
  endOf,
  layersOf,
  type MapHost,
  type MapLayer,
  PLAN_LEGS,
  PLAN_WAYPOINTS,
} from "./map-layer.ts";
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
  const { fill, line, circle, text } = layersOf("plan");
  const ifMarked = <T extends string | number>(yes: T, no: T): ExpressionSpecification => [
    "case",
    ["get", "marked"],
    yes,
    no,
  ];
  const named = (colour: string, width: number) => ({
    "text-color": colour,
    "text-halo-color": halo,
    "text-halo-width": width,
  });
  const label = (size: number, layout: SymbolLayerSpecification["layout"]) => ({
    layout: { "text-field": ["get", "label"] as ExpressionSpecification, "text-size": size, ...layout },
  });
  const waypoint = { kind: "waypoint" } as const;
  return [
    fill("plan-danger", { "fill-color": danger, "fill-opacity": 0.18 }, { kind: "danger" }),
    line(
      "plan-danger-line",
      { "line-color": danger, "line-width": 2, "line-dasharray": [3, 2] },
      { kind: "danger" },
    ),
    line(
      "plan-approach",
      { "line-color": ink, "line-width": 1.5, "line-dasharray": [2, 2] },
      { kind: "approach" },
    ),
    text("plan-approach-label", named(ink, 2), {
      kind: "approach",
      ...label(12, { "symbol-placement": "line-center" }),
    }),
    line("plan-better-halo", { "line-color": halo, "line-width": 6 }, { kind: "better" }),
    line(
      "plan-better",
      { "line-color": better, "line-width": 3, "line-dasharray": [3, 1.5] },
      { kind: "better" },
    ),
    text("plan-better-label", named(better, 2), {
      kind: "better",
      ...label(13, { "symbol-placement": "line", "symbol-spacing": 500, "text-offset": [0, -1] }),
    }),
    line("plan-halo", { "line-color": halo, "line-width": 6 }, { kind: "leg" }),
    line("plan-line", { "line-color": sample, "line-width": 2.5 }, { kind: "leg" }),
    line(PLAN_LEGS, { "line-color": halo, "line-width": reach * 1.5, "line-opacity": 0 }, { kind: "leg" }),
    circle(
      "plan-waypoints",
      {
        "circle-radius": ifMarked(12, 9),
        "circle-color": ifMarked(sample, halo),
        "circle-stroke-color": ifMarked(halo, sample),
        "circle-stroke-width": 2,
      },
      waypoint,
    ),
    text(
      "plan-numbers",
      { "text-color": ifMarked(halo, sample) },
      {
        ...waypoint,
        layout: {
          "text-field": ["get", "number"],
          "text-size": 11,
          "text-allow-overlap": true,
          "text-ignore-placement": true,
        },
      },
    ),
    text("plan-names", named(sample, 1.5), {
      ...waypoint,
      layout: {
        "text-field": ["get", "name"],
        "text-size": 12,
        "text-anchor": "left",
        "text-offset": [1.1, 0],
        "text-optional": true,
      },
    }),
    circle(
      "plan-boat",
      { "circle-radius": 7, "circle-color": sample, "circle-stroke-color": halo, "circle-stroke-width": 3 },
      { kind: "boat" },
    ),
    circle(PLAN_WAYPOINTS, { "circle-color": halo, "circle-radius": reach, "circle-opacity": 0 }, waypoint),
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
