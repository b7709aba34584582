import type { PassagePiece, PassagePlan } from "#lib/contract/passage-reply.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";

/** How many rows a passage has: one a waypoint, the same and one every three hours, or one for each piece. */
export const rowModes = ["waypoints", "hours", "pieces"] as const;

export type RowMode = (typeof rowModes)[number];

/** A row of the passage table. */
export interface PassageRow {
  /** When the vessel is there, Unix seconds. */
  time: number;
  latitude: number;
  longitude: number;
  /** Position of the waypoint that it is at, from 0; undefined between waypoints. */
  waypoint: number | undefined;
  /** Since the departure. */
  elapsedSeconds: number;
  goneMiles: number;
  toGoMiles: number;
  /** What it is like there: of the piece that begins here, at the end of the one that ends here. */
  piece: PassagePiece;
  /** The last row. */
  isEnd: boolean;
}

/** Hours between the rows of a passage that has them by time. */
const EVERY_S = 3 * HOUR_S;

/**
 * The rows of a passage, the last one where it ends.
 *
 * @param miles Of the whole route.
 * @param lastWaypoint Position of the last waypoint.
 */
export function rowsOf(
  { pieces = [], end, ending, totals }: PassagePlan,
  mode: RowMode,
  miles: number,
  lastWaypoint: number,
): PassageRow[] {
  const last = pieces.at(-1);
  if (!last) return [];
  const rows = pieces.flatMap((piece, index): PassageRow[] => {
    const before = pieces[index - 1];
    const isWaypoint = before?.leg !== piece.leg;
    const isHour =
      before !== undefined &&
      Math.floor(piece.elapsed_s / EVERY_S) !== Math.floor(before.elapsed_s / EVERY_S);
    if (!isWaypoint && mode !== "pieces" && !(mode === "hours" && isHour)) return [];
    return [
      {
        time: parseInstant(piece.start.timestamp),
        latitude: piece.start.latitude,
        longitude: piece.start.longitude,
        waypoint: isWaypoint ? piece.leg : undefined,
        elapsedSeconds: piece.elapsed_s,
        goneMiles: Math.max(0, miles - piece.to_go_nm),
        toGoMiles: piece.to_go_nm,
        piece,
        isEnd: false,
      },
    ];
  });
  const gone = Math.min(miles, totals.distance_nm);
  rows.push({
    time: parseInstant(end.timestamp),
    latitude: end.latitude,
    longitude: end.longitude,
    waypoint: ending === "arrived" ? lastWaypoint : undefined,
    elapsedSeconds: totals.duration_s,
    goneMiles: gone,
    toGoMiles: Math.max(0, miles - gone),
    piece: last,
    isEnd: true,
  });
  return rows;
}

/** What is not known of a piece, which is shown in grey. */
export function isUnknown({ flags }: PassagePiece): boolean {
  return flags.includes("no_forecast");
}
