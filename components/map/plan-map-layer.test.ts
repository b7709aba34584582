import { expect, it, vi } from "vitest";
import type { MapHost } from "./map-layer.ts";
import { planMapLayer, planShapes } from "./plan-map-layer.ts";
import { routeBox, routeShapes } from "./route-map-layer.ts";
import type { Scene } from "./scene.ts";

/** A map with a plan, and what happens on it. */
function openPlan(isDrawing: boolean) {
  const listeners = new Map<string, (event: unknown) => void>();
  const element = new EventTarget();
  vi.stubGlobal("window", element);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
  const map = {
    addSource: () => undefined,
    getSource: () => ({ setData: () => undefined }),
    getLayer: () => undefined,
    addLayer: () => undefined,
    setPaintProperty: () => undefined,
    project: () => ({ x: 0, y: 0 }),
    doubleClickZoom: { disable: vi.fn(), enable: vi.fn() },
    on: (type: string, ...rest: unknown[]) =>
      void listeners.set(type, rest.at(-1) as (event: unknown) => void),
  };
  const [onMove, onInsert] = [vi.fn(), vi.fn()];
  const waypoint = { latitude: 47, longitude: -8, leg: "great_circle" as const };
  const plan = {
    route: [waypoint],
    marked: undefined,
    boat: undefined,
    storms: [],
    isDrawing,
    onMove,
    onInsert,
  };
  const layer = planMapLayer({ map, element } as unknown as MapHost);
  layer.draw?.({ plan, theme: "light" } as unknown as Scene, undefined);
  const press = (type: string, originalEvent: object, kind = "waypoint") =>
    listeners.get(type)?.({
      originalEvent,
      point: { x: 0, y: 0 },
      features: [{ geometry: { coordinates: [-8, 47] }, properties: { id: "0", kind } }],
      preventDefault: () => undefined,
    });
  const drag = (type: string) => listeners.get(type)?.({ lngLat: { lat: 46, lng: -9 } });
  return {
    map,
    onMove,
    onInsert,
    press,
    drag,
    release: () => element.dispatchEvent(new Event("mouseup")),
    listeners,
  };
}

it("a mouse drags a waypoint without the mode of drawing, in which two clicks do not enlarge the map", () => {
  const { map, onMove, press, drag, release } = openPlan(false);
  press("mousedown", { button: 0 });
  drag("mousemove");
  release();
  expect(onMove).toHaveBeenCalledExactlyOnceWith(0, { latitude: 46, longitude: -9 });
  expect(map.doubleClickZoom.disable).not.toHaveBeenCalled();
  expect(openPlan(true).map.doubleClickZoom.disable).toHaveBeenCalled();
});

it("a finger drags one, and the middle of a leg becomes a waypoint", () => {
  const { onMove, onInsert, press, drag, listeners } = openPlan(false);
  press("touchstart", { touches: [{}] });
  drag("touchmove");
  listeners.get("touchend")?.({});
  expect(onMove).toHaveBeenCalledTimes(1);
  press("touchstart", { touches: [{}] }, "middle");
  drag("touchmove");
  listeners.get("touchend")?.({});
  expect(onInsert).toHaveBeenCalledExactlyOnceWith(0, { latitude: 46, longitude: -9 });
});

it("parts of the way have the step of their limit, none where nothing is known; legs have middles to drag", () => {
  const shares = [
    { places: [at(40, 179), at(40, -179)], step: 3 },
    { places: [at(40, -179), at(40, -178)], step: 5 },
  ];
  const route = [at(40, 179), at(40, -178), at(40, -178)];
  const { features } = planShapes({ ...plan, route, shares, onInsert: () => undefined });
  const of = (kind: string) => features.filter(({ properties }) => properties?.kind === kind);
  expect(of("share").map(({ geometry, properties }) => [properties?.step, geometry])).toEqual([
    [
      3,
      {
        type: "LineString",
        coordinates: [
          [179, 40],
          [181, 40],
        ],
      },
    ],
  ]);
  expect(of("middle").map(({ properties }) => properties?.id)).toEqual([1]);
});

const at = (latitude: number, longitude: number, leg: "great_circle" | "rhumb" = "great_circle") => ({
  latitude,
  longitude,
  leg,
});
const plan = { marked: 1, boat: undefined, storms: [], isDrawing: false, onMove: undefined };

