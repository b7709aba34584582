import { formatAge, formatMinutes, formatShortTime } from "#components/view-state/format-time.ts";
import type { Zone } from "#components/view-state/zone.ts";
import { type Fix, isPlanned, STALE_FIX_S } from "#lib/geo/dead-reckoning.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { formatBearing, positionText } from "#lib/position.ts";

/** `Position of Tue 15 Sep 06:12 UTC, 3 h ago.` */
export function formatFixAge({ time }: Fix, now: number, zone: Zone): string {
  return `Position of ${formatShortTime(time, zone)} ${zone.label(time)}, ${formatMinutes(time, now)}.`;
}

/** How the ship goes on from its position. */
export function formatWay({ course, speed }: Fix): string {
  if (speed === 0) return "At anchor.";
  return `Course ${formatBearing(course)} at ${speed.toFixed(1)} kn, by dead reckoning along a rhumb line.`;
}

/** What a user must know about the age of the position; undefined where there is nothing to say. */
export function fixWarning(fix: Fix, now: number): string | undefined {
  const { time, speed } = fix;
  if (isPlanned(fix, now))
    return "This position is of a time to come: until then the ship is drawn there, and storms are measured from that time on.";
  if (now - time <= STALE_FIX_S) return undefined;
  const age = formatAge(time, now);
  return speed === 0
    ? `This position was entered ${age}: is the ship still there?`
    : `This position was entered ${age}: the ship may be far from where dead reckoning puts it. Enter a new one.`;
}

/** Spoken when the ship has changed. */
export function describeShip(fix: Fix | undefined): string {
  if (!fix) return "Your ship is forgotten.";
  const position = positionText(fix.latitude, fix.longitude);
  return fix.speed === 0
    ? `Your ship is at anchor at ${position}.`
    : `Your ship is at ${position}, course ${formatBearing(fix.course)} at ${fix.speed.toFixed(1)} knots.`;
}

/** How far a device's position may be off. @param metres Radius of 95 %, as browsers give it. */
export function formatAccuracy(metres: number): string {
  if (metres >= MILE_KM * 1000)
    return `The position of this device is accurate to ${(metres / 1000 / MILE_KM).toFixed(1)} n mi only: check it.`;
  return `The position of this device, accurate to ${Math.max(1, Math.round(metres))} m.`;
}
