import { seeded } from "#test/seeded.ts";
import { type Fault, type FaultName, objectFaults, responseFaults } from "./faults.ts";
import type { Logged } from "./mirror.ts";
import { objectsOf } from "./objects.ts";

const HOUR_S = 3600;
/** Most faults that begin in an hour. */
const MOST_AN_HOUR = 3;

const patterns = Object.entries(objectsOf).map(([name, pattern]) => [name, new RegExp(pattern)] as const);

/** The faults of answers, by the names of all feeds that read such objects. */
export function faultsByFeed(requests: readonly Pick<Logged, "url" | "faults">[]): Map<string, FaultName[]> {
  const found = new Map<string, FaultName[]>();
  for (const { url, faults } of requests) {
    if (faults.length === 0) continue;
    for (const [name, pattern] of patterns)
      if (pattern.test(url)) found.set(name, [...(found.get(name) ?? []), ...faults]);
  }
  return found;
}

/** Patterns of feeds whose objects are steps, for leads that end with a digit. */
const stepsOf: Readonly<Record<string, (digit: string) => string>> = {
  gfs: (digit) => `${objectsOf.gfs}.*f\\d\\d${digit}`,
  gfswave: (digit) => `${objectsOf.gfswave}.*f\\d\\d${digit}`,
  ecmwf: (digit) => `${objectsOf.ecmwf}.*${digit}h-`,
  ecmwfwave: (digit) => `${objectsOf.ecmwfwave}.*${digit}h-`,
};

/** Feeds of a region. The service accepts any mean there, because a front may move it: see `disagreement`. */
const regional: ReadonlySet<string> = new Set(["dwdewam"]);

/** Pattern of the first host of each feed. */
const FIRST_HOST = "^/[^/]*(?:amazonaws|waw3|ncei|metoc|nhc)[^/]*/.*";

/** Pattern that no object matches. */
const NOTHING = "(?!)";

/**
 * Random faults that begin in an hour, determined by the seed: of one feed or of all, of one step in five or of all, at
 * the first host or at all of them; for some answers, for up to two hours, or occasionally for half a day.
 *
 * @param feeds Names of `objectsOf`.
 */
export function seededFaults(
  seed: number,
  feeds: readonly string[] = Object.keys(objectsOf),
): (now: number) => Fault[] {
  return (now) => {
    const hour = Math.floor(now / HOUR_S);
    const random = seeded(seed * 7919 + hour);
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
    return Array.from({ length: Math.floor(random() * (MOST_AN_HOUR + 1)) }, () => {
      const digit = random() < 0.7 ? pick(["0", "3", "5", "6", "8"]) : "\\d";
      const of = random() < 0.4 ? feeds : [pick(feeds)];
      const isFirstHost = random() < 0.4;
      const matchOf = (names: readonly string[]) => {
        const objects = names.map((name) => stepsOf[name]?.(digit) ?? objectsOf[name]!).join("|") || NOTHING;
        return isFirstHost ? `${FIRST_HOST}(?:${objects.replaceAll("^/", "")})` : objects;
      };
      const match = matchOf(of);
      const from = hour * HOUR_S;
      const until = from + HOUR_S * (random() < 0.1 ? 6 + 8 * random() : 0.5 + 1.5 * random());
      if (random() < 0.5) {
        const fault = pick(objectFaults);
        const noticed = fault === "mean-jump" ? matchOf(of.filter((name) => !regional.has(name))) : match;
        return { fault, match: noticed, from, until };
      }
      const times = random() < 0.7 ? 1 + Math.floor(random() * 4) : undefined;
      // A few answers may be those of the next day.
      return { fault: pick(responseFaults), match, from, ...(times === undefined ? { until } : { times }) };
    });
  };
}
