import { type Box, boxOfPlaces } from "@open-metocean/geo/box";
import { unwrapped, unwrappedLine } from "@open-metocean/geo/ring";
import { destination, type Place } from "@open-metocean/geo/sphere";
import { coneOutline } from "@open-metocean/storms/cone";
import { dangerArea } from "@open-metocean/storms/danger";
import type { DangerMethod, Likelihood } from "@open-metocean/storms/providers";
import type { StormBox, StormEntry, TrackPoint } from "@open-metocean/storms/schema";
import {
  forecastMarks,
  isForecastFor,
  type Mark,
  passingAt,
  type Radii,
  radiiOf,
  seasAt,
  seasOf,
} from "@open-metocean/storms/track";
import { ofWire } from "@open-metocean/storms/wire";
import type { Feature, FeatureCollection, Geometry } from "geojson";
import { civilOf, utc, weekdayOf } from "#components/view-state/civil.ts";
import { inUnit } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { thresholdsOf } from "#lib/storm-answers/approach.ts";
import type { TrackDifference } from "#lib/storm-answers/compare.ts";
import { type AreaOfInterest, areaName, coversTime, formatChanceLabel, stormLabel } from "./format-storm.ts";
import type { FilmScene } from "./use-storm-film.ts";

/** Layer of the storm symbols; their property `id` is the id of the storm. */
export const STORM_LAYER = "storm-centre";

export interface StormScene {
  entries: readonly StormEntry[];
  /** Id of the storm whose details are drawn. */
  selected: string | null;
  /** Instant that the map shows, Unix seconds. */
  time: number;
  /** Method of the selected storm's danger area; null draws none. */
  danger: DangerMethod | null;
  /** Whether boxes around the winds are drawn. */
  boxes: boolean;
  /** Areas where storms may form. */
  areas?: readonly AreaOfInterest[];
  /** A film, during which only its storm is drawn. */
  film?: FilmScene | undefined;
  /** The selected storm according to the other provider. */
  peer?: ComparedStorm | undefined;
  /** The closest approach of a storm. */
  approach?: DrawnApproach | undefined;
  /** Words of the labels. */
  words: Words;
}

/** The same storm according to the other provider, with the differences between the tracks. */
export interface ComparedStorm {
  /** Entry of the other provider. */
  entry: StormEntry;
  differences: readonly TrackDifference[];
}

/** A vessel and a storm at their closest approach. */
export interface DrawnApproach {
  id: string;
  vessel: Place;
  centre: Place;
  /** The forecast track of the storm. */
  track: readonly Place[];
  /** The verdict in one line, and the distance and hour alone for where there is little room. */
  label: string;
  short: string;
}

/** Kind of a shape; the map has one or more layers for each. */
export type ShapeKind =
  | "area"
  | "alert"
  | "cone"
  | "danger"
  | "observed"
  | "forecast"
  | "radii"
  | "seas"
  | "box"
  | "dot"
  | "approach"
  | "approach-place"
  | "centre";

interface ShapeProperties {
  kind: ShapeKind;
  id: string;
  selected: boolean;
  /** Threshold of wind radii, knots. */
  threshold?: number;
  estimated?: boolean;
  /** Likelihood of areas and alerts: low, medium or high. */
  likelihood?: string;
  icon?: string;
  label?: string;
  /** A shorter label for where there is little room. */
  short?: string;
}

type Shape = Feature<Geometry, ShapeProperties>;

/**
 * All shapes drawn for storms. Their longitudes continue across ±180, because a map draws straight lines
 * between vertices.
 */
export function stormShapes({
  entries,
  selected,
  time,
  danger,
  boxes,
  areas = [],
  approach,
  words,
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
    /** Longitude around which the whole storm is unwrapped. */
    const middle = longitudes[longitudes.length >> 1] ?? 0;
    // Today's forecast is not drawn on other dates.
    const current = isForecastFor(entry, time);
    const outline = current ? coneOutline(entry) : undefined;
    const area = chosen && danger && current ? dangerArea(entry, danger)?.outline : undefined;
    const centre = centreOf(entry, time);
    return [
      ...(outline ? [shape("cone", polygon(outline, middle))] : []),
      ...(area && danger
        ? [shape("danger", polygon(area, middle), { label: words.storms.dangerLabels[danger] })]
        : []),
      ...lines("observed", past, 0),
      ...(current ? lines("forecast", [...past.slice(-1), ...ahead], Math.max(0, past.length - 1)) : []),
      ...(chosen && boxes && centre
        ? [shape("box", boxLine(centre.box, middle), { estimated: centre.boxEstimated })]
        : []),
      ...(centre ? windRings(entry, centre) : []),
      ...(chosen && centre?.seas ? [shape("seas", polygon(ring(centre, centre.seas), middle))] : []),
      ...(chosen && current ? dots() : []),
      ...(approach?.id === entry.id ? approachShapes(approach) : []),
      ...(centre ? [centreShape(centre)] : []),
    ];

    function approachShapes({ vessel, centre: storm, label, short }: DrawnApproach): Shape[] {
      const [to = 0, from = 0] = unwrapped([middle, storm.longitude, vessel.longitude]).slice(1);
      const ends = [
        [from, vessel.latitude],
        [to, storm.latitude],
      ];
      return [
        shape("approach", { type: "LineString", coordinates: ends }),
        ...ends.map((coordinates, index) =>
          shape("approach-place", { type: "Point", coordinates }, index === 0 ? { label, short } : {}),
        ),
      ];
    }

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
          { label: dotLabel(point, words) },
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
        { icon: iconName(at.point, entry), label: centreLabel(entry, at, time, words) },
      );
    }
  });
  return {
    type: "FeatureCollection",
    features: [...areaShapes(areas, entries, selected, time, words), ...features],
  };
}

