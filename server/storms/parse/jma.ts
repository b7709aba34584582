import { MILE_KM } from "#lib/geo/sphere.ts";
import type { Fix, ForecastFix } from "#server/storms/bulletin.ts";
import { quoted } from "./deck-row.ts";
import { TextRefusedError } from "./jtwc-text.ts";
import { allRound, bareFix, emptyReport, type Report, wrapped } from "./report.ts";

/** A part of a JMA bulletin (analysis, estimate or forecast hour), independent of its format. */
export interface JmaPart {
  /** Hours after the analysis. */
  hour: number;
  /** Unix seconds. */
  time: number;
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** 10-minute wind, kt. */
  wind: number | null;
  /** HPa. */
  pressure: number | null;
  /** TD, TS, STS, TY, LOW. */
  stage: string | null;
  /** Longer axis of the area of 30 kt, nautical miles. */
  gale: number | null;
  /** Longer axis of the area of 50 kt, or of the storm warning area, which includes the probability circle. */
  storm: number | null;
  /** Whether `storm` includes the circle. */
  stormIncludesCircle: boolean;
  /** Radius of the 70 % circle, nautical miles. */
  circle: number | null;
}

/** Title of a JMA bulletin. */
export interface JmaTitle {
  /** `TC2621`; undefined if the format lacks it. */
  code: string | undefined;
  /** `2613`, or a letter for a depression that is not numbered yet. */
  typhoonNumber: string;
  /** Upper case. */
  name: string | null;
  /** Unix seconds. */
  issued: number;
  /** The bulletin says that it is no longer a typhoon, or will hardly become one. */
  isOver?: boolean;
}

/**
 * Number and season of a JMA storm. Unnumbered depressions have a letter: a is 91, b is 92 and so on.
 *
 * @throws TextRefusedError
 */
function identityOf({ typhoonNumber, code, issued }: JmaTitle): { number: number; season: number } {
  const numbered = /^(\d\d)(\d\d)$/.exec(typhoonNumber);
  if (numbered && Number(numbered[2]) > 0 && Number(numbered[2]) < 90) {
    return { number: Number(numbered[2]), season: 2000 + Number(numbered[1]) };
  }
  // A code keeps the year in which it was given, also over New Year.
  const count = /^TC(\d\d)(\d\d)$/.exec(code ?? "");
  if (/^[a-i]$/.test(typhoonNumber)) {
    return {
      number: 91 + typhoonNumber.charCodeAt(0) - 97,
      season: count ? 2000 + Number(count[1]) : new Date(issued * 1000).getUTCFullYear(),
    };
  }
  // Telegrams lack the letter: the last digit of the year's count distinguishes depressions.
  if (typhoonNumber === "" && count) {
    return { number: 90 + (Number(count[2]) % 10), season: 2000 + Number(count[1]) };
  }
  throw new TextRefusedError(`no number of a storm: "${quoted(typhoonNumber)}"`);
}

/**
 * Converts a bulletin of the JMA to a report.
 *
 * @param parts The analysis and what follows, in any order.
 * @throws TextRefusedError
 */
export function jmaReport(
  title: JmaTitle,
  parts: readonly JmaPart[],
  reject: (reason: string) => void,
): Report {
  const identity = identityOf(title);
  const analysis = parts.find(({ hour }) => hour === 0);
  if (!analysis) throw new TextRefusedError("no analysis");
  const base = analysis.time;
  const report = emptyReport("warning", {
    provider: "jma",
    basin: "WP",
    ...identity,
    issued: title.issued,
  });
  // Depressions with a letter have no name, whatever the feed writes.
  report.name = report.isInvest ? null : title.name;
  report.subregion = "W";
  report.isFinal = title.isOver ?? false;
  if (title.code !== undefined) report.code = title.code;
  report.observed = [fixOf(analysis)];
  const points: ForecastFix[] = [];
  for (const part of parts) {
    if (part.time !== base + part.hour * 3600) reject(`the time of ${part.hour} h is another one`);
    else if (points.some(({ fhr }) => fhr === part.hour)) reject(`a second part for ${part.hour} h`);
    else {
      const point: ForecastFix = { ...fixOf(part), fhr: part.hour };
      if (part.hour > 0) point.circleKm = part.circle === null ? null : part.circle * MILE_KM;
      points.push(point);
    }
  }
  points.sort((one, other) => one.fhr - other.fhr);
  if (points.length > 1) report.forecast = { base, points };
  return report;
}

/**
 * The longer axis is used for all quadrants: the circle around the storm with this radius contains JMA's circle, which is
 * offset from the centre.
 */
function fixOf(part: JmaPart): Fix {
  const fix: Fix = {
    ...bareFix(part.time, part.latitude, wrapped(part.longitude)),
    vmaxKt: part.wind,
    mslpHpa: part.pressure,
    stage: part.stage,
  };
  if (part.gale) fix.radiiKm[30] = allRound(part.gale * MILE_KM);
  const fifty = part.stormIncludesCircle ? (part.storm ?? 0) - (part.circle ?? 0) : (part.storm ?? 0);
  if (fifty > 0) fix.radiiKm[50] = allRound(fifty * MILE_KM);
  return fix;
}
