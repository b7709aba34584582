import { distanceKm, MILE_KM, type Place } from "@open-metocean/geo/sphere";
import TinyQueue from "tinyqueue";
import type { CoastNear } from "./coastline.ts";

/** Spacing of the places by which a way is searched, n mi. */
const STEP = 0.25;

/** Distance from an end of the way within which it reaches water with room, n mi. */
const REACH = 1.5;

/** The queries on a coast by which a way is searched. */
interface Water {
  isClear(from: Place, to: Place): boolean;
  nearestCoastTo(place: Place): CoastNear | undefined;
}

/**
 * Whether a way by water leads from one place to another that stays off the coast, but for its first and last mile and a half.
 *
 * @param offing Distance that it keeps from the coast, n mi.
 * @param longest Greatest length of the way, n mi.
 */
export function hasWayOff(
  from: Place,
  to: Place,
  { offing, longest }: { offing: number; longest: number },
  water: Water,
): boolean {
  const shrink = Math.cos((from.latitude * Math.PI) / 180);
  const at = (row: number, column: number): Place => {
    const turned = from.longitude + (column * STEP) / 60 / shrink;
    return {
      latitude: Math.max(-90, Math.min(90, from.latitude + (row * STEP) / 60)),
      longitude: turned - 360 * Math.round(turned / 360),
    };
  };
  const milesFromTo = (place: Place) => distanceKm(place, to) / MILE_KM;
  const isOff = (place: Place) => (water.nearestCoastTo(place)?.miles ?? Number.POSITIVE_INFINITY) >= offing;
  const gone = new Map<string, number>();
  const open = new TinyQueue<{ row: number; column: number; miles: number; whole: number }>(
    [],
    (one, other) => one.whole - other.whole,
  );
  const visit = (row: number, column: number, miles: number, isReached: (place: Place) => boolean) => {
    const key = `${row},${column}`;
    if (miles >= (gone.get(key) ?? Number.POSITIVE_INFINITY)) return;
    const place = at(row, column);
    const whole = miles + milesFromTo(place);
    if (whole > longest || !isOff(place) || !isReached(place)) return;
    gone.set(key, miles);
    open.push({ row, column, miles, whole });
  };
  const most = Math.floor(REACH / STEP);
  for (let row = -most; row <= most; row++)
    for (let column = -most; column <= most; column++) {
      const miles = Math.hypot(row, column) * STEP;
      if (miles <= REACH) visit(row, column, miles, (place) => water.isClear(from, place));
    }
  for (let next = open.pop(); next; next = open.pop()) {
    const { row, column, miles } = next;
    const place = at(row, column);
    if (milesFromTo(place) <= REACH && water.isClear(place, to)) return true;
    for (let up = -1; up <= 1; up++)
      for (let right = -1; right <= 1; right++)
        visit(row + up, column + right, miles + Math.hypot(up, right) * STEP, () => true);
  }
  return false;
}