/** Where a storm is drawn, or else its last observed position. @param time Unix seconds. */
export function stormPlace(entry: StormEntry, time: number): Place | undefined {
  return centreOf(entry, time) ?? entry.tracks.observed.map(ofWire).at(-1);
}

/**
 * The box that the map shows when a storm's card is opened: its cone and position, or its whole track.
 *
 * @param time Unix seconds.
 * @param vessel Position of the vessel at the closest approach, to be included.
 */
export function stormBox(entry: StormEntry, time: number, vessel?: Place): Box | undefined {
  const outline = isForecastFor(entry, time) ? coneOutline(entry) : undefined;
  const at = centreOf(entry, time);
  const others = [at, vessel].filter((place) => place !== undefined);
  return boxOfPlaces([...(outline ?? entry.tracks.observed.map(ofWire)), ...others]);
}

interface Centre extends Place {
  /** The last point of the track before that instant. */
  point: TrackPoint;
  /** The point is the last observation, and no forecast follows it. */
  lastSeen: boolean;
  box: StormBox;
  boxEstimated: boolean;
  radii(threshold: number): Radii | undefined;
  /** Reach of 12 ft seas. */
  seas: Radii | undefined;
}

/**
 * Position of a storm at an instant, on the great circle between two points of its track. A storm without a
 * forecast stays at its last observed position.
 *
 * @returns undefined before the first fix and after the last forecast.
 */
function centreOf(entry: StormEntry, time: number): Centre | undefined {
  const track = wholeTrack(entry);
  const next = track.findIndex((mark) => mark.time >= time);
  const [from, to] = [track[Math.max(0, next - 1)], track[next]];
  const passing = passingAt(track, time);
  if (passing && from && to) {
    const share = to.time === from.time ? 1 : (time - from.time) / (to.time - from.time);
    return {
      ...passing,
      point: share === 1 ? to.point : from.point,
      lastSeen: false,
      box: boxBetween(from.point, to.point, share, passing),
      boxEstimated: from.point.affectance_bbox_estimated || to.point.affectance_bbox_estimated,
      seas: seasAt(from.point, to.point, share),
    };
  }
  const last = track.at(-1);
  if (!last || entry.tracks.forecast || time <= last.time) return undefined;
  const { latitude, longitude, point } = last;
  return {
    latitude,
    longitude,
    point,
    lastSeen: true,
    box: point.affectance_bbox,
    boxEstimated: point.affectance_bbox_estimated,
    radii: (threshold) => radiiOf(point, threshold),
    seas: seasOf(point),
  };
}

/** The observed points, followed by the forecast from its base time on. */
function wholeTrack(entry: StormEntry): Mark[] {
  const ahead = forecastMarks(entry);
  const forecastStart = ahead[0]?.time ?? Number.POSITIVE_INFINITY;
  const observed = entry.tracks.observed.map((point) => ({
    ...ofWire(point),
    time: point.time,
    fhr: 0,
    coneKm: null,
    point,
  }));
  return [...observed.filter(({ time }) => time < forecastStart), ...ahead];
}

/** The box between two points of a track, relative to the centre. */
function boxBetween(from: TrackPoint, to: TrackPoint, share: number, centre: Place): StormBox {
  const mixed = (reach: (point: TrackPoint) => number) => reach(from) + (reach(to) - reach(from)) * share;
  const east = (degrees: number) => ((degrees % 360) + 360) % 360;
  return {
    s: centre.latitude - mixed((point) => point.lat - point.affectance_bbox.s),
    n: centre.latitude + mixed((point) => point.affectance_bbox.n - point.lat),
    w: centre.longitude - mixed((point) => east(point.lon - point.affectance_bbox.w)),
    e: centre.longitude + mixed((point) => east(point.affectance_bbox.e - point.lon)),
  };
}

/**
 * Wind radii of the quadrants as one ring: four arcs joined along the meridian and the parallel of the
 * centre.
 */
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
  const longitudes = near(
    outline.map(({ longitude }) => longitude),
    middle,
  );
  const coordinates = [outline.map(({ latitude }, index) => [longitudes[index] ?? 0, latitude])];
  return { type: "Polygon", coordinates };
}

