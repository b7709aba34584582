import type { StormProvider } from "./providers.ts";
import type { FormationAlert, StormEntry, StormOutlook } from "./schema.ts";
import { HOUR_S } from "./time.ts";

/**
 * The agency that tracks a storm. Storms of the two providers are never merged: their winds have different averaging
 * periods.
 */
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
  /** A threshold is absent if the bulletin does not state it. */
  radiiKm: Partial<Record<RadiiThreshold, QuadrantRadii>>;
  /** The fix is a point of the line that JMA draws behind a storm: its time is counted back and not stated. */
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

/** The report of one provider about one storm, independent of the format of the feed. */
export interface Bulletin {
  provider: Provider;
  /** Two letters of the ATCF: AL, EP, CP, WP, IO, SH, SL. */
  basin: string;
  /** Storms have 1–49 and invests 90–99. Other numbers of the ATCF are internal or for tests: see `isTracked`. */
  number: number;
  /** Season year: a southern season, July to June, is named by its second year. */
  season: number;
  /** Upper case; null for a storm or an invest without a name. */
  name: string | null;
  isInvest: boolean;
  /** A formation alert watches the invest until this time, Unix seconds; absent without an alert. */
  alertUntil?: number;
  /** The feed's own key, such as JMA's `TC2621`. It does not change when an invest becomes a storm. */
  code?: string;
  /** Subregion letter of the newest fix, such as `S` or `P`; null if the feed has none. */
  subregion: string | null;
  /** The bulletin is the provider's final one on this storm. */
  isFinal: boolean;
  /**
   * The kind of source that ended the storm, and the time of that text or list, Unix seconds. It is present only with
   * `isFinal`.
   */
  ended?: { by: "text" | "list"; at: number };
  /** Whether the provider's list of active storms has it; undefined without a list so far. */
  isListed?: boolean;
  /** Other ids under which the storm was known or is known to another centre, sorted; absent without any. */
  aliases?: string[];
  /** Time of issue of the bulletin whose drawn line is the storm's past, Unix seconds. */
  lineIssued?: number;
  /** Ascending in time, without duplicates. */
  observed: Fix[];
  /** Base time of the forecast, Unix seconds, with its points ascending; undefined without a forecast. */
  forecast?: { base: number; points: ForecastFix[] };
  /** Time of issue of the newest text of this bulletin, Unix seconds. */
  issued: number;
  /** The newest correction that was read; absent without any. A text that it replaces stays out of force. */
  correction?: Correction;
  /**
   * Cancellations that were applied; absent without any. Each removes the withdrawn bulletin once, and nothing that is sent
   * again.
   */
  withdrawn?: readonly Cancellation[];
  /** Host that gave that text; absent where the operator mirrors the feed. */
  mirror?: string;
}

/** A fault found while a text is read, for the operator. */
export interface Problem {
  /** Line number, counted from 1; 0 for the text as a whole. */
  line: number;
  reason: string;
  /** The text was read all the same. */
  isRead?: true;
}

/** Sources of fixes, most trusted first: of several fixes at one time the first counts. */
export const reportSources = [
  "best track",
  "warning",
  "analysis",
  "advisory list",
  "vital statistics",
  "formation alert",
  "outlook",
  "drawn track",
] as const;

type ReportSource = (typeof reportSources)[number];

/** The report of one text about one storm. Reports are merged into a bulletin. */
export interface Report extends Bulletin {
  source: ReportSource;
  /** Earlier ids of this storm, such as `AL902018`. */
  formerly: string[];
  /** See `Parsed.revision`. */
  revision?: number;
  /** When the text was sent, Unix seconds; absent where the text does not say so. It may be later than `issued`. */
  sent?: number;
  /** The text names the storm by its number word: it has no name. Absent where `name` is null because the text gives none. */
  isUnnamed?: true;
  /**
   * The reason to refuse the report unless its storm is published or in another text: a slot keeps the last warning of a
   * storm that is over.
   */
  obsolete?: string;
}

