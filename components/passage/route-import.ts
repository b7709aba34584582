import "#components/api-client/without-eval.ts";
import { edgeDistance, simplified } from "@open-metocean/geo/ring";
import { MILE_KM } from "@open-metocean/geo/sphere";
import { MAX_WAYPOINTS, roundedPlace } from "#components/view-state/plan.ts";
import { type GateForm, gateForm, type Plan } from "#lib/contract/passage.ts";
import { type ListProblem, type ListProblems, PointListError, problemsOf } from "#lib/points/list-problem.ts";
import type { ListedPoint } from "#lib/points/point-list.ts";
import { type ReadList, readPointFile } from "#lib/points/read-file.ts";
import { formatInstant } from "#lib/time.ts";

export interface ImportedList extends Pick<ReadList, "kind" | "name" | "unread"> {
  waypoints: Plan["route"];
  /** Number of points in the file, if some were left out. */
  from?: number;
  /** Largest distance of those points from the line, n mi. */
  within?: number;
  /** Departure, UTC. */
  departure?: string;
  knots?: number;
}

export interface ImportRequest {
  content: ArrayBuffer | string;
  /** Languages of the reader, BCP 47. */
  languages: readonly string[];
}

export type ImportReply = { lists: ImportedList[] } | { problems: ListProblems };

/** Most waypoints of a recorded track, which has few turns; more would not be useful. */
const MAX_OF_TRACK = 100;

/** Points of a track within this distance of the line are left out, n mi. */
const FINEST_MILES = 0.05;

const MAX_NAME = 60;

/** Reads the lists of a file as routes. The worker calls it, and so do tests. */
export async function importRoutes({ content, languages }: ImportRequest): Promise<ImportReply> {
  try {
    const lists = await readPointFile(typeof content === "string" ? content : new Uint8Array(content), {
      languages,
    });
    const numberOf = (index: number) =>
      lists.slice(0, index + 1).filter(({ kind }) => kind === lists[index]!.kind).length;
    return { lists: lists.map((list, index) => importedList(list, numberOf(index))) };
  } catch (error) {
    if (error instanceof PointListError) return { problems: error.problems };
    throw error;
  }
}

/** @param number Number of the list among those of its kind, from 1. */
function importedList(list: ReadList, number: number): ImportedList {
  const { kind, name, points, departure, knots } = list;
  const unread = withLostGates(list, number);
  const most = kind === "track" ? MAX_OF_TRACK : MAX_WAYPOINTS;
  const { shown, within } = points.length > most ? fewer(points, most) : { shown: points, within: undefined };
  return {
    kind,
    name: name.slice(0, 80),
    waypoints: shown.map((point) => {
      const gate = gateOf(point);
      return {
        ...roundedPlace(point),
        leg: point.leg ?? "great_circle",
        ...(point.name && { name: point.name.slice(0, MAX_NAME) }),
        ...(gate && { gate }),
      };
    }),
    ...(within !== undefined && { from: points.length, within }),
    ...(unread && { unread }),
    ...(departure !== undefined && { departure: formatInstant(departure) }),
    ...(knots !== undefined && { knots }),
  };
}

/**
 * Problems of a list, including gates in an unknown form: a passage must not be judged without its gates
 * unless the user agrees.
 */
function withLostGates({ kind, name, points, unread }: ReadList, number: number): ListProblems | undefined {
  // Only GPX files contain gates.
  if (kind === "table") return unread;
  const lost = points.flatMap((point, index): ListProblem[] =>
    point.gate && !gateOf(point)
      ? [{ code: "gpxGate", kind, name: name || undefined, number, point: index + 1 }]
      : [],
  );
  const { shown = [], more = 0 } = unread ?? {};
  return problemsOf([...shown, ...lost], shown.length + more + lost.length);
}

function gateOf({ gate: attributes }: ListedPoint): GateForm | undefined {
  if (!attributes) return undefined;
  const values = Object.entries(attributes).map(([name, text]) => {
    const isNumber = /_(m|h)$/.test(name) && text !== "";
    return [name, isNumber ? Number(text) : name === "wait" ? text === "true" : text];
  });
  return gateForm.safeParse(Object.fromEntries(values)).data;
}

/** Reduces a line of many points to the waypoints that best represent it, and those with a gate. */
function fewer(points: readonly ListedPoint[], most: number): { shown: ListedPoint[]; within: number } {
  const off = (from: number, to: number) => {
    const distance = edgeDistance([points[from]!, points[to]!]);
    return (at: number) => (points[at]!.gate ? Number.POSITIVE_INFINITY : distance(points[at]!) / MILE_KM);
  };
  const { kept, within } = simplified(points.length, off, FINEST_MILES, most);
  return { shown: kept.map((index) => points[index]!), within: Math.max(within, FINEST_MILES) };
}
