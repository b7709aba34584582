import { unwrappedLine } from "@open-metocean/geo/ring";
import type { Place } from "@open-metocean/geo/sphere";
import type { ExpressionSpecification, LayerSpecification, MapMouseEvent, MapTouchEvent } from "maplibre-gl";
import { type MapColours, mapColours } from "#components/view-state/map-colours.ts";
import { layersOf, paintLayers } from "#components/view-state/paint-map.ts";
import { legLines, legOf } from "#lib/passage/route.ts";
import { labelFont } from "./basemap.ts";
import {
  addGeojson,
  endOf,
  type MapHost,
  type MapLayer,
  PLAN_LEGS,
  PLAN_MIDDLES,
  PLAN_WAYPOINTS,
} from "./map-layer.ts";
import type { ScenePlan } from "./scene.ts";

/** The route of a plan. If it can be changed, its waypoints can be dragged with mouse or finger. */
export function planMapLayer({ map, element }: MapHost): MapLayer {
  const setPlan = addGeojson(map, "plan");
  // Hit areas are larger for a finger than for a mouse.
  const reach = matchMedia("(pointer: coarse)").matches ? 22 : 12;
  let plan: ScenePlan | undefined;
  /** @see isNew It is the middle of a leg, which becomes a waypoint. */
  let dragged: { waypoint: number; isNew: boolean; to: Place | undefined } | undefined;

  const drawDragged = () => {
    if (!plan || !dragged?.to) return;
    const { waypoint, isNew, to } = dragged;
    const route = isNew
      ? plan.route.toSpliced(waypoint, 0, { ...to, leg: plan.route[waypoint]?.leg ?? "great_circle" })
      : plan.route.map((one, index) => (index === waypoint ? { ...one, ...to } : one));
    setPlan(planShapes({ ...plan, route, shares: [], marked: waypoint }));
  };
  const press = (event: (MapMouseEvent | MapTouchEvent) & { features?: GeoJSON.Feature[] }) => {
    const { originalEvent, features = [], point } = event;
    const isOther =
      "touches" in originalEvent ? originalEvent.touches.length > 1 : originalEvent.button !== 0;
    if (!plan?.onMove || dragged || isOther || features.length === 0) return;
    const away = ({ geometry }: GeoJSON.Feature) => {
      const [longitude = 0, latitude = 0] = (geometry as GeoJSON.Point).coordinates;
      const { x, y } = map.project([longitude, latitude]);
      return Math.hypot(x - point.x, y - point.y);
    };
    const nearest = features.reduce((one, other) => (away(other) < away(one) ? other : one));
    // The map does not move while a waypoint is dragged.
    event.preventDefault();
    const { id, kind } = nearest.properties ?? {};
    dragged = { waypoint: Number(id), isNew: kind === "middle", to: undefined };
  };
  const drag = ({ lngLat }: MapMouseEvent | MapTouchEvent) => {
    if (!dragged) return;
    dragged.to = { latitude: lngLat.lat, longitude: lngLat.lng };
    drawDragged();
  };
  const drop = () => {
    if (!dragged) return;
    const { waypoint, isNew, to } = dragged;
    dragged = undefined;
    if (to) (isNew ? plan?.onInsert : plan?.onMove)?.(waypoint, to);
  };
  const cancel = () => {
    dragged = undefined;
    setPlan(plan && planShapes(plan));
  };
  const listen = () => {
    // Where both overlap, the waypoint takes precedence.
    for (const layer of [PLAN_WAYPOINTS, PLAN_MIDDLES]) {
      map.on("mousedown", layer, press);
      map.on("touchstart", layer, press);
    }
    map.on("mousemove", drag);
    map.on("touchmove", drag);
    map.on("touchend", drop);
    map.on("touchcancel", cancel);
    // The button may be released outside the map.
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

/** Parts near a limit are wider and those beyond it widest, because colour alone does not suffice. */
const shareWidth: ExpressionSpecification = ["match", ["get", "step"], 0, 3, 1, 3, 2, 5, 8];

/** Selects legs of at least 60 pixels on the screen, which are long enough for a handle in the middle. */
const wideMiddles: ExpressionSpecification = [
  "all",
  ["==", ["get", "kind"], "middle"],
  [">=", ["get", "miles"], ["/", 2500, ["^", 2, ["zoom"]]]],
];

function layersIn(colours: MapColours, reach: number): LayerSpecification[] {
  const { halo, sample, danger, ink, better } = colours;
  const { fill, line, dots, labels, reached } = layersOf("plan");
  const ifMarked = (yes: string, no: string): ExpressionSpecification => ["case", ["get", "marked"], yes, no];
  const shareColour = [
    "match",
    ["get", "step"],
    ...[0, 1, 2, 3].flatMap((step) => [step, colours[`share-${step}` as keyof MapColours]]),
    colours["share-4"],
  ] as unknown as ExpressionSpecification;
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
    line("plan-share-halo", "share", halo, ["+", 3, shareWidth]),
    line("plan-share", "share", shareColour, shareWidth),
    line(PLAN_LEGS, "leg", halo, reach * 1.5, invisible),
    { ...dots("plan-middles", "middle", halo, sample, [4, 1.5]), filter: wideMiddles } as LayerSpecification,
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
    { ...reached(PLAN_MIDDLES, "middle", reach), filter: wideMiddles } as LayerSpecification,
    reached(PLAN_WAYPOINTS, "waypoint", reach),
  ];
}

/** Highest step with a colour; a part whose share is unknown has none. */
const WORST_STEP = 4;

/** Property `kind` of a shape. */
type PlanShape = "danger" | "approach" | "better" | "leg" | "share" | "middle" | "waypoint" | "boat";

type Waypoint = Pick<ScenePlan["route"][number], "latitude" | "longitude" | "leg">;

function coordinatesOf(from: Waypoint, to: Waypoint): GeoJSON.Position[][] {
  const lines = legLines(from, to, to.leg);
  return lines.map((line) => line.map(({ latitude, longitude }) => [longitude, latitude]));
}

/**
 * Legs, waypoints, boat and nearest storms of a plan, and the proposed route. `id` is the position of a
 * waypoint, from 0; for a leg it is that of the waypoint at its end.
 */
export function planShapes({
  route,
  marked,
  boat,
  storms,
  better = [],
  shares = [],
  measured,
  onInsert,
}: ScenePlan): GeoJSON.FeatureCollection {
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
  if (measured) {
    const line = betterLine([measured.from, measured.to].map((place) => ({ ...place, leg: "great_circle" })));
    add("approach", line, { label: measured.label });
  }
  for (const { route: proposed, label } of better) add("better", betterLine(proposed), { label });
  route.slice(1).forEach((to, index) => {
    const coordinates = coordinatesOf(route[index]!, to);
    add("leg", { type: "MultiLineString", coordinates }, { id: index + 1 });
  });
  for (const { places, step } of shares)
    if (step <= WORST_STEP) add("share", { type: "LineString", coordinates: lineOf(places) }, { step });
  if (onInsert)
    route.slice(1).forEach((to, index) => {
      const from = route[index]!;
      const { at, miles } = legOf(from, to, to.leg);
      if (miles > 0) add("middle", pointOf(at(0.5)), { id: index + 1, miles });
    });
  route.forEach((waypoint, id) => {
    const { name = "" } = waypoint;
    add("waypoint", pointOf(waypoint), { id, number: String(id + 1), name, marked: id === marked });
  });
  if (boat) add("boat", pointOf(boat), { course: boat.course ?? 0 });
  return { type: "FeatureCollection", features };
}

/** Each leg is a line of one MultiLineString, so that the label appears once, on the longest of them. */
function betterLine(route: readonly Waypoint[]): GeoJSON.MultiLineString {
  const coordinates = route.slice(1).flatMap((to, index) => coordinatesOf(route[index]!, to));
  return { type: "MultiLineString", coordinates };
}

/** Longitudes continue across ±180. */
function lineOf(places: readonly Place[]): GeoJSON.Position[] {
  return unwrappedLine(places).map(({ longitude, latitude }) => [longitude, latitude]);
}