/** The content of one text. */
export interface Parsed {
  reports: Report[];
  problems: Problem[];
  /** The keys of active storms, if the text is a list of them. Storms that it leaves out have ended. */
  listed?: ActiveList;
  /** The areas of interest, if the text is an outlook. */
  outlook?: StormOutlook;
  /** The alert, if the text is a formation alert. */
  alert?: InvestAlert;
  /** The cancellation, if the text withdraws an earlier one. */
  cancels?: Cancellation;
  /** Rank among texts of the same time of issue: a higher one corrects a lower one. Absent for a text that corrects none. */
  revision?: number;
  /**
   * The text ends in its middle. Nothing is read of a cut bulletin or list, and only whole rows of a cut deck: missing
   * content proves nothing, and what was read before stays valid.
   */
  isCut?: true;
  /** The text is a test, or on a storm that is long over: nothing of it is read, and it is not a problem. */
  isVoid?: true;
}

/** A text that corrects another one of the same kind and time of issue. */
export interface Correction {
  source: ReportSource;
  /** Unix seconds. */
  issued: number;
  /** See `Parsed.revision`. */
  revision: number;
}

/** A telegram that withdraws the bulletin of a storm on one analysis. */
export interface Cancellation {
  /** The feed's own key of the storm, such as JMA's `TC2621`. */
  code: string;
  /** Time of the analysis whose bulletin is withdrawn, Unix seconds. */
  analysis: number;
  /** When the telegram was sent, Unix seconds: a bulletin that was sent later replaces the withdrawn one. */
  sent: number;
}

/** A list of active storms. */
export interface ActiveList {
  provider: Provider;
  basins: readonly string[];
  keys: string[];
  /**
   * Newest time that the list states, Unix seconds; if it states none, as when it is empty, when this content was first
   * seen. Undefined if unknown.
   */
  updated?: number;
  /** The list states no time: it may be older than when it was first seen. */
  isUndated?: true;
}

/** A formation alert of an invest, or the cancellation of one. */
export interface InvestAlert {
  /** Id of the invest. */
  storm: string;
  /** Unix seconds. */
  issued: number;
  /** null for a cancellation. */
  alert: FormationAlert | null;
}

/** An alert stays for this long after its end: its successor is issued at that time and received later. */
export const ALERT_LAPSED_S = 6 * HOUR_S;

/** A fix with nothing but its position. */
export function bareFix(time: number, latitude: number, longitude: number): Fix {
  return { time, latitude, longitude, vmaxKt: null, mslpHpa: null, stage: null, radiiKm: {} };
}

/** A report without positions; other fields are those given. */
export function emptyReport(
  source: ReportSource,
  given: Pick<Report, "provider" | "basin" | "number" | "season" | "issued"> & Partial<Report>,
): Report {
  return {
    source,
    name: null,
    isInvest: given.number >= 90,
    subregion: null,
    isFinal: false,
    observed: [],
    formerly: [],
    ...given,
  };
}

/** The same radius in all quadrants, km. */
export function allRound(km: number | null): QuadrantRadii {
  return { ne: km, se: km, sw: km, nw: km };
}

interface Basin {
  name: string;
  /** Valid subregions: the letter after the number of a storm, `25W`. */
  letters: string;
  /** Technique of the official forecast in a deck. */
  official: "OFCL" | "JTWC";
}

/** Basins of the ATCF by the letters of an id. SH is shared by two oceans. */
export const basins: Readonly<Record<string, Basin>> = {
  AL: { name: "north_atlantic", letters: "L", official: "OFCL" },
  EP: { name: "east_pacific", letters: "E", official: "OFCL" },
  CP: { name: "central_pacific", letters: "C", official: "OFCL" },
  WP: { name: "west_pacific", letters: "W", official: "JTWC" },
  IO: { name: "north_indian", letters: "AB", official: "JTWC" },
  SH: { name: "south_indian", letters: "SP", official: "JTWC" },
  SL: { name: "south_atlantic", letters: "Q", official: "JTWC" },
};

