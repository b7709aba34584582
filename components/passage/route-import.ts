import { MAX_WAYPOINTS, roundedPlace } from "#components/view-state/plan-edits.ts";
import type { Plan } from "#lib/contract/plan.ts";
import { simplified } from "#lib/geo/simplify.ts";
import { MILE_KM, toArc } from "#lib/geo/sphere.ts";
import type { LegKind } from "#lib/passage/route.ts";
import { type ListProblems, PointListError } from "#lib/points/list-problem.ts";
import type { ListedPoint } from "#lib/points/point-list.ts";
import { type ReadList, readPointFile } from "#lib/points/read-file.ts";
import { formatInstant } from "#lib/time.ts";

/** One list of a file, as waypoints. */
export interface ImportedList extends Pick<ReadList, "kind" | "name"> {
  waypoints: Plan["route"];
  /** Points of the file, where some were left out. */
  from?: number;
  /** Distance from the line within which those lie, n mi. */
  within?: number;
  /** Rows of a table that could not be read. */
  refused?: number;
  /** UTC. */
  departure?: string;
  knots?: number;
}

/** What the worker is asked: bytes of a file, or pasted text. */
export interface ImportRequest {
  content: ArrayBuffer | string;
  /** Of the reader, BCP 47. */
  languages: readonly string[];
}

export type ImportReply = { lists: ImportedList[] } | { problems: ListProblems };

/** A recorded track is a way with few turns: more waypoints than these are of no use. */
const MAX_OF_TRACK = 100;

/** Where the simplification of a track begins, n mi. */
const FINEST_MILES = 0.05;

const MAX_NAME = 60;

/** Reads the lists of a file as routes; the worker runs it, and tests do. */
export async function importRoutes({ content, languages }: ImportRequest): Promise<ImportReply> {
  try {
    const lists = await readPointFile(typeof content === "string" ? content : new Uint8Array(content), {
      languages,
    });
    return { lists: lists.map(importedList) };
  } catch (error) {
    if (error instanceof PointListError) return { problems: error.problems };
    throw error;
  }
}

function importedList({ kind, name, points, departure, knots, notes }: ReadList): ImportedList {
  const most = kind === "track" ? MAX_OF_TRACK : MAX_WAYPOINTS;
  const { shown, within } = points.length > most ? fewer(points, most) : { shown: points, within: undefined };
  const leg: LegKind = "great_circle";
  return {
    kind,
    name: name.slice(0, 80),
    waypoints: shown.map((point) => ({
      ...roundedPlace(point),
      leg,
      ...(point.name && { name: point.name.slice(0, MAX_NAME) }),
    })),
    ...(within !== undefined && { from: points.length, within }),
    ...(notes && notes.refused > 0 && { refused: notes.refused }),
    ...(departure !== undefined && { departure: formatInstant(departure) }),
    ...(knots !== undefined && { knots }),
  };
}

/** The waypoints of a line of many points, no more than wanted: the tolerance is doubled until they are few enough. */
function fewer(points: readonly ListedPoint[], most: number): { shown: ListedPoint[]; within: number } {
  const off = (at: number, from: number, to: number) =>
    toArc(points[at]!, points[from]!, points[to]!).km / MILE_KM;
  for (let within = FINEST_MILES; ; within *= 2) {
    const kept = simplified(points.length, off, within);
    if (kept.length <= most) return { shown: kept.map((index) => points[index]!), within };
  }
}