/** Removes jumps from longitudes; the first one lies within 180° of the middle. */
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

/** Text such as `Tue 12Z`. */
function dotLabel({ time }: TrackPoint, { dates }: Words): string {
  const date = civilOf(time, utc);
  return `${dates.days[weekdayOf(date)]} ${String(date.hour).padStart(2, "0")}Z`;
}

/** Name and wind; without a forecast also the time of the observation. */
function centreLabel(entry: StormEntry, { point, lastSeen }: Centre, time: number, words: Words): string {
  const { storms, catalog } = words;
  const wind =
    point.vmax_kt === null ? [] : [inUnit(String(Math.round(point.vmax_kt)), catalog.units.kn.symbol, words)];
  const seen = lastSeen ? [storms.seen({ time: dotLabel(point, words) })] : [];
  const { development } = entry;
  const chance = development && coversTime(development, time) ? [formatChanceLabel(development, words)] : [];
  return [stormLabel(entry), ...wind, ...chance, ...seen].join("\n");
}

/** Icon of a stage, see `storm-icons.ts`. */
export function iconName({ type, category, lat }: TrackPoint, { is_invest, provider }: StormEntry): string {
  const side = lat < 0 ? "south" : "north";
  if (is_invest || type === null || type === "DB") return "storm-invest";
  // Categories refer to 1-minute winds, so a typhoon of the JMA has no number.
  if (type === "HU") return `storm-${side}-hu${provider === "jma" ? 0 : (category ?? 1)}`;
  if (type === "TS" || type === "TD") return `storm-${side}-${type.toLowerCase()}`;
  return "storm-low";
}

interface AreaProperties {
  /**
   * An area where a storm may form, the corridor of an alert, or the symbol of an area that is not an invest.
   */
  kind: "area" | "alert" | "centre";
  /** Id of the storm or area whose details a click shows. */
  id: string;
  selected: boolean;
  likelihood: Likelihood;
  icon?: string;
  label?: string;
}

/** How long an alert is drawn after its end, seconds; by then its successor must have been received. */
const LAPSED_S = 6 * 3600;

/**
 * Areas of interest and formation alerts as shapes whose longitudes continue across ±180.
 *
 * @param entries The storms of the same scene; an area that is an invest has the symbol of that invest.
 * @param time Displayed instant of the map, Unix seconds; areas that do not apply then are left out.
 */
export function areaShapes(
  areas: readonly AreaOfInterest[],
  entries: readonly StormEntry[],
  selected: string | null,
  time: number,
  words: Words,
): Feature<Geometry, AreaProperties>[] {
  const ids = new Set(entries.map(({ id }) => id));
  const alerts = entries.flatMap(({ id, formation_alert: alert }) => {
    if (!alert || time < alert.issued_at - LAPSED_S || time > alert.valid_until + LAPSED_S) return [];
    const likelihood = alert.likelihood ?? "high";
    return [shape(polygonOf(alert.corridor.map(ofWire)), { kind: "alert", id, likelihood })];
  });
  const others = areas.flatMap((area) => {
    if (!coversTime(area, time)) return [];
    const isInvest = area.storm_id !== null && ids.has(area.storm_id);
    const id = isInvest ? area.storm_id! : area.id;
    const { likelihood } = area;
    const at = areaPlace(area);
    return [
      ...(area.polygon ? [shape(polygonOf(area.polygon.map(ofWire)), { kind: "area", id, likelihood })] : []),
      ...(isInvest || !at
        ? []
        : [
            shape(
              { type: "Point", coordinates: [at.longitude, at.latitude] },
              {
                kind: "centre",
                id,
                likelihood,
                icon: `storm-area-${likelihood}`,
                label: `${areaName(area, words)}\n${formatChanceLabel(area, words)}`,
              },
            ),
          ]),
    ];
  });
  return [...others, ...alerts];

  function shape(
    geometry: Geometry,
    properties: Omit<AreaProperties, "selected">,
  ): Feature<Geometry, AreaProperties> {
    return {
      type: "Feature",
      geometry,
      properties: { ...properties, selected: properties.id === selected },
    };
  }
}

function polygonOf(ring: readonly Place[]): Geometry {
  const coordinates = unwrappedLine(ring).map(({ latitude, longitude }) => [longitude, latitude]);
  return { type: "Polygon", coordinates: [coordinates] };
}

/**
 * Position of an area: its stated place, or else the middle of its box; undefined if its text states neither.
 */
export function areaPlace({ place, polygon }: Pick<AreaOfInterest, "place" | "polygon">): Place | undefined {
  if (place) return ofWire(place);
  if (!polygon) return undefined;
  const line = unwrappedLine(polygon.map(ofWire));
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  return {
    latitude: middle(line.map(({ latitude }) => latitude)),
    longitude: middle(line.map(({ longitude }) => longitude)),
  };
}
