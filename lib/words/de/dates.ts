import type { DatesWords } from "../en/dates.ts";
import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";

const days = ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"];
const longDays = ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"];
const months = [
  "Jan.",
  "Feb.",
  "März",
  "Apr.",
  "Mai",
  "Juni",
  "Juli",
  "Aug.",
  "Sept.",
  "Okt.",
  "Nov.",
  "Dez.",
];
const longMonths = [
  "Januar",
  "Februar",
  "März",
  "April",
  "Mai",
  "Juni",
  "Juli",
  "August",
  "September",
  "Oktober",
  "November",
  "Dezember",
];

const shortMonth: DatesWords["shortMonth"] = ({ month, year }) => `${months[month - 1]} ${year}`;

const typed: DatesWords["typed"] = {
  now: ["jetzt", "nun"],
  today: ["heute"],
  tomorrow: ["morgen"],
  tomorrowMorning: ["morgen früh", "morgen vormittag"],
  tomorrowEvening: ["morgen abend", "morgen nachmittag"],
  afterTomorrow: ["übermorgen"],
  yesterday: ["gestern"],
  tonight: ["heute abend"],
  next: ["nächster", "nächsten", "nächste", "nächstes", "kommenden", "kommender"],
  last: ["letzter", "letzten", "letzte", "letztes", "vorigen"],
  lastWeek: ["letzte woche", "letzter woche", "vorige woche"],
  thisWeek: ["diese woche", "dieser woche"],
  nextWeek: ["nächste woche", "nächster woche", "kommende woche"],
  ahead: ["in"],
  ago: ["vor"],
  hours: ["h", "uhr", "std", "stunde", "stunden"],
  minutes: ["min", "minuten"],
  days: ["d", "tag", "tage", "tagen"],
  weeks: ["w", "woche", "wochen"],
  am: ["früh", "morgens", "vormittag", "vormittags"],
  pm: ["nachmittag", "nachmittags", "abend", "abends"],
  half: [],
  noon: ["mittag", "mittags"],
  midnight: ["mitternacht"],
  fillers: ["um", "der", "den", "dem", "des", "gegen", "ab", "diesen", "dieser"],
};

export const dates: DatesWords = {
  days,
  longDays,
  months,
  longMonths,
  day: ({ weekday, day, month }) => `${days[weekday]} ${day}. ${months[month - 1]}`,
  monthDay: ({ day, month }) => `${day}. ${months[month - 1]}`,
  dayOfYear: ({ weekday, day, month, year }) => `${days[weekday]} ${day}. ${months[month - 1]} ${year}`,
  longDay: ({ weekday, day, month, year }) =>
    `${longDays[weekday]}, ${day}. ${longMonths[month - 1]} ${year}`,
  barDay: ({ weekday, day }) => `${days[weekday]} ${day}.`,
  month: ({ month, year }) => `${longMonths[month - 1]} ${year}`,
  shortMonth,
  monthSpan: (from, to) =>
    `${from.year === to.year ? months[from.month - 1] : shortMonth(from)} bis ${shortMonth(to)}`,
  now: "jetzt",
  justNow: "gerade eben",
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
  daysLong: (count) =>
    `${formatNumber(count, 0, "de")} ${plural("de", count, { one: "Tag", other: "Tagen" })}`,
  ago: (span) => `vor ${span}`,
  ahead: (span) => `in ${span}`,
  typed,
  typedDays: { sonnabend: 6 },
  monthFirst: false,
};
