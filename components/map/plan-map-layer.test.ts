import { expect, it, vi } from "vitest";
import { fakeMap } from "#test/map.ts";
import type { MapHost } from "./map-layer.ts";
import { planMapLayer, planShapes } from "./plan-map-layer.ts";
import { routeBox, routeShapes } from "./route-map-layer.ts";
import type { Scene, ScenePlan } from "./scene.ts";

const at = (latitude: number, longitude: number, leg: "great_circle" | "rhumb" = "great_circle") => ({
  latitude,
  longitude,
  leg,
});
const plan = { marked: 1, boat: undefined, storms: [], isDrawing: false, onMove: undefined };

/** A map with a plan, and the events on it. */
function openPlan(isDrawing: boolean) {
  const listeners = new Map<string, (event: unknown) => void>();
  const element = new EventTarget();
  vi.stubGlobal("window", element);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("getComputedStyle", () => ({ getPropertyValue: () => "" }));
  const disable = vi.fn();
  const map = fakeMap({
    project: () => ({ x: 0, y: 0 }),
    doubleClickZoom: { disable, enable: () => undefined },
    on: (type: string, ...rest: unknown[]) =>
      void listeners.set(type, rest.at(-1) as (event: unknown) => void),
  });
  const [onMove, onInsert] = [vi.fn(), vi.fn()];
  const layer = planMapLayer({ map, element } as unknown as MapHost);
  const shown = { ...plan, route: [at(47, -8)], isDrawing, onMove, onInsert };
  layer.draw?.({ plan: shown, theme: "light" } as unknown as Scene, undefined);
  const fire = (type: string, event: object) => listeners.get(type)?.(event);
  const press = (type: string, originalEvent: object, kind = "waypoint") =>
    fire(type, {
      originalEvent,
      point: { x: 0, y: 0 },
      features: [{ geometry: { coordinates: [-8, 47] }, properties: { id: "0", kind } }],
      preventDefault: () => undefined,
    });
  const drag = (type: string) => fire(type, { lngLat: { lat: 46, lng: -9 } });
  return {
    disable,
    onMove,
    onInsert,
    press,
    drag,
    fire,
    release: () => element.dispatchEvent(new Event("mouseup")),
  };
}

it("a mouse drags a waypoint without the mode of drawing, in which two clicks do not enlarge the map", () => {
  const { disable, onMove, press, drag, release } = openPlan(false);
  press("mousedown", { button: 0 });
  drag("mousemove");
  release();
  expect(onMove).toHaveBeenCalledExactlyOnceWith(0, { latitude: 46, longitude: -9 });
  expect(disable).not.toHaveBeenCalled();
  expect(openPlan(true).disable).toHaveBeenCalled();
});

it.each(["waypoint", "middle"])("a finger drags a %s; the middle of a leg becomes a waypoint", (kind) => {
  const { onMove, onInsert, press, drag, fire } = openPlan(false);
  press("touchstart", { touches: [{}] }, kind);
  drag("touchmove");
  fire("touchend", {});
  const [called, other] = kind === "middle" ? [onInsert, onMove] : [onMove, onInsert];
  expect(called).toHaveBeenCalledExactlyOnceWith(0, { latitude: 46, longitude: -9 });
  expect(other).not.toHaveBeenCalled();
});

/** Kind, label or position, and coordinates of each shape. */
const shapes = (of: Partial<ScenePlan>) =>
  planShapes({ ...plan, route: [], ...of }).features.map(({ properties, geometry }) => ({
    ...properties,
    lines: (geometry as GeoJSON.MultiLineString).coordinates,
  })) as {
    kind: string;
    id?: number;
    step?: number;
    label?: string;
    marked?: boolean;
    lines: number[][][];
  }[];

it("parts of the way have the step of their limit, none where nothing is known; legs have middles to drag", () => {
  const shares = [
    { places: [at(40, 179), at(40, -179)], step: 3 },
    { places: [at(40, -179), at(40, -178)], step: 5 },
  ];
  const route = [at(40, 179), at(40, -178), at(40, -178)];
  const found = shapes({ route, shares, onInsert: () => undefined });
  const line = [
    [179, 40],
    [181, 40],
  ];
  expect(found.filter(({ kind }) => kind === "share")).toEqual([{ kind: "share", step: 3, lines: line }]);
  expect(found.filter(({ kind }) => kind === "middle")).toMatchObject([{ id: 1 }]);
});

it("has a leg to each waypoint but the first, in its own kind, on across 180°, and none of no length", () => {
  const found = shapes({ route: [at(40, 170), at(40, -150), at(40, -120, "rhumb")] });
  expect(found).toMatchObject([
    { kind: "leg", id: 1 },
    { kind: "leg", id: 2 },
    { kind: "waypoint", id: 0, marked: false },
    { kind: "waypoint", id: 1, marked: true },
    { kind: "waypoint", id: 2, marked: false },
  ]);
  const [circle, rhumb] = found.map(({ lines }) => lines[0]!);
  expect(circle!.at(-1)![0]).toBeCloseTo(210, 6);
  const highest = (line: number[][]) => Math.max(...line.map(([, latitude]) => latitude!));
  expect(highest(circle!)).toBeGreaterThan(41);
  expect(highest(rhumb!)).toBeCloseTo(40, 6);
  expect(shapes({ route: [at(1, 2), at(1, 2)] })[0]!.lines).toEqual([]);
});

it("a storm is a line from the boat to its centre, on across 180°, below it its danger area if there is one", () => {
  const storm = { label: "DEMO 177 n mi", boat: at(20, 179), centre: at(21, -178), area: undefined };
  const area = [at(20, 178), at(20, -178), at(22, -178), at(20, 178)];
  const approach = {
    kind: "approach",
    label: "DEMO 177 n mi",
    lines: [
      [179, 20],
      [182, 21],
    ],
  };
  const ring = [
    [178, 20],
    [182, 20],
    [182, 22],
    [178, 20],
  ];
  const danger = { kind: "danger", lines: [ring] };
  expect(shapes({ storms: [storm, { ...storm, area }] })).toEqual([danger, approach, approach]);
});

it("a proposed route is one named line, beside the user's own, on across 180°", () => {
  const better = [{ route: [at(40, 170), at(50, 179), at(40, -150)], label: "Better route" }];
  const found = shapes({ route: [at(40, 170), at(40, -150)], better });
  expect(found.map(({ kind, label }) => label ?? kind)).toEqual([
    "Better route",
    "leg",
    "waypoint",
    "waypoint",
  ]);
  expect(found[0]!.lines).toHaveLength(2);
  expect(found[0]!.lines[1]!.at(-1)![0]).toBeCloseTo(210, 6);
});

const points = [178, 179.5, -179, -177].map((longitude) => ({ latitude: 10 + longitude / 180, longitude }));

it.each([
  [true, ["LineString", "MultiPoint"]],
  [false, ["MultiPoint"]],
])(
  "marks every point of a task, and joins those of a route (%s) across 180° without a jump",
  (isRoute, types) => {
    const { features } = routeShapes({ points, isRoute, fit: false });
    expect(features.map(({ geometry }) => geometry.type)).toEqual(types);
    for (const { geometry } of features) {
      const { coordinates } = geometry as GeoJSON.LineString;
      expect(coordinates.map(([longitude]) => longitude)).toEqual([178, 179.5, 181, 183]);
    }
    expect(routeBox({ points, isRoute, fit: true })).toMatchObject({ west: 178, east: 183 });
    expect(routeBox({ points: [], isRoute, fit: true })).toBeUndefined();
  },
);
