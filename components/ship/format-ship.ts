import type { Zone } from "#components/view-state/civil.ts";
import { formatAge, formatMinutes, formatShortTime } from "#components/view-state/format-time.ts";
import { type Fix, isPlanned, STALE_FIX_S } from "#lib/geo/dead-reckoning.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { formatBearing, positionText } from "#lib/position.ts";

/** `Position of Tue 15 Sep 06:12 UTC, 3 h ago.` */
export function formatFixAge({ time }: Fix, now: number, zone: Zone): string {
  return zone.words.ship.positionOf({
    when: formatShortTime(time, zone),
    clock: zone.label(time),
    age: formatMinutes(time, now, zone.words),
  });
}

/** How the ship goes on from its position. */
export function formatWay(fix: Fix, words: Words): string {
  return fix.speed === 0 ? words.ship.atAnchor : words.ship.underWay(motionOf(fix, words));
}

function motionOf({ course, speed }: Fix, { language }: Words) {
  return { course: formatBearing(course), speed: formatNumber(speed, 1, language) };
}

/** What a user must know about the age of the position; undefined where there is nothing to say. */
export function fixWarning(fix: Fix, now: number, words: Words): string | undefined {
  const { time, speed } = fix;
  if (isPlanned(fix, now)) return words.ship.planned;
  if (now - time <= STALE_FIX_S) return undefined;
  const age = formatAge(time, now, words);
  return speed === 0 ? words.ship.oldAtAnchor({ age }) : words.ship.oldUnderWay({ age });
}

/** Spoken when the ship has changed. */
export function describeShip(fix: Fix | undefined, words: Words): string {
  const { said } = words.ship;
  if (!fix) return said.forgotten;
  const position = positionText(fix.latitude, fix.longitude);
  return fix.speed === 0 ? said.atAnchor({ position }) : said.underWay({ position, ...motionOf(fix, words) });
}

/** How far a device's position may be off. @param metres Radius of 95 %, as browsers give it. */
export function formatAccuracy(metres: number, { ship: { device }, language }: Words): string {
  if (metres >= MILE_KM * 1000)
    return device.accurateToMiles({ miles: formatNumber(metres / 1000 / MILE_KM, 1, language) });
  return device.accurateToMetres({ metres: String(Math.max(1, Math.round(metres))) });
}
