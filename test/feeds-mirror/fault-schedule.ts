import { seeded } from "#test/seeded.ts";
import { type Fault, objectFaults, responseFaults } from "./faults.ts";

const HOUR_S = 3600;
/** Faults that begin in an hour, at most. */
const MOST_AN_HOUR = 3;

/** Faults by chance for the hour that begins, the same for the same seed: on a part of the objects, for up to two hours. */
export function seededFaults(seed: number): (now: number) => Fault[] {
  return (now) => {
    const hour = Math.floor(now / HOUR_S);
    const random = seeded(seed * 7919 + hour);
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
    return Array.from({ length: Math.floor(random() * (MOST_AN_HOUR + 1)) }, () => {
      // Names that end with certain digits, so that about a fifth of what a feed asks for is hit.
      const match = `f\\d\\d${pick(["0", "3", "5", "6", "8"])}|${pick(["0", "3", "6", "9"])}h-|SMOC|timeChunked|oisst`;
      const from = hour * HOUR_S;
      if (random() < 0.5)
        return { fault: pick(responseFaults), match, times: 1 + Math.floor(random() * 4), from };
      return { fault: pick(objectFaults), match, from, until: from + HOUR_S * (0.5 + 1.5 * random()) };
    });
  };
}
