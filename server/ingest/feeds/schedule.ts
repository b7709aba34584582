import { HOUR_S } from "#lib/time.ts";
import type { FieldFeed, Part } from "./field-feed.ts";

const MINUTE = 60;
/** A cycle is looked for so often, at most, while its parts are expected. */
const LOOKS = 120;

/** Base time of the newest cycle whose first part is expected by now. @param now Unix seconds. */
export function newestCycle({ cycles, delay }: Pick<FieldFeed, "cycles" | "delay">, now: number): number {
  const { every, offset } = cycles;
  return offset + Math.floor((now - delay.first - offset) / every) * every;
}

/** When a part is expected: parts appear evenly between the first and the last. */
export function expectedAt({ delay }: Pick<FieldFeed, "delay">, part: Part, count: number): number {
  const share = count > 1 ? part.index / (count - 1) : 0;
  return part.cycle + delay.first + share * (delay.whole - delay.first);
}

/**
 * When to look again for a cycle of which parts are absent: every minute while they are expected, more rarely where they
 * are expected within a day, and when they are late.
 */
export function nextLook({ delay }: Pick<FieldFeed, "delay">, cycle: number, now: number): number {
  const late = now - (cycle + delay.whole);
  if (late < HOUR_S) return now + Math.max(MINUTE, (delay.whole - delay.first) / LOOKS);
  return now + (late < 4 * HOUR_S ? 5 : 15) * MINUTE;
}

/** When to try again after failures in a row. @param failures 1 for the first. */
export function retryAt(now: number, failures: number, most = 15 * MINUTE): number {
  return now + Math.min(most, MINUTE * 2 ** Math.min(failures - 1, 20));
}