/** ATCF basin and subregion of the letter after a storm's number: `25W`. */
export function basinOfLetter(letter: string): { basin: string; subregion: string } | undefined {
  const subregion = letter.toUpperCase();
  const basin = Object.keys(basins).find((id) => basins[id]!.letters.includes(subregion));
  return basin === undefined ? undefined : { basin, subregion };
}

/** The Arabian Sea is west of this longitude, degrees east. */
const BENGAL_WEST = 78;

/** The south Indian Ocean lies between Greenwich and this longitude, degrees east. */
const SOUTH_PACIFIC_WEST = 135;

/** Subregion of a place in an ATCF basin. @param longitude −180..180. */
export function subregionOf(basin: string, longitude: number): string {
  if (basin === "IO") return longitude >= BENGAL_WEST ? "B" : "A";
  if (basin === "SH") return longitude < 0 || longitude >= SOUTH_PACIFIC_WEST ? "P" : "S";
  return basins[basin]!.letters;
}

/**
 * Name of a storm's basin, by its id and not by its position: a storm that crosses 180° keeps its number. The prefix SH is
 * shared by two oceans, distinguished by the subregion or else by the first position.
 */
export function basinOf({ basin, subregion, observed, forecast }: Bulletin): string {
  if (basin !== "SH") return basins[basin]!.name;
  const first = observed[0] ?? forecast?.points[0];
  const of = subregion === "S" || subregion === "P" ? subregion : subregionOf(basin, first?.longitude ?? 0);
  return of === "S" ? "south_indian" : "south_pacific";
}

/** Whether an ATCF number is that of a storm or an invest: 50–79 are internal or of genesis areas, 80–89 of tests. */
export function isTracked(number: number): boolean {
  return (number >= 1 && number < 50) || (number >= 90 && number <= 99);
}

/** `WP012026`. */
export function stormId({ basin, number, season }: Pick<Bulletin, "basin" | "number" | "season">): string {
  return `${basin}${String(number).padStart(2, "0")}${season}`;
}

/**
 * Display name of a storm. Without a name it is `INVEST` or its designator (`25W`) for jtwc, and null for jma.
 */
export function stormName({ provider, name, isInvest, number, basin, subregion }: Bulletin): string | null {
  if (name !== null || provider === "jma") return name;
  return isInvest ? "INVEST" : `${String(number).padStart(2, "0")}${subregion ?? basins[basin]!.letters[0]}`;
}

/** Whether two bulletins are of one storm: they share a code or an id, present or earlier. */
export function isSameId(one: Bulletin, other: Bulletin): boolean {
  if (one.code !== undefined && other.code !== undefined) return one.code === other.code;
  const ids = new Set(idsOf(one));
  return idsOf(other).some((id) => ids.has(id));
}

/** All ids of a storm, the present one first. Ids of invests are reused, so only the present one counts. */
function idsOf(bulletin: Bulletin): string[] {
  return [stormId(bulletin), ...(bulletin.aliases ?? []).filter((id) => !/^..9/.test(id))];
}

/** The ids other than the storm's own, sorted; undefined if there is none. */
export function aliasesOf(own: string, ids: Iterable<string>): string[] | undefined {
  const others = [...new Set(ids)].filter((id) => id !== own).sort();
  return others.length > 0 ? others : undefined;
}

/** A storm as it is stored: the merged bulletin, and the published entry derived from it. */
export interface StormRecord {
  bulletin: Bulletin;
  entry: StormEntry;
}

/** A text as a feed published it. */
export interface FeedText {
  /** The path of the text in the feed, with `/`. Parsers take the season of a deck and the code of a JMA storm from it. */
  source: string;
  text: string;
  /** Weather clock when it was received, Unix seconds. */
  receivedAt: number;
  /** Host that served the text; absent for a feed that is not fetched. */
  mirror?: string | undefined;
  /** The reason why the text is not read. Such a text is not stored either. */
  refused?: string;
}
