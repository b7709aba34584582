const calendars = ["standard", "gregorian", "proleptic_gregorian"];

/** UDUNITS' and cftime's names of units of constant length; each may have a plural s. */
const unitSeconds: Readonly<Record<string, number>> = {
  microsecond: 1e-6,
  microsec: 1e-6,
  millisecond: 1e-3,
  millisec: 1e-3,
  msec: 1e-3,
  ms: 1e-3,
  second: 1,
  sec: 1,
  s: 1,
  minute: 60,
  min: 60,
  hour: 3600,
  hr: 3600,
  h: 3600,
  day: 86_400,
  d: 86_400,
};

const SINCE =
  /^\s*([a-z]+)\s+since\s+(-?\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?\s*(?:(?:Z|UTC|GMT)|([+-])(\d{1,2}):?(\d{2})?)?\s*$/i;

/** Before this day the "standard" calendar is the Julian calendar. */
const GREGORIAN_REFORM = Date.UTC(1582, 9, 15) / 1000;

/** Time units or a calendar are not supported. */
export class TimeUnitsError extends Error {
  override readonly name = "TimeUnitsError";
}

/**
 * Reads CF time units: `hours since 2023-07-20T10:00:00`.
 *
 * @param calendar The `calendar` attribute; CF's default is the standard calendar.
 * @returns Unix seconds of the reference instant, and seconds per unit.
 * @throws TimeUnitsError for months and years, which have no constant length, and for other calendars.
 */
export function readTimeUnits(units: string, calendar = "standard"): { since: number; seconds: number } {
  if (!calendars.includes(calendar.toLowerCase())) {
    throw new TimeUnitsError(`the calendar "${calendar}" is not read (only ${calendars.join(", ")})`);
  }
  const match = SINCE.exec(units);
  const word = match?.[1]?.toLowerCase() ?? "";
  const seconds = unitSeconds[word] ?? unitSeconds[word.replace(/s$/, "")];
  if (!match || seconds === undefined) throw new TimeUnitsError(`the time units "${units}" are not read`);
  const [
    ,
    ,
    year,
    month,
    day,
    hour = "0",
    minute = "0",
    second = "0",
    sign,
    offHours = "0",
    offMinutes = "0",
  ] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const offset = (sign === "-" ? -1 : 1) * (Number(offHours) * 3600 + Number(offMinutes) * 60);
  const since =
    date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - (sign ? offset : 0);
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) {
    throw new TimeUnitsError(`the time units "${units}" name no real day`);
  }
  if (since < GREGORIAN_REFORM && !calendar.toLowerCase().startsWith("proleptic")) {
    throw new TimeUnitsError(`the time units "${units}" reach into the Julian calendar`);
  }
  return { since, seconds };
}
