import { distanceKm, initialBearing, MILE_KM, type Place, RADIANS } from "@open-metocean/geo/sphere";
import type { StormEntry, TrackPoint } from "./schema.ts";
import { trackAt } from "./track.ts";
import { ofWire } from "./wire.ts";

/** One forecast position compared with the observed one. */
export interface ForecastError {
  /** Base time of the forecast, Unix seconds. */
  issuedAt: number;
  /** Lead: hours after `issuedAt`. */
  fhr: number;
  /** Valid time, Unix seconds. */
  time: number;
  forecast: Place;
  observed: Place;
  /** Great-circle distance, n mi. */
  miles: number;
  /**
   * The parts of `miles` along and across the observed motion, n mi; null if the storm did not move. Along is
   * positive if the forecast was ahead of the storm (too fast), across if it was right of it, in either
   * hemisphere. `along² + cross² = miles²`.
   */
  alongMiles: number | null;
  crossMiles: number | null;
  /** Forecast minus observed maximum wind, kt; null if one is not given. */
  windKt: number | null;
}

/** The errors of all forecasts of one lead. */
interface LeadSummary {
  fhr: number;
  /** Number of forecasts, at least 1. */
  count: number;
  /** Mean distance, n mi. */
  meanMiles: number;
  medianMiles: number;
  /**
   * Means with their signs, n mi, which show a common tendency of the forecasts; null if the storm never
   * moved.
   */
  alongMiles: number | null;
  crossMiles: number | null;
  /** Number of forecasts that have a wind to compare; the mean errors without and with sign follow, kt. */
  windCount: number;
  meanWindKt: number | null;
  windBiasKt: number | null;
}

/** A bulletin of `GET /storms/{id}/history`. */
export interface PastBulletin {
  /** Unix seconds. */
  issued_at: number;
  entry: StormEntry;
}

/**
 * An observed position exists for a time if there is a fix at that time, or one within this time on each
 * side, s.
 */
const FIX_WITHIN_S = 3 * 3600;

/**
 * A storm that moves less than this in six hours has no direction, km; this is half the step of its position.
 */
const STATIONARY_KM = 5;

/**
 * Compares the forecasts of all bulletins with the observed track.
 *
 * The last of several entries with the same forecast counts. The observed track is that of the last
 * bulletin, in which the agency may have corrected earlier positions.
 *
 * @param history Bulletins of one storm by one provider, oldest first.
 * @returns Sorted by bulletin, then by lead, without valid times that are not yet observed.
 */
export function forecastErrors(history: readonly PastBulletin[]): ForecastError[] {
  const observed = history.at(-1)?.entry.tracks.observed ?? [];
  const forecasts = new Map<number, NonNullable<StormEntry["tracks"]["forecast"]>>();
  for (const { entry } of history) {
    const { forecast } = entry.tracks;
    if (forecast) forecasts.set(forecast.issued_at, forecast);
  }
  return [...forecasts.values()]
    .sort((one, other) => one.issued_at - other.issued_at)
    .flatMap(({ issued_at: issuedAt, points }) =>
      points.flatMap((point) => {
        const actual = trackAt(observed, point.time, FIX_WITHIN_S);
        if (!actual) return [];
        const forecast = ofWire(point);
        const { latitude, longitude, vmaxKt } = actual;
        const hasWind = point.vmax_kt !== null && vmaxKt !== null;
        return [
          {
            issuedAt,
            fhr: point.fhr,
            time: point.time,
            forecast,
            observed: { latitude, longitude },
            ...separation(forecast, actual, headingAt(observed, point.time)),
            windKt: hasWind ? point.vmax_kt! - vmaxKt : null,
          },
        ];
      }),
    );
}

/** @param heading Heading of the storm, degrees TO; null if it did not move. */
function separation(forecast: Place, observed: Place, heading: number | null) {
  const miles = distanceKm(observed, forecast) / MILE_KM;
  if (heading === null) return { miles, alongMiles: null, crossMiles: null };
  const aside = (initialBearing(observed, forecast) - heading) * RADIANS;
  return { miles, alongMiles: miles * Math.cos(aside), crossMiles: miles * Math.sin(aside) };
}