it("has a leg to each waypoint but the first, in its own kind, on across 180°", () => {
  const { features } = planShapes({ ...plan, route: [at(40, 170), at(40, -150), at(40, -120, "rhumb")] });
  expect(features.map(({ properties }) => [properties?.kind, properties?.id])).toEqual([
    ["leg", 1],
    ["leg", 2],
    ["waypoint", 0],
    ["waypoint", 1],
    ["waypoint", 2],
  ]);
  const [[first], [second]] = features
    .slice(0, 2)
    .map(({ geometry }) => (geometry as GeoJSON.MultiLineString).coordinates) as [
    GeoJSON.Position[][],
    GeoJSON.Position[][],
  ];
  expect(first!.at(-1)![0]).toBeCloseTo(210, 6);
  expect(Math.max(...first!.map(([, latitude]) => latitude!))).toBeGreaterThan(41);
  expect(Math.max(...second!.map(([, latitude]) => latitude!))).toBeCloseTo(40, 6);
  expect(features.map(({ properties }) => properties?.marked).slice(2)).toEqual([false, true, false]);
});

it("a leg of no length is there, without a line", () => {
  const { features } = planShapes({ ...plan, route: [at(1, 2), at(1, 2)] });
  expect(features[0]!.geometry).toEqual({ type: "MultiLineString", coordinates: [] });
});

it("the lines of legs that did not change are not made again", () => {
  const route = [at(0, 0), at(10, 10), at(20, 20)];
  const lines = (shapes: GeoJSON.FeatureCollection) =>
    shapes.features.slice(0, 2).map(({ geometry }) => (geometry as GeoJSON.MultiLineString).coordinates);
  const before = lines(planShapes({ ...plan, route }));
  const after = lines(planShapes({ ...plan, route: [route[0]!, route[1]!, at(21, 20)] }));
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toEqual(before[1]);
});

it("a storm is a line from the boat to its centre, on across 180°, below it its danger area if there is one", () => {
  const [boat, centre] = [at(20, 179), at(21, -178)];
  const storm = { label: "DEMO 177 n mi", boat, centre, area: undefined };
  const area = [at(20, 178), at(20, -178), at(22, -178), at(20, 178)];
  const { features } = planShapes({ ...plan, route: [], storms: [storm, { ...storm, area }] });
  expect(features.map(({ properties }) => properties?.kind)).toEqual(["danger", "approach", "approach"]);
  expect(features[0]!.geometry).toMatchObject({
    coordinates: [
      [
        [178, 20],
        [182, 20],
        [182, 22],
        [178, 20],
      ],
    ],
  });
  expect(features[1]).toMatchObject({
    properties: { label: "DEMO 177 n mi" },
    geometry: {
      coordinates: [
        [179, 20],
        [182, 21],
      ],
    },
  });
});

it("a proposed route is one named line, beside the user's own, on across 180°", () => {
  const better = { route: [at(40, 170), at(50, 179), at(40, -150)], label: "Better route" };
  const { features } = planShapes({ ...plan, route: [at(40, 170), at(40, -150)], better });
  expect(features.map(({ properties }) => properties?.kind)).toEqual([
    "better",
    "leg",
    "waypoint",
    "waypoint",
  ]);
  expect(features[0]!.properties).toEqual({ kind: "better", label: "Better route" });
  const { coordinates } = features[0]!.geometry as GeoJSON.MultiLineString;
  expect(coordinates).toHaveLength(2);
  expect(coordinates[1]!.at(-1)![0]).toBeCloseTo(210, 6);
});

const points = [178, 179.5, -179, -177].map((longitude) => ({ latitude: 10 + longitude / 180, longitude }));

it("marks every point, and joins those of a route across 180° without a jump", () => {
  const { features } = routeShapes({ points, isRoute: true, fit: false });
  const longitudes = features.map(({ geometry }) =>
    "coordinates" in geometry ? (geometry.coordinates as number[][]).map(([x]) => x) : [],
  );
  expect(features.map(({ geometry }) => geometry.type)).toEqual(["LineString", "MultiPoint"]);
  expect(longitudes).toEqual([
    [178, 179.5, 181, 183],
    [178, 179.5, 181, 183],
  ]);
});

it("draws no line between points that are no route", () => {
  const { features } = routeShapes({ points, isRoute: false, fit: false });
  expect(features.map(({ geometry }) => geometry.type)).toEqual(["MultiPoint"]);
});

it("has all points in its box, the shorter way around", () => {
  expect(routeBox({ points, isRoute: true, fit: true })).toMatchObject({ west: 178, east: 183 });
  expect(routeBox({ points: [], isRoute: false, fit: true })).toBeUndefined();
});
