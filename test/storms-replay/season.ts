import type { Place } from "@open-metocean/geo/sphere";
import type { Provider } from "@open-metocean/storms/bulletin";
import { seeded } from "#test/seeded.ts";

/** One version of a text, as an agency publishes it. */
export interface Publication {
  /** Unix seconds. */
  at: number;
  /** Path in the mirror. */
  source: string;
  /** Text; null if the agency removes it. */
  text: string | null;
  /** Content of the whole text, as its writer knows it. */
  says: Said;
}

export interface Said {
  /** Index in `storms` of the season; undefined for a list. */
  storm?: number;
  /** Base time of its newest fix or forecast, Unix seconds. */
  base?: number;
  /** Hours of its newest forecast, whose base time is `base`; empty for a bulletin without one. */
  hours?: readonly number[];
  /** Whether it is the agency's last text about the storm. */
  ends?: boolean;
  /** Ids, or codes of the JMA, of all active storms of the basins. */
  lists?: { keys: string[]; basins: string[] };
}

/** A fix that a text states. */
export interface GivenFix extends Place {
  /** Unix seconds. */
  time: number;
  /** Knots; null if the text states none. */
  windKt: number | null;
  /** Nautical miles by threshold: NE, SE, SW, NW. */
  radii: Partial<Record<34 | 50 | 64, readonly number[]>>;
}

/** A storm of a season, with everything that its texts state. */
export interface SeasonStorm {
  /** Ids under which it is published, in order: that of the invest, that of the storm. */
  ids: string[];
  /** JMA's code. */
  code?: string;
  given: GivenFix[];
  /** Times of the fixes of its deck, or of JMA's analyses. Once published they stay. */
  tracked: ReadonlySet<number>;
  /** Points of forecasts, at their valid times. */
  forecasts: { base: number; points: GivenFix[] }[];
  /** Lines that are drawn without times, as keys of their places. */
  lines: string[][];
}

/** The texts of one provider over a season. */
export interface Season {
  provider: Provider;
  /** Ascending in time. */
  publications: Publication[];
  storms: SeasonStorm[];
}

/** Key of a place in tenths of a degree. */
export function placeKey({ latitude, longitude }: Place): string {
  const east = longitude > 180 ? longitude - 360 : longitude <= -180 ? longitude + 360 : longitude;
  return `${Math.round(latitude * 10) / 10 + 0} ${Math.round(east * 10) / 10 + 0}`;
}

export function ascending(publications: readonly Publication[]): Publication[] {
  return publications.toSorted((one, other) => one.at - other.at);
}

/** Random choices that a seed repeats. */
export type Chance = ReturnType<typeof chance>;

export function chance(seed: number) {
  const random = seeded(seed);
  /** A whole number, both ends included. */
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return {
    between,
    /** Whether an event of the given probability, 0..1, occurs. */
    is: (probability: number) => random() < probability,
    of: <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)]!,
  };
}
