import {
  type Bulletin,
  emptyReport,
  type Fix,
  type ForecastFix,
  type Parsed,
  type Report,
} from "@open-metocean/storms/bulletin";

/** 2026-09-15 12:00 UTC. */
export const BASE = 1_789_473_600;

export function fix(hour: number, latitude: number, longitude: number, more: Partial<Fix> = {}): Fix {
  const time = BASE + 3600 * hour;
  return { time, latitude, longitude, vmaxKt: 70, mslpHpa: 980, stage: null, radiiKm: {}, ...more };
}

export function ahead(
  fhr: number,
  latitude: number,
  longitude: number,
  more: Partial<ForecastFix> = {},
): ForecastFix {
  return { ...fix(fhr, latitude, longitude), fhr, ...more };
}

export function bulletin(more: Partial<Bulletin> = {}): Bulletin {
  return {
    provider: "jtwc",
    basin: "WP",
    number: 1,
    season: 2026,
    name: "DEMOPIER",
    isInvest: false,
    subregion: null,
    isFinal: false,
    observed: [fix(-12, 19, 178), fix(-6, 19.5, 179), fix(0, 20, 180)],
    issued: BASE + 3 * 3600,
    ...more,
  };
}

/** Forecast points 12 h apart along a straight track that crosses 180°. */
export const forecast = {
  base: BASE,
  points: [ahead(0, 20, 180), ahead(12, 21, -178), ahead(24, 22, -176), ahead(48, 24, -172)],
};

/** A report of WP01 at the base time, with some properties replaced. */
export function report(more: Partial<Report> = {}): Report {
  const identity = { provider: "jtwc", basin: "WP", number: 1, season: 2026, issued: BASE } as const;
  const { source = "best track" } = more;
  return { ...emptyReport(source, { ...identity, ...more }), observed: [fix(0, 20, 140)], ...more };
}

export const parsed = (...reports: Report[]): Parsed[] => [{ reports, problems: [] }];
