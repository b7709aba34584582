import type { Place } from "#lib/geo/sphere.ts";
import { unwrappedLine } from "#lib/geo/unwrap.ts";
import { legLines } from "#lib/passage/leg-line.ts";
import type { ScenePlan } from "./scene.ts";

/** Property `kind` of a shape. */
export type PlanShape = "danger" | "approach" | "better" | "leg" | "waypoint" | "boat";

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
