import { XMLParser, XMLValidator } from "fast-xml-parser";
import { readDecimal } from "#lib/decimal.ts";
import type { LegKind } from "#lib/passage/route.ts";
import {
  type ListProblem,
  type ListProblems,
  PointListError,
  problemsOf,
  usableLists,
} from "./list-problem.ts";
import { type ListedPoint, readInstant, wrapped, wrongAxis } from "./point-list.ts";
import { lengthKm, scheduled, withoutDrawingTimes } from "./schedule.ts";

/** One route or track of a file, or all of its waypoints. */
export interface GpxList {
  kind: "route" | "track" | "waypoints";
  /** Empty if the file gives none. */
  name: string;
  points: ListedPoint[];
  /** Length along great circles, km; 0 for waypoints. */
  km: number;
  /** Planned speed, knots, if the file has one. */
  knots?: number | undefined;
  /** Planned departure, Unix seconds. */
  departure?: number | undefined;
  /** The times of its points cannot be those of a passage and were left out. */
  timesLeftOut: boolean;
  /** Points without a position, which are not in `points`. */
  unread?: ListProblems | undefined;
}

/** Text of an element; an object if the element has attributes. */
export type Text = string | { "#text"?: string };

interface GpxPoint {
  "@lat"?: string;
  "@lon"?: string;
  name?: Text;
  time?: Text;
  extensions?:
    | {
        rte_properties?: { "@planned_speed"?: string; "@etd"?: string };
        /** A list if other programs use elements of the same name too. */
        gate?: unknown;
      }
    | string;
}

interface GpxPath {
  name?: Text;
  extensions?: { planned_speed?: Text; planned_departure?: Text } | string;
  rtept?: GpxPoint[];
  trkseg?: { trkpt?: GpxPoint[] }[];
}

interface Gpx {
  wpt?: GpxPoint[];
  rte?: GpxPath[];
  trk?: GpxPath[];
}

/**
 * Routes, tracks and waypoints of a GPX file, with their names. Times of a route come from OpenCPN's planned
 * departure and speeds (`opencpn:planned_departure`, `opencpn:planned_speed`, `opencpn:rte_properties` of a
 * point with the speed of the leg that ends there and the time of departure from it), otherwise from its
 * points if those can be times of a passage.
 *
 * @throws PointListError for a file that is not GPX, has a document type, or no point with a position.
 */
export function readGpx(text: string): GpxList[] {
  const { gpx } = parseXml<{ gpx?: Gpx | string }>(text, "wpt rte rtept trk trkseg trkpt", {
    documentType: { code: "documentType" },
    unsound: { code: "unsoundGpx" },
    unreadable: (reason) => ({ code: "unreadableGpx", reason }),
  });
  if (gpx === undefined) throw new PointListError([{ code: "noGpx" }]);
  const { rte = [], trk = [], wpt = [] } = typeof gpx === "string" ? {} : gpx;
  const routes = rte.map(({ rtept = [], ...route }, index): GpxList => {
    const list = { kind: "route", name: textOf(route.name), number: index + 1 } as const;
    const { points, given, unread } = soundPoints(rtept, pointOf, list);
    return { kind: list.kind, name: list.name, ...planned(route, points, given), unread };
  });
  const tracks = trk.map((track, index): GpxList => {
    const list = { kind: "track", name: textOf(track.name), number: index + 1 } as const;
    const all = (track.trkseg ?? []).flatMap((segment) => (segment ? (segment.trkpt ?? []) : []));
    const { points, unread } = soundPoints(all, pointOf, list);
    return { kind: list.kind, name: list.name, points, km: lengthKm(points), timesLeftOut: false, unread };
  });
  const { points, unread } = soundPoints(wpt, pointOf, { kind: "waypoints", name: "", number: 1 });
  const marks = { kind: "waypoints", name: "", ...withoutDrawingTimes(points), km: 0, unread } as const;
  return usableLists<GpxList>([...routes, ...tracks, marks]);
}

function pointOf(point: GpxPoint): ListedPoint {
  const { rte_properties: properties, gate } = typeof point.extensions === "object" ? point.extensions : {};
  return {
    latitude: numberOf(point["@lat"]),
    longitude: numberOf(point["@lon"]),
    time: present(readInstant(textOf(point.time))),
    name: nameOf(point.name),
    knots: speedOf(properties?.["@planned_speed"]),
    ...gateOf(gate),
  };
}

/**
 * Attributes of the gate element that names a tide station; elements without one belong to other programs.
 */
