import { distanceKm } from "#lib/geo/sphere.ts";
import { DAY_S } from "#lib/time.ts";
import type { Chance } from "./chance.ts";
import type { Deck } from "./deck.ts";

const STEP_S = 6 * 3600;

/** Storms of a season are further apart than this, km, at all times within `APART_S` of each other. */
const APART_KM = 1000;
const APART_S = 48 * 3600;

/** A deck, and by how much its times are moved, seconds. */
export interface Placed {
  deck: Deck;
  shiftS: number;
}

/**
 * Places decks of different years into one season, so that several storms live at a time and none is near another one.
 * Decks that do not fit are left out.
 *
 * @param around A time within the life of the first storm; undefined to leave it where it is.
 */
export function placed(chance: Chance, decks: readonly Deck[], around: number | undefined): Placed[] {
  const [first, ...others] = decks;
  const life = first!.fixes;
  const shift =
    around === undefined ? 0 : around - life[chance.between(1, Math.max(1, life.length - 2))]!.time;
  const season: Placed[] = [{ deck: first!, shiftS: Math.round(shift / STEP_S) * STEP_S }];
  const begins = life[0]!.time + season[0]!.shiftS;
  for (const deck of others) {
    for (let attempt = 0; attempt < 5; attempt++) {
      const start = begins + chance.between(-20, 40) * STEP_S;
      const one = { deck, shiftS: Math.round((start - deck.fixes[0]!.time) / STEP_S) * STEP_S };
      if (season.some((other) => isNear(one, other))) continue;
      season.push(one);
      break;
    }
  }
  return season;
}

function isNear(one: Placed, other: Placed): boolean {
  return one.deck.fixes.some((fix) =>
    other.deck.fixes.some(
      (its) =>
        Math.abs(fix.time + one.shiftS - its.time - other.shiftS) <= APART_S &&
        distanceKm(fix, its) < APART_KM,
    ),
  );
}

/** Turns of a year, and of a southern season, between which storms are split. */
export function turnOfYear(chance: Chance, basin: string): number {
  const year = chance.between(2023, 2029);
  const isSouthern = basin === "SH" && chance.is(0.5);
  return Date.UTC(year, isSouthern ? 6 : 0, 1) / 1000 + chance.between(-2, 2) * (DAY_S / 4);
}
