import { XMLValidator } from "fast-xml-parser";
import { readDecimal } from "#lib/decimal.ts";
import type { LegKind } from "#lib/passage/route.ts";
import type { GpxList } from "./gpx.ts";
import { type ListProblem, PointListError, problemsOf, usableLists } from "./list-problem.ts";
import { type ListedPoint, readInstant, wrapped, wrongAxis } from "./point-list.ts";
import { lengthKm, withoutDrawingTimes } from "./route-times.ts";
import { scheduled } from "./schedule.ts";
import { xmlParser, xmlText } from "./xml-text.ts";

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

/** Version 1.0 has `sheduleElement`. */
interface Elements {
  scheduleElement?: ScheduleElement[];
  sheduleElement?: ScheduleElement[];
}

interface Route {
  routeInfo?: { "@routeName"?: string };
  waypoints?: { defaultWaypoint?: { leg?: Leg }; waypoint?: Waypoint[] };
  schedules?: { schedule?: { manual?: Elements; calculated?: Elements }[] };
}

const repeated = new Set(["waypoint", "schedule", "scheduleElement", "sheduleElement"]);

const parser = xmlParser(repeated);

/**
 * The route of an RTZ file (IEC 61174, versions 1.0 to 1.2): names, kinds of legs, and the times and speeds of its first
 * schedule. Extensions are not read.
 *
 * @throws PointListError for a file that is not RTZ, has a document type, or no position.
 */
export function readRtz(text: string): GpxList[] {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text) || XMLValidator.validate(text) !== true) throw unsound();
  const { routeInfo, waypoints, schedules } = parsed(text);
  const plan = planOf(schedules);
  const usual = kindOf(waypoints?.defaultWaypoint?.leg) ?? "rhumb";
  const name = textOf(routeInfo?.["@routeName"]);
  const problems: ListProblem[] = [];
  const points: ListedPoint[] = [];
  const left: number[] = [];
  for (const [index, waypoint] of (waypoints?.waypoint ?? []).entries()) {
    const [latitude, longitude] = [
      numberOf(waypoint.position?.["@lat"]),
      numberOf(waypoint.position?.["@lon"]),
    ];
    const axis = wrongAxis(latitude, longitude);
    if (axis) {
      problems.push({
        code: "gpxAngle",
        axis,
        kind: "route",
        name: name || undefined,
        number: 1,
        point: index + 1,
      });
      continue;
    }
    const called = textOf(waypoint["@name"]).slice(0, 100);
    const { eta = Number.NaN, etd = Number.NaN, knots = Number.NaN } = plan.get(waypoint["@id"] ?? "") ?? {};
    const time = Number.isNaN(eta) ? etd : eta;
    points.push({
      latitude,
      longitude: wrapped(longitude),
      leg: kindOf(waypoint.leg) ?? usual,
      ...(called && { name: called }),
      ...(!Number.isNaN(time) && { time }),
      ...(knots > 0.1 && knots < 1000 && { knots }),
    });
    left.push(etd);
  }
  const unread = problemsOf(problems);
  const list = { kind: "route", name, km: lengthKm(points), ...(unread && { unread }) } as const;
  return usableLists([{ ...list, ...timed(points, left) }]);
}

/** @param left Times of leaving the points, Unix seconds. */
function timed(points: ListedPoint[], left: readonly number[]) {
  const [first, ...others] = points;
  const departure = Number.isNaN(left[0] ?? Number.NaN) ? first?.time : left[0];
  const speeds = new Set(others.map(({ knots }) => knots));
  const [knots] = speeds.size === 1 ? speeds : [];
  const plan = { ...(knots !== undefined && { knots }), ...(departure !== undefined && { departure }) };
  const found = withoutDrawingTimes(points);
  const isWhole = others.every((point) => point.time !== undefined || point.knots !== undefined);
  if (departure === undefined || found.timesLeftOut || !isWhole) return { ...plan, ...found };
  return { ...plan, points: scheduled(points, departure, 0, left), timesLeftOut: false };
}

function parsed(text: string): Route {
  try {
    const { route } = parser.parse(text) as { route?: Route };
    if (typeof route !== "object") throw unsound();
    return route;
  } catch {
    // What the validator lets through and the parser does not.
    throw unsound();
  }
}

/** What is planned for each waypoint, by its id. Calculated values stand beside those that were set by hand. */
function planOf(schedules: Route["schedules"]): Map<string, { eta: number; etd: number; knots: number }> {
  const [schedule] = schedules?.schedule ?? [];
  const elements = [schedule?.manual, schedule?.calculated].flatMap((one) => [
    ...(one?.scheduleElement ?? []),
    ...(one?.sheduleElement ?? []),
  ]);
  const plan = new Map<string, { eta: number; etd: number; knots: number }>();
  for (const element of elements) {
    const id = element["@waypointId"] ?? "";
    const known = plan.get(id);
    const or = (value: number, before = Number.NaN) => (Number.isNaN(value) ? before : value);
    plan.set(id, {
      eta: or(readInstant(element["@eta"] ?? ""), known?.eta),
      etd: or(readInstant(element["@etd"] ?? ""), known?.etd),
      knots: or(numberOf(element["@speed"]), known?.knots),
    });
  }
  return plan;
}

function kindOf(leg: Leg | undefined): LegKind | undefined {
  if (leg?.["@geometryType"] === "Orthodrome") return "great_circle";
  return leg?.["@geometryType"] === "Loxodrome" ? "rhumb" : undefined;
}

function numberOf(text = ""): number {
  return readDecimal(text.trim());
}

function textOf(text = ""): string {
  return xmlText(text).trim();
}

function unsound(): PointListError {
  return new PointListError([{ code: "unsoundRtz" }]);
}
