import { formatNumber } from "../number.ts";

interface MonthParts {
  /** 1..12. */
  month: number;
  year: number;
}

/** A date of a calendar, with its day of the week, 0 for Sunday. */
interface DayParts extends MonthParts {
  weekday: number;
  day: number;
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

/** `Jun 2026`. */
const shortMonth = ({ month, year }: MonthParts) => `${months[month - 1]} ${year}`;

/**
 * Words that a time may be typed with, besides the names of days and months; accents, dots and hyphens make no difference.
 * They stand behind one another in any order that `parse-time.ts` knows: a word says what it means, not where it stands.
 */
const typed = {
  now: ["now"],
  today: ["today"],
  tomorrow: ["tomorrow"],
  tomorrowMorning: ["tomorrow morning"],
  tomorrowEvening: ["tomorrow evening", "tomorrow night"],
  afterTomorrow: ["day after tomorrow"],
  yesterday: ["yesterday"],
  tonight: ["tonight", "this evening"],
  /** Before or behind a day of the week. */
  next: ["next"],
  last: ["last"],
  lastWeek: ["last week"],
  thisWeek: ["this week"],
  nextWeek: ["next week"],
  /** Before or behind a span. */
  ahead: ["in"],
  ago: ["ago"],
  hours: ["h", "hour", "hours", "o'clock"],
  minutes: ["min", "minutes"],
  days: ["d", "day", "days"],
  weeks: ["w", "week", "weeks"],
  /** Before or behind an hour. */
  am: ["am", "a.m"],
  pm: ["pm", "p.m"],
  /** Half past the hour before it. */
  half: [] as string[],
  noon: ["noon"],
  midnight: ["midnight"],
  /** Say nothing more: of, on, at, this. */
  fillers: ["at", "on", "the", "this"],
};

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
  /** `15 Jan`. */
  monthDay: ({ day, month }: Pick<DayParts, "day" | "month">) => `${day} ${months[month - 1]}`,
  /** `Sat 15 Jan 2011`. */
  dayOfYear: ({ weekday, day, month, year }: DayParts) =>
    `${days[weekday]} ${day} ${months[month - 1]} ${year}`,
  /** `Saturday 15 January 2011`. */
  longDay: ({ weekday, day, month, year }: DayParts) =>
    `${longDays[weekday]} ${day} ${longMonths[month - 1]} ${year}`,
  /** `Sat 15`: of the time bar, where there is no room for the month. */
  barDay: ({ weekday, day }: Pick<DayParts, "weekday" | "day">) => `${days[weekday]} ${day}`,
  /** `January 2011`. */
  month: ({ month, year }: MonthParts) => `${longMonths[month - 1]} ${year}`,
  /** `Sep 2026`. */
  shortMonth,
  /** From one month to another: `Sep 2023 to Jun 2026`; of one year, `Jun to Sep 2026`. */
  monthSpan: (from: MonthParts, to: MonthParts) =>
    `${from.year === to.year ? months[from.month - 1] : shortMonth(from)} to ${shortMonth(to)}`,
  now: "now",
  justNow: "just now",
  /** `12 min`. */
  minutes: (count: number) => `${count} min`,
  /** `6 h`. */
  hours: (count: number) => `${count} h`,
  /** `3 d`; the forms of span that stand in `ago` and `ahead`. */
  daysLong: (count: number) => `${formatNumber(count, 0, "en")} d`,
  /** `12 min ago`. */
  ago: (span: string) => `${span} ago`,
  /** `in 20 min`. */
  ahead: (span: string) => `in ${span}`,
  typed,
  /** Other names of days of the week that are typed. */
  typedDays: { weds: 3 } as Record<string, number>,
  /** Whether `1/2` is the second of January. */
  monthFirst: false,
};

export type DatesWords = typeof dates;
