import type { StormEntry } from "#lib/contract/storm-form.ts";
import { isActive, silenceClock } from "./activity.ts";
import type { Bulletin } from "./bulletin.ts";
import type { StormRecord } from "./derive.ts";

/** A storm in memory, without its bulletin. */
export interface HeldStorm {
  /** As it was stored. */
  entry: StormEntry;
  /** When it has ended unless something new is received, Unix seconds; infinite while a list has it. */
  endsAt: number;
}

/** @param from Unix seconds: when the storm was stored. */
export function heldStorm(storm: StormRecord | HeldStorm, from: number): HeldStorm {
  const { entry } = storm;
  if ("endsAt" in storm) return { entry, endsAt: storm.endsAt };
  return { entry, endsAt: entry.is_active ? endOfSilence(storm.bulletin, from) : Number.POSITIVE_INFINITY };
}

/** No silence that ends a storm is longer, seconds. */
const LONGEST_SILENCE_S = 60 * 24 * 3600;

/**
 * The first second at which a storm counts as ended if its feed stands still for good, Unix seconds; infinite if never.
 * It is sought by halves with the rule that a refresh goes by, which is the only place where the hours are written.
 */
function endOfSilence(bulletin: Bulletin, from: number): number {
  const isActiveAt = (time: number) => {
    const clock = silenceClock([bulletin], () => Number.NEGATIVE_INFINITY, time);
    return isActive(bulletin, time, clock(bulletin));
  };
  let [active, ended] = [from, from + LONGEST_SILENCE_S];
  if (isActiveAt(ended)) return Number.POSITIVE_INFINITY;
  if (!isActiveAt(active)) return from;
  while (ended - active > 1) {
    const middle = Math.floor((active + ended) / 2);
    if (isActiveAt(middle)) active = middle;
    else ended = middle;
  }
  return ended;
}
