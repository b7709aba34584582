import { formatNumber } from "../number.ts";

/** A date of a calendar, with its day of the week, 0 for Sunday. */
interface DayParts {
  weekday: number;
  day: number;
  /** 1..12. */
  month: number;
  year: number;
}

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const longMonths = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Dates and times. Clocks have 24 hours in every language. */
export const dates = {
  /** Names of the days of the week, Sunday first. */
  days,
  longDays,
  /** Names of the months, January first. */
  months,
  longMonths,
  /** `Sat 15 Jan`. */
  day: ({ weekday, day, month }: DayParts) => `${days[weekday]} ${day} ${months[month - 1]}`,
  /** `Sat 15 Jan 2011`. */
  dayOfYear: ({ weekday, day, month, year }: DayParts) =>
    `${days[weekday]} ${day} ${months[month - 1]} ${year}`,
  /** `Saturday 15 January 2011`. */
  longDay: ({ weekday, day, month, year }: DayParts) =>
    `${longDays[weekday]} ${day} ${longMonths[month - 1]} ${year}`,
  /** `Sat 15`: of the time bar, where there is no room for the month. */
  barDay: ({ weekday, day }: Pick<DayParts, "weekday" | "day">) => `${days[weekday]} ${day}`,
  /** `January 2011`. */
  month: (month: number, year: number) => `${longMonths[month - 1]} ${year}`,
  /** `Sep 2026`; without a year, `Sep`. */
  shortMonth: (month: number, year?: number) =>
    year === undefined ? (months[month - 1] ?? "") : `${months[month - 1]} ${year}`,
  /** `Jun to Sep 2026`: from one to another. */
  span: (from: string, to: string) => `${from} to ${to}`,
  now: "now",
  justNow: "just now",
  /** `12 min`. */
  minutes: (count: number) => `${count} min`,
  /** `6 h`. */
  hours: (count: number) => `${count} h`,
  /** `3 d`. */
  daysLong: (count: number) => `${formatNumber(count, 0, "en")} d`,
  /** `12 min ago`. */
  ago: (span: string) => `${span} ago`,
  /** `in 20 min`. */
  ahead: (span: string) => `in ${span}`,
};

export type DatesWords = typeof dates;
