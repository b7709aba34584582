import type { Feature, FeatureCollection, Geometry, Position } from "geojson";
import type { StormBox, StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { destination, type Place } from "#lib/geo/sphere.ts";
import { unwrapped } from "#lib/geo/unwrap.ts";
import { thresholdsOf } from "#lib/storms/arrival-window.ts";
import { centreAt, coneOutline } from "#lib/storms/cone.ts";
import { type DangerMethod, dangerArea } from "#lib/storms/danger-area.ts";
import { forecastMarks, passingAt } from "#lib/storms/forecast-track.ts";
import { type Radii, radiiOf } from "#lib/storms/wind-reach.ts";
import { ofWire } from "#lib/storms/wire.ts";

/** The storms of a scene. */
export interface StormScene {
  entries: readonly StormEntry[];
  /** Id of the storm whose details are drawn. */
  selected: string | null;
  /** Instant that the map shows, Unix seconds. */
  time: number;
  /** Danger area of the selected storm; null draws none. */
  danger: DangerMethod | null;
  /** Boxes round the storm's winds. */
  boxes: boolean;
}

/** What a shape is, by which the map draws it. */
export type ShapeKind = "cone" | "danger" | "observed" | "forecast" | "radii" | "box" | "dot" | "centre";

interface ShapeProperties {
  kind: ShapeKind;
  id: string;
  selected: boolean;
  /** Of a wind: knots. */
  threshold?: number;
  estimated?: boolean;
  icon?: string;
  label?: string;
}

type Shape = Feature<Geometry, ShapeProperties>;

/**
 * Everything that is drawn of storms, as shapes whose longitudes run on across ±180: a map draws straight from vertex to
 * vertex.
 */
export function stormShapes({
  entries,
  selected,
  time,
  danger,
  boxes,
}: StormScene): FeatureCollection<Geometry, ShapeProperties> {
  const features = entries.flatMap((entry) => {
    const chosen = entry.id === selected;
    const shape = (kind: ShapeKind, geometry: Geometry, more: Partial<ShapeProperties> = {}): Shape => ({
      type: "Feature",
      geometry,
      properties: { kind, id: entry.id, selected: chosen, ...more },
    });
    const { observed, forecast } = entry.tracks;
    const past = observed.map(ofWire);
    const ahead = (forecast?.points ?? []).map(ofWire);
    const longitudes = unwrapped([...past, ...ahead].map(({ longitude }) => longitude));
    /** Where the whole storm is, on the map's long strip of longitudes. */
    const middle = longitudes[longitudes.length >> 1] ?? 0;
    const outline = coneOutline(entry);
    const area = chosen && danger ? dangerArea(entry, danger)?.outline : undefined;
    const centre = centreOf(entry, time);
    return [
      ...(outline ? [shape("cone", polygon(outline, middle))] : []),
      ...(area ? [shape("danger", polygon(area, middle))] : []),
      ...lines("observed", past, 0),
      ...lines("forecast", [...past.slice(-1), ...ahead], Math.max(0, past.length - 1)),
      ...(chosen && boxes && centre
        ? [
            shape("box", boxLine(centre.point.affectance_bbox, middle), {
              estimated: centre.point.affectance_bbox_estimated,
            }),
          ]
        : []),
      ...(centre ? windRings(entry, centre) : []),
      ...(chosen ? dots() : []),
      ...(centre ? [centreShape(centre)] : []),
    ];

    function lines(kind: ShapeKind, places: readonly Place[], from: number): Shape[] {
      if (places.length < 2) return [];
      const coordinates = places.map(({ latitude }, index) => [longitudes[from + index] ?? 0, latitude]);
      return [shape(kind, { type: "LineString", coordinates })];
    }

    function dots(): Shape[] {
      return (forecast?.points ?? []).map((point, index) =>
        shape(
          "dot",
          { type: "Point", coordinates: [longitudes[past.length + index] ?? 0, point.lat] },
          { label: dotLabel(point) },
        ),
      );
    }

    function windRings(of: StormEntry, at: Centre): Shape[] {
      return thresholdsOf(of).flatMap((threshold) => {
        const radii = at.radii(threshold);
        if (!radii || Math.max(radii.ne, radii.se, radii.sw, radii.nw) <= 0) return [];
        return [shape("radii", polygon(ring(at, radii), middle), { threshold })];
      });
    }

    function centreShape(at: Centre): Shape {
      const [longitude = 0] = near([at.longitude], middle);
      return shape(
        "centre",
        { type: "Point", coordinates: [longitude, at.latitude] },
        {
          icon: iconName(at.point, entry),
          label: centreLabel(entry, at.point),
        },
      );
    }
  });
  return { type: "FeatureCollection", features };
}

/** The storm at an instant. */
interface Centre extends Place {
  /** The point of the track that describes it best. */
  point: TrackPoint;
  radii(threshold: number): Radii | undefined;
}

/** @returns undefined before the first fix and after the last forecast. */
function centreOf(entry: StormEntry, time: number): Centre | undefined {
  const { observed, forecast } = entry.tracks;
  const passing = passingAt(forecastMarks(entry), time);
  const points: readonly TrackPoint[] = [...observed, ...(forecast?.points ?? [])];
  const point = points.findLast((one) => one.time <= time);
  if (!point) return undefined;
  if (passing) return { ...passing, point };
  const place = centreAt(observed, time);
  return place && { ...place, point, radii: (threshold) => radiiOf(point, threshold) };
}

/** Quadrants of a wind as one ring: four arcs, joined along the meridian and the parallel of the centre. */
function ring(centre: Place, { ne, se, sw, nw }: Radii): Place[] {
  const places: Place[] = [];
  for (const [from, km] of [
    [0, ne],
    [90, se],
    [180, sw],
    [270, nw],
  ] as const) {
    for (let bearing = from; bearing <= from + 90; bearing += 5) {
      places.push(km > 0 ? destination(centre, bearing, km) : centre);
    }
  }
  return [...places, places[0] ?? centre];
}

function polygon(outline: readonly Place[], middle: number): Geometry {
  return { type: "Polygon", coordinates: [positions(outline, middle)] };
}

function positions(places: readonly Place[], middle: number): Position[] {
  const longitudes = near(
    places.map(({ longitude }) => longitude),
    middle,
  );
  return places.map(({ latitude }, index) => [longitudes[index] ?? 0, latitude]);
}

/** Longitudes without jumps, the first of them within 180° of the middle. */
function near(longitudes: readonly number[], middle: number): number[] {
  return unwrapped([middle, ...longitudes]).slice(1);
}

function boxLine({ s, n, w, e }: StormBox, middle: number): Geometry {
  const east = e < w ? e + 360 : e;
  const [west = w] = near([w], middle);
  const width = east - w;
  const corners = [
    [west, s],
    [west + width, s],
    [west + width, n],
    [west, n],
    [west, s],
  ];
  return { type: "LineString", coordinates: corners };
}

/** `Tue 12Z`. */
function dotLabel({ time }: TrackPoint): string {
  const date = new Date(time * 1000);
  const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][date.getUTCDay()];
  return `${day} ${String(date.getUTCHours()).padStart(2, "0")}Z`;
}

function centreLabel({ name, id, is_invest }: StormEntry, { vmax_kt }: TrackPoint): string {
  const called = name ?? (is_invest ? `Invest ${id.slice(2, 4)}` : id);
  return vmax_kt === null ? called : `${called}\n${Math.round(vmax_kt)} kt`;
}

/** Picture of a stage, which turns the other way round in the south: see `storm-icons.ts`. */
function iconName({ type, category, lat }: TrackPoint, { is_invest }: StormEntry): string {
  const side = lat < 0 ? "south" : "north";
  if (is_invest || type === null || type === "DB") return "storm-invest";
  if (type === "HU") return `storm-${side}-hu${category ?? 1}`;
  if (type === "TS" || type === "TD") return `storm-${side}-${type.toLowerCase()}`;
  return "storm-low";
}
