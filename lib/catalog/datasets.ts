import { DAY_S, formatInstant, monthsBefore } from "#lib/time.ts";

/**
 * Groups of runs. The age of the requested time selects one of the first three; `Static` holds fields that do
 * not change with time (bathymetry).
 */
export const datasetNames = ["Forecast", "Hindcast-3M", "Hindcast-3Y", "Static"] as const;

export type DatasetName = (typeof datasetNames)[number];

/** Greatest age that a dataset answers for, days, inclusive. */
export const datasetAges = { Forecast: 5, "Hindcast-3M": 90 } as const;

/** How far back the forecast archive (rain, CAPE, temperature, cloud, pressure) reaches, months. */
export const FORECAST_ARCHIVE_MONTHS = 6;

/** Accepted times: calendar years back and days ahead, both inclusive. */
export const timeWindow = { yearsBack: 3, daysAhead: 10 } as const;

/**
 * The dataset that answers for a time, chosen by the age of that time.
 *
 * @param time Unix seconds.
 * @param now Weather clock, Unix seconds.
 */
export function datasetByAge(time: number, now: number): DatasetName {
  const age = now - time;
  if (age <= datasetAges.Forecast * DAY_S) return "Forecast";
  return age <= datasetAges["Hindcast-3M"] * DAY_S ? "Hindcast-3M" : "Hindcast-3Y";
}

/** Whether a time is in the forecast archive (both in Unix seconds). */
export function inForecastArchive(time: number, now: number): boolean {
  return time >= monthsBefore(now, FORECAST_ARCHIVE_MONTHS);
}

/** First and last accepted time of a request, Unix seconds, both inclusive. */
export function acceptedTimes(now: number): { first: number; last: number } {
  return { first: monthsBefore(now, 12 * timeWindow.yearsBack), last: now + timeWindow.daysAhead * DAY_S };
}

/**
 * Returns a check for the times of a request. The check returns an error text, or undefined for an accepted
 * time (Unix seconds).
 *
 * @param now Weather clock, Unix seconds.
 */
export function timeRule(now: number): (time: number) => string | undefined {
  const { first, last } = acceptedTimes(now);
  const { yearsBack, daysAhead } = timeWindow;
  let wrong: string | undefined;
  return (time) => {
    if (time >= first && time <= last) return undefined;
    wrong ??= `Input should be from ${formatInstant(first)} (${yearsBack} years back) to ${formatInstant(last)} (${daysAhead} days ahead)`;
    return wrong;
  };
}

/** Days on either side of a past instant for which the map's manifest lists runs. */
export const AROUND_DAYS = 6;
