import { XMLValidator } from "fast-xml-parser";
import { readDecimal } from "#lib/decimal.ts";
import {
  type ListProblem,
  type ListProblems,
  PointListError,
  problemsOf,
  usableLists,
} from "./list-problem.ts";
import { type ListedPoint, readInstant, wrapped, wrongAxis } from "./point-list.ts";
import { lengthKm, withoutDrawingTimes } from "./route-times.ts";
import { scheduled } from "./schedule.ts";
import { xmlParser, xmlText } from "./xml-text.ts";

type Text = string | { "#text"?: string };

interface GpxPoint {
  "@lat"?: string;
  "@lon"?: string;
  name?: Text;
  time?: Text;
  extensions?: { rte_properties?: { "@planned_speed"?: string; "@etd"?: string } } | string;
}

interface GpxPath<Point extends "rtept" | "trkpt"> {
  name?: Text;
  extensions?: { planned_speed?: Text; planned_departure?: Text } | string;
  rtept?: Point extends "rtept" ? GpxPoint[] : never;
  trkseg?: { trkpt?: GpxPoint[] }[];
}

interface Gpx {
  wpt?: GpxPoint[];
  rte?: GpxPath<"rtept">[];
  trk?: GpxPath<"trkpt">[];
}

/** One route, track or all waypoints of a file. */
export interface GpxList {
  kind: "route" | "track" | "waypoints";
  /** Empty where the file gives none. */
  name: string;
  points: ListedPoint[];
  /** Length along great circles, km; 0 for waypoints. */
  km: number;
  /** Planned speed, knots, where the file has one. */
  knots?: number;
  /** Planned departure, Unix seconds. */
  departure?: number;
  /** Its points have times that cannot be those of a passage, and were left out. */
  timesLeftOut: boolean;
  /** Points that have no position, and are not among the others. */
  unread?: ListProblems;
}

const lists = new Set(["wpt", "rte", "rtept", "trk", "trkseg", "trkpt"]);

const parser = xmlParser(lists);

/**
 * Routes, tracks and waypoints of a GPX file, with their names. Times of a route come from OpenCPN's planned departure and
 * speeds (`opencpn:planned_departure`, `opencpn:planned_speed`, `opencpn:rte_properties` of a point with the speed of the
 * leg that ends there and the time of leaving it), else from its points where they can be times of a passage.
 *
 * @throws PointListError for a file that is not GPX, has a document type, or no point with a position.
 */
export function readGpx(text: string): GpxList[] {
  // Entities are declared in a document type; GPX has none.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    throw new PointListError([{ code: "documentType" }]);
  }
  if (XMLValidator.validate(text) !== true) throw new PointListError([{ code: "unsoundGpx" }]);
  const gpx = parsed(text);
  if (gpx === undefined) throw new PointListError([{ code: "noGpx" }]);
  const { rte = [], trk = [], wpt = [] } = typeof gpx === "string" ? {} : gpx;
  const found = [
    ...rte.map(({ rtept = [], ...route }, index): GpxList => {
      const name = textOf(route.name);
      const { sound, unread } = soundPoints(rtept, { kind: "route", name, number: index + 1 });
      return { kind: "route", name, ...planned({ ...route, rtept: sound }), ...unread };
    }),
    ...trk.map((track, index): GpxList => {
      const name = textOf(track.name);
      const all = (track.trkseg ?? []).flatMap((segment) => (segment ? (segment.trkpt ?? []) : []));
      const { sound, unread } = soundPoints(all, { kind: "track", name, number: index + 1 });
      const points = sound.map(pointOf);
      return { kind: "track", name, points, km: lengthKm(points), timesLeftOut: false, ...unread };
    }),
  ];
  const { sound, unread } = soundPoints(wpt, { kind: "waypoints", name: "", number: 1 });
  found.push({ kind: "waypoints", name: "", ...withoutDrawingTimes(sound.map(pointOf)), km: 0, ...unread });
  return usableLists(found);
}

function parsed(text: string): Gpx | string | undefined {
  try {
    return (parser.parse(text) as { gpx?: Gpx | string }).gpx;
  } catch (error) {
    // What the validator lets through and the parser does not.
    const reason = error instanceof Error ? error.message : String(error);
    throw new PointListError([{ code: "unreadableGpx", reason }]);
  }
}

type ListPlace = Omit<ListProblem & { code: "gpxAngle" }, "code" | "axis" | "point">;

/** The points that have a position, and what is wrong with the others. */
function soundPoints(points: readonly GpxPoint[], list: ListPlace) {
  const problems: ListProblem[] = [];
  const sound = points.filter((point, index) => {
    const axis = wrongAxis(degrees(point["@lat"]), degrees(point["@lon"]));
    if (axis)
      problems.push({ code: "gpxAngle", axis, ...list, name: list.name || undefined, point: index + 1 });
    return axis === undefined;
  });
  const unread = problemsOf(problems);
  return { sound, unread: unread && { unread } };
}

function degrees(text = ""): number {
  return readDecimal(text.trim());
}

function pointOf(point: GpxPoint): ListedPoint {
  const time = readInstant(textOf(point.time));
  const name = textOf(point.name).slice(0, 100);
  const properties = typeof point.extensions === "object" ? point.extensions.rte_properties : undefined;
  const knots = speedOf(properties?.["@planned_speed"]);
  return {
    latitude: degrees(point["@lat"]),
    longitude: wrapped(degrees(point["@lon"])),
    ...(!Number.isNaN(time) && { time }),
    ...(name && { name }),
    ...(knots && { knots }),
  };
}

function planned(route: GpxPath<"rtept">): Omit<GpxList, "kind" | "name"> {
  const points = (route.rtept ?? []).map(pointOf);
  const extensions = typeof route.extensions === "object" ? route.extensions : {};
  const knots = speedOf(textOf(extensions.planned_speed));
  const departure = readInstant(textOf(extensions.planned_departure));
  const km = lengthKm(points);
  const plan = { ...(knots && { knots }), ...(!Number.isNaN(departure) && { departure }) };
  const everyLeg = knots !== undefined || points.slice(1).every((point) => point.knots !== undefined);
  if (plan.departure !== undefined && everyLeg) {
    const untimed = points.map(({ time: _, ...point }) => point);
    const left = leavings(route);
    return { ...plan, points: scheduled(untimed, plan.departure, knots ?? 0, left), km, timesLeftOut: false };
  }
  return { ...plan, ...withoutDrawingTimes(points), km };
}

/** Times of leaving the points, Unix seconds; NaN where none is planned. */
function leavings({ rtept = [] }: GpxPath<"rtept">): number[] {
  return rtept.map(({ extensions }) =>
    readInstant((typeof extensions === "object" ? extensions.rte_properties?.["@etd"] : undefined) ?? ""),
  );
}

/** Knots; undefined for none and for what no vessel does. */
function speedOf(text = ""): number | undefined {
  const knots = readDecimal(text.trim());
  return knots > 0.1 && knots < 1000 ? knots : undefined;
}

function textOf(text: Text | undefined): string {
  return xmlText(typeof text === "object" ? (text["#text"] ?? "") : (text ?? "")).trim();
}