function gateOf(elements: unknown): Pick<ListedPoint, "gate"> {
  const isOurs = (one: unknown): one is object =>
    typeof one === "object" && one !== null && "@station" in one;
  const ours = [elements].flat().find(isOurs);
  if (!ours) return {};
  const attributes = Object.entries(ours).filter(([name]) => name.startsWith("@"));
  return {
    gate: Object.fromEntries(attributes.map(([name, value]) => [name.slice(1), xmlText(String(value))])),
  };
}

function planned(
  route: GpxPath,
  points: ListedPoint[],
  given: readonly GpxPoint[],
): Omit<GpxList, "kind" | "name"> {
  const extensions = typeof route.extensions === "object" ? route.extensions : {};
  const knots = speedOf(textOf(extensions.planned_speed));
  const departure = present(readInstant(textOf(extensions.planned_departure)));
  const km = lengthKm(points);
  const everyLeg = knots !== undefined || points.slice(1).every((point) => point.knots !== undefined);
  if (departure === undefined || !everyLeg) return { knots, departure, ...withoutDrawingTimes(points), km };
  const untimed = points.map(({ time: _, ...point }) => point);
  const left = given.map(({ extensions }) =>
    readInstant((typeof extensions === "object" ? extensions.rte_properties?.["@etd"] : undefined) ?? ""),
  );
  return {
    knots,
    departure,
    points: scheduled(untimed, departure, knots ?? 0, left),
    km,
    timesLeftOut: false,
  };
}

interface Leg {
  "@geometryType"?: string;
}

interface Waypoint {
  "@id"?: string;
  "@name"?: string;
  position?: { "@lat"?: string; "@lon"?: string };
  /** How the waypoint is reached. */
  leg?: Leg;
}

interface ScheduleElement {
  "@waypointId"?: string;
  "@eta"?: string;
  "@etd"?: string;
  "@speed"?: string;
}

/** Version 1.0 spells it `sheduleElement`. */
interface Elements {
  scheduleElement?: ScheduleElement[];
  sheduleElement?: ScheduleElement[];
}

interface Route {
  routeInfo?: { "@routeName"?: string };
  waypoints?: { defaultWaypoint?: { leg?: Leg }; waypoint?: Waypoint[] };
  schedules?: { schedule?: { manual?: Elements; calculated?: Elements }[] };
}

/**
 * Reads the route of an RTZ file (IEC 61174, versions 1.0 to 1.2): names, kinds of legs, and the times and
 * speeds of its first schedule. Extensions are not read.
 *
 * @throws PointListError for a file that is not RTZ, has a document type, or no position.
 */
export function readRtz(text: string): GpxList[] {
  const unsound = { code: "unsoundRtz" } as const;
  const repeated = "waypoint schedule scheduleElement sheduleElement";
  const { route } = parseXml<{ route?: Route }>(text, repeated, { unsound });
  if (typeof route !== "object") throw new PointListError([unsound]);
  const { routeInfo, waypoints, schedules } = route;
  const plan = planOf(schedules);
  const usual = kindOf(waypoints?.defaultWaypoint?.leg) ?? "rhumb";
  const name = textOf(routeInfo?.["@routeName"]);
  const plannedAt = (waypoint: Waypoint) => plan.get(waypoint["@id"] ?? "");
  const { points, given, unread } = soundPoints(
    waypoints?.waypoint ?? [],
    (waypoint): ListedPoint => {
      const { eta, etd, knots } = plannedAt(waypoint) ?? {};
      return {
        latitude: numberOf(waypoint.position?.["@lat"]),
        longitude: numberOf(waypoint.position?.["@lon"]),
        leg: kindOf(waypoint.leg) ?? usual,
        name: nameOf(waypoint["@name"]),
        time: eta ?? etd,
        knots,
      };
    },
    { kind: "route", name, number: 1 },
  );
  const left = given.map((waypoint) => plannedAt(waypoint)?.etd ?? Number.NaN);
  return usableLists([{ kind: "route", name, km: lengthKm(points), unread, ...timed(points, left) }]);
}

/** @param left Times of departure from the points, Unix seconds. */
function timed(points: ListedPoint[], left: readonly number[]) {
  const [first, ...others] = points;
  const departure = present(left[0]) ?? first?.time;
  const speeds = new Set(others.map(({ knots }) => knots));
  const [knots] = speeds.size === 1 ? speeds : [];
  const found = withoutDrawingTimes(points);
  const isWhole = others.every((point) => point.time !== undefined || point.knots !== undefined);
  if (departure === undefined || found.timesLeftOut || !isWhole) return { knots, departure, ...found };
  return { knots, departure, points: scheduled(points, departure, 0, left), timesLeftOut: false };
}