/**
 * Direction of the observed motion around a time, degrees TO: from the position three hours before, or the
 * first fix, to that three hours later, or the last fix.
 */
function headingAt(observed: readonly TrackPoint[], time: number): number | null {
  const [first, last] = [observed[0]!, observed.at(-1)!];
  const before = trackAt(observed, Math.max(first.time, time - FIX_WITHIN_S))!;
  const after = trackAt(observed, Math.min(last.time, time + FIX_WITHIN_S))!;
  return distanceKm(before, after) < STATIONARY_KM ? null : initialBearing(before, after);
}

/** Summarises the errors of each lead, ascending. */
export function errorsByLead(errors: readonly ForecastError[]): LeadSummary[] {
  const byLead = Map.groupBy(errors, ({ fhr }) => fhr);
  return [...byLead]
    .sort(([one], [other]) => one - other)
    .map(([fhr, group]) => {
      const miles = group.map((error) => error.miles);
      const winds = group.flatMap(({ windKt }) => windKt ?? []);
      return {
        fhr,
        count: group.length,
        meanMiles: mean(miles)!,
        medianMiles: median(miles),
        alongMiles: mean(group.flatMap(({ alongMiles }) => alongMiles ?? [])),
        crossMiles: mean(group.flatMap(({ crossMiles }) => crossMiles ?? [])),
        windCount: winds.length,
        meanWindKt: mean(winds.map(Math.abs)),
        windBiasKt: mean(winds),
      };
    });
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param values At least one. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Leads for which errors are published, h. */
const STANDARD_LEADS = [12, 24, 36, 48, 60, 72, 96, 120] as const;

/** A lead is counted under a standard lead that differs by at most this, h. */
const WITHIN_H = 3;

/** Summary of the errors of the leads around a standard one. */
export interface StandardLeadSummary extends LeadSummary {
  /** The standard lead, h. */
  fhr: number;
  /** Shortest and longest lead counted, h. */
  leads: readonly [shortest: number, longest: number];
}

export interface StandardErrors {
  /** Sorted by lead; a lead without a forecast is left out. */
  summaries: StandardLeadSummary[];
  /**
   * Number of forecast positions between the standard leads, which no summary counts. The analysis is not a
   * forecast.
   */
  uncounted: number;
}

/**
 * Summarises errors under the nearest standard lead.
 *
 * Between its six-hourly forecasts the JMA issues the previous one again, three hours later, with leads of
 * 45, 69, 93 and 117 h. It counts as one forecast: of several with the same valid time under a standard lead,
 * issued within six hours, only the one nearest to the standard lead counts.
 */
export function errorsByStandardLead(errors: readonly ForecastError[]): StandardErrors {
  const nearest = new Map<string, ForecastError>();
  let uncounted = 0;
  for (const error of errors) {
    const standard = standardLead(error.fhr);
    if (standard === undefined) {
      if (error.fhr > 0) uncounted++;
      continue;
    }
    const key = `${standard} ${error.time}`;
    const known = nearest.get(key);
    if (!known || Math.abs(error.fhr - standard) < Math.abs(known.fhr - standard)) nearest.set(key, error);
  }
  const counted = [...nearest.values()].map((error) => ({ error, standard: standardLead(error.fhr)! }));
  const summaries = errorsByLead(counted.map(({ error, standard }) => ({ ...error, fhr: standard }))).map(
    (summary) => {
      const leads = counted.filter(({ standard }) => standard === summary.fhr).map(({ error }) => error.fhr);
      return { ...summary, leads: [Math.min(...leads), Math.max(...leads)] as const };
    },
  );
  return { summaries, uncounted };
}

function standardLead(fhr: number): number | undefined {
  return STANDARD_LEADS.find((lead) => Math.abs(lead - fhr) <= WITHIN_H);
}
