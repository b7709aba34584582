import type { Place } from "@open-metocean/geo/sphere";
import type { Provider } from "@open-metocean/storms/bulletin";
import { seeded } from "#test/seeded.ts";

/** One version of a text, as an agency publishes it. */
export interface Publication {
  /** Unix seconds. */
  at: number;
  /** Path in the mirror. */
  source: string;
  /** Null if the agency removes the text. */
  text: string | null;
  /** What the whole text says, by its writer. */
  says: Said;
}

export interface Said {
  /** Index in `storms` of the season; undefined for a list. */
  storm?: number;
  /** Base time of its newest fix or forecast, Unix seconds. */
  base?: number;
  /** Hours of its newest forecast, whose base time is `base`; of a bulletin without one none. */
  hours?: readonly number[];
  /** The agency's last word on the storm. */
  ends?: boolean;
  /** Ids, or codes of the JMA, of all active storms of the basins. */
  lists?: { keys: string[]; basins: string[] };
}

/** A fix that a text gives. */
export interface GivenFix extends Place {
  /** Unix seconds. */
  time: number;
  /** Knots; null if the text gives none. */
  windKt: number | null;
  /** Nautical miles by threshold: NE, SE, SW, NW. */
  radii: Partial<Record<34 | 50 | 64, readonly number[]>>;
}

/** A storm of a season, and everything that its texts give. */
export interface SeasonStorm {
  /** Ids under which it is published, in order: of the invest, of the storm. */
  ids: string[];
  /** JMA's code. */
  code?: string;
  given: GivenFix[];
  /** Times of the fixes of its deck, or of JMA's analyses: once published they stay. */
  tracked: ReadonlySet<number>;
  /** Points of forecasts, at the times for which they are valid. */
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

/** Key of a place, tenths of a degree. */
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
    /** True with a probability of 0..1. */
    is: (probability: number) => random() < probability,
    of: <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)]!,
  };
}
