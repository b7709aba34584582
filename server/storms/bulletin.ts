import type { StormProvider } from "#lib/contract/storm-providers.ts";

/** Who tracks a storm. The two are never merged: their winds have different averaging periods. */
export type Provider = StormProvider;

/** Quadrant radii of a wind threshold, km. A quadrant is null if the bulletin gives only others. */
export interface QuadrantRadii {
  ne: number | null;
  se: number | null;
  sw: number | null;
  nw: number | null;
}

/** Thresholds of wind radii, knots. JTWC gives 34, 50, 64; JMA 30 and 50. */
export type RadiiThreshold = 30 | 34 | 50 | 64;

/** A storm at an instant, as a bulletin states it. */
export interface Fix {
  /** Unix seconds. */
  time: number;
  /** Degrees, −90..90 and −180..180. */
  latitude: number;
  longitude: number;
  /** Knots, mean over the provider's own period: one minute (JTWC), ten (JMA). */
  vmaxKt: number | null;
  mslpHpa: number | null;
  /** The feed's term for the stage, such as `TS`, `TY`, `EX`, `STS`; null if it has none. */
  stage: string | null;
  /** Absent thresholds were not stated. */
  radiiKm: Partial<Record<RadiiThreshold, QuadrantRadii>>;
  /** A point of the line that JMA draws behind a storm: its time is counted back and not stated. */
  isDrawn?: true;
  /** Reach of seas of 12 ft (3.7 m) and more, km; absent if not stated. NHC gives it, JTWC seldom, JMA never. */
  seas12ftKm?: QuadrantRadii;
}

export interface ForecastFix extends Fix {
  /** Hours after the base time: `time = base + 3600 · fhr`. */
  fhr: number;
  /** The provider's own 70 % probability circle, km; undefined if the provider publishes none. */
  circleKm?: number | null;
}

/** What one provider reports about one storm, independent of the format of the feed. */
export interface Bulletin {
  provider: Provider;
  /** Two letters of the ATCF: AL, EP, CP, WP, IO, SH, SL. */
  basin: string;
  /** 1–49 storms, 90–99 invests. */
  number: number;
  /** Season year: a southern season, July to June, is named by its second year. */
  season: number;
  /** Upper case; null for a storm or an invest without a name. */
  name: string | null;
  isInvest: boolean;
  /** Until when a formation alert says that the invest is watched, Unix seconds; absent without an alert. */
  alertUntil?: number;
  /** The feed's own key, such as JMA's `TC2621`. It does not change when an invest becomes a storm. */
  code?: string;
  /** Subregion letter of the newest fix, such as `S` or `P`; null if the feed has none. */
  subregion: string | null;
  /** The provider's final bulletin on this storm. */
  isFinal: boolean;
  /** What ended it, and the time of that text or list, Unix seconds. Only with `isFinal`. */
  ended?: { by: "text" | "list"; at: number };
  /** The provider's list of active storms has it. Undefined without a list so far. */
  isListed?: boolean;
  /** Other ids under which the storm was known or is known to another centre, sorted; absent without any. */
  aliases?: string[];
  /** When the bulletin was issued whose drawn line is the storm's past, Unix seconds. */
  lineIssued?: number;
  /** Ascending in time, without duplicates. */
  observed: Fix[];
  /** Base time of the forecast, Unix seconds, with its points ascending; undefined without a forecast. */
  forecast?: { base: number; points: ForecastFix[] };
  /** When the newest text of this bulletin was issued, Unix seconds. */
  issued: number;
  /** Host that gave that text; absent where the operator mirrors the feed. */
  mirror?: string;
}
