import { errorsByLead, type ForecastError, type LeadSummary } from "./forecast-error.ts";

/** Leads that errors are published for, h. */
const STANDARD_LEADS = [12, 24, 36, 48, 60, 72, 96, 120] as const;

/** A lead counts under a standard lead that is at most this far from it, h. */
const WITHIN_H = 3;

/** The errors of the leads around a standard one. */
export interface StandardLeadSummary extends LeadSummary {
  /** The standard lead, h. */
  fhr: number;
  /** Shortest and longest lead that is counted, h. */
  leads: readonly [shortest: number, longest: number];
}

export interface StandardErrors {
  /** By lead, ascending; a lead without any forecast is left out. */
  summaries: StandardLeadSummary[];
  /** Forecast positions between the standard leads, which no summary counts; the analysis is not a forecast. */
  uncounted: number;
}

/**
 * The errors under the nearest standard lead.
 *
 * Between its six-hourly forecasts JMA issues the last one again, three hours later, with leads of 45, 69, 93 and 117 h.
 * That is one forecast: of several with the same valid time under a standard lead, issued within six hours, only the one
 * nearest to the standard lead counts.
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
