import type { Place } from "#lib/geo/sphere.ts";
import type { Provider } from "#server/storms/bulletin.ts";

/** One version of a text, as an agency publishes it. */
export interface Publication {
  /** Unix seconds. */
  at: number;
  /** Path in the mirror. */
  source: string;
  /** Null if the agency removes the text. */
  text: string | null;
  /** What the whole text says, by its writer; of a text without a storm undefined. */
  says?: Said;
}

export interface Said {
  /** Index in `storms` of the season; undefined for a list. */
  storm?: number;
  /** Base time of its newest fix or forecast, Unix seconds. */
  base?: number;
  /** Its newest forecast; of a bulletin without one no hours. */
  forecast?: { base: number; hours: number[] };
  /** The agency's last word on the storm, of an invest that it became a storm. */
  ends?: boolean;
  /** A formation alert, Unix seconds. */
  alert?: { issued: number; until: number };
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
  radii: Partial<Record<30 | 34 | 50 | 64, readonly number[]>>;
}

/** A forecast that a text gives: its points have the times for which they are valid. */
export interface GivenForecast {
  /** Unix seconds. */
  base: number;
  points: GivenFix[];
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
  /** Forecasts that texts give, with their base times. */
  forecasts: GivenForecast[];
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
