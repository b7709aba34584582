import { type CivilDate, daysWithin, type Zone } from "#components/view-state/civil.ts";
import { HOUR_S } from "#lib/time.ts";
import type { SeriesRow } from "./point-queries.ts";

/** The highest value of a day. */
export interface Highest {
  /** In the unit of the API. */
  value: number;
  /** Unix seconds. */
  time: number;
  /** Some hours have no value, so it may have been higher. */
  isAtLeast: boolean;
}

export const skies = ["clear", "partly", "cloudy", "rain", "heavyRain"] as const;

export type Sky = (typeof skies)[number];

/** The weather of a calendar day, or of the hours of it that are ahead and known. Times are Unix seconds. */
export interface DayAhead {
  date: CivilDate;
  /** First summarised hour, if it is not that of midnight. */
  from?: number;
  /** End of the last summarised hour, if it is not that of the next midnight. */
  until?: number;
  wind: Highest;
  gust: Highest | undefined;
  /** Significant height. */
  wave: Highest | undefined;
  /** undefined if neither rain nor cloud is known. */
  sky: Sky | undefined;
}

/** Mean cloud cover up to which a day is clear, and from which it is cloudy, %. */
const [CLEAR, CLOUDY] = [25, 75];

/** Least rain of a day that is mentioned, mm, and rate from which rain is heavy, mm/h. */
const [WET_MM, HEAVY] = [0.3, 2.5];

/**
 * The days of a time zone from now on, each with its highest values. A day consists of the hours that begin in it.
 *
 * @param rows Ascending in time.
 * @param now Weather clock, Unix seconds; hours that have ended are ignored.
 * @returns Days of which a wind is known.
 */
export function daysAhead(rows: readonly SeriesRow[], now: number, zone: Zone): DayAhead[] {
  const coming = rows.filter(({ time }) => time > now - HOUR_S);
  const [first, last] = [coming[0], coming.at(-1)];
  if (!first || !last) return [];
  return daysWithin(first.time, last.time + 1, zone).flatMap(({ date, from, to }) => {
    const hours = coming.filter(({ time }) => time >= from && time < to);
    const known = hours.filter(({ conditions }) => typeof conditions.Winds_10m_Intensity === "number");
    const [begin, end] = [known[0], known.at(-1)];
    if (!begin || !end) return [];
    const within = hours.filter(({ time }) => time >= begin.time && time <= end.time);
    const wind = highest(within, "Winds_10m_Intensity");
    if (!wind) return [];
    return {
      date,
      // Samples are at whole hours of UTC, and midnight may be at half an hour.
      ...(begin.time - from >= HOUR_S && { from: begin.time }),
      ...(to - end.time > HOUR_S && { until: end.time + HOUR_S }),
      wind,
      gust: highest(within, "Gust_10m"),
      wave: highest(within, "Waves_Significant_Height"),
      sky: skyOf(within),
    };
  });
}

type Quantity = "Winds_10m_Intensity" | "Gust_10m" | "Waves_Significant_Height";

function highest(rows: readonly SeriesRow[], quantity: Quantity): Highest | undefined {
  let found: Highest | undefined;
  for (const { time, conditions } of rows) {
    const value = conditions[quantity];
    if (typeof value === "number" && !(found && found.value >= value))
      found = { value, time, isAtLeast: false };
  }
  const isWhole = rows.every(({ conditions }) => typeof conditions[quantity] === "number") && isHourly(rows);
  return found && { ...found, isAtLeast: !isWhole };
}

/** Whether no hour is left out. */
const isHourly = (rows: readonly SeriesRow[]) =>
  rows.every(({ time }, index) => index === 0 || time - rows[index - 1]!.time <= HOUR_S);

/** The symbol of the sky: rain if there is any, otherwise the mean cloud cover. */
function skyOf(rows: readonly SeriesRow[]): Sky | undefined {
  const valuesOf = (quantity: "Precipitation" | "Cloud_Cover") =>
    rows.flatMap(({ conditions }) => conditions[quantity] ?? []);
  const [rain, cloud] = [valuesOf("Precipitation"), valuesOf("Cloud_Cover")];
  // A value per hour, in mm/h, so the sum is that of the day in mm.
  if (sum(rain) >= WET_MM) return Math.max(...rain) >= HEAVY ? "heavyRain" : "rain";
  if (cloud.length === 0) return undefined;
  const mean = sum(cloud) / cloud.length;
  return mean <= CLEAR ? "clear" : mean < CLOUDY ? "partly" : "cloudy";
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