/** The plan for each waypoint, by its id. Calculated values are used where none was set by hand. */
function planOf(schedules: Route["schedules"]) {
  const [schedule] = schedules?.schedule ?? [];
  const elements = [schedule?.manual, schedule?.calculated].flatMap((one) => [
    ...(one?.scheduleElement ?? []),
    ...(one?.sheduleElement ?? []),
  ]);
  const plan = new Map<string, { eta?: number; etd?: number; knots?: number }>();
  for (const element of elements) {
    const id = element["@waypointId"] ?? "";
    const known = plan.get(id);
    plan.set(id, {
      eta: present(readInstant(element["@eta"] ?? "")) ?? known?.eta,
      etd: present(readInstant(element["@etd"] ?? "")) ?? known?.etd,
      knots: speedOf(element["@speed"]) ?? known?.knots,
    });
  }
  return plan;
}

function kindOf(leg: Leg | undefined): LegKind | undefined {
  if (leg?.["@geometryType"] === "Orthodrome") return "great_circle";
  return leg?.["@geometryType"] === "Loxodrome" ? "rhumb" : undefined;
}

/**
 * Separates the points that have a position from problems of the others.
 *
 * @param read Returns longitudes of any convention; NaN if the file has no number.
 * @returns `given` has the elements from which the points were read.
 */
export function soundPoints<Given>(
  all: readonly Given[],
  read: (given: Given) => ListedPoint,
  list: { kind: GpxList["kind"]; name: string; number: number },
): { points: ListedPoint[]; given: Given[]; unread: ListProblems | undefined } {
  const problems: ListProblem[] = [];
  const points: ListedPoint[] = [];
  const given = all.filter((one, index) => {
    const point = read(one);
    const axis = wrongAxis(point.latitude, point.longitude);
    if (axis)
      problems.push({ code: "gpxAngle", axis, ...list, name: list.name || undefined, point: index + 1 });
    else points.push({ ...point, longitude: wrapped(point.longitude) });
    return !axis;
  });
  return { points, given, unread: problemsOf(problems) };
}

/**
 * Parses XML from outside: entities are not expanded, and every value stays text.
 *
 * @param repeated Names of the elements that are lists.
 * @throws PointListError for XML that is not well-formed, and for a document type, which could declare
 * entities.
 */
export function parseXml<Document>(
  text: string,
  repeated: string,
  {
    unsound,
    documentType = unsound,
    unreadable = () => unsound,
  }: { unsound: ListProblem; documentType?: ListProblem; unreadable?: (reason: string) => ListProblem },
): Document {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new PointListError([documentType]);
  if (XMLValidator.validate(text) !== true) throw new PointListError([unsound]);
  const lists = new Set(repeated.split(" "));
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseAttributeValue: false,
    parseTagValue: false,
    processEntities: false,
    removeNSPrefix: true,
    isArray: (name) => lists.has(name),
  });
  try {
    return parser.parse(text) as Document;
  } catch (error) {
    // Some documents pass the validator and fail in the parser.
    throw new PointListError([unreadable(error instanceof Error ? error.message : String(error))]);
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Text between two tags: CDATA unchanged; elsewhere the five predefined entities and character references are
 * decoded, and no other entity.
 */
export function xmlText(text: string): string {
  return text
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((part) => (part.startsWith("<![CDATA[") ? part.slice(9, -3) : plainText(part)))
    .join("");
}

function plainText(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name) return NAMED[name] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
    return isCharacter ? String.fromCodePoint(code) : "";
  });
}

export function textOf(text: Text | undefined): string {
  return xmlText(typeof text === "object" ? (text["#text"] ?? "") : (text ?? "")).trim();
}

/** Name of a point, at most 100 characters. */
function nameOf(text: Text | undefined): string | undefined {
  return textOf(text).slice(0, 100) || undefined;
}

function numberOf(text = ""): number {
  return readDecimal(text.trim());
}

/** Speed in knots; undefined if it is absent or impossible for a vessel. */
function speedOf(text = ""): number | undefined {
  const knots = numberOf(text);
  return knots > 0.1 && knots < 1000 ? knots : undefined;
}

function present(value = Number.NaN): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
