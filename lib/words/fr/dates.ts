import type { DatesWords } from "../en/dates.ts";
import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";

const days = ["dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."];
const longDays = ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"];
const months = [
  "janv.",
  "févr.",
  "mars",
  "avr.",
  "mai",
  "juin",
  "juil.",
  "août",
  "sept.",
  "oct.",
  "nov.",
  "déc.",
];
const longMonths = [
  "janvier",
  "février",
  "mars",
  "avril",
  "mai",
  "juin",
  "juillet",
  "août",
  "septembre",
  "octobre",
  "novembre",
  "décembre",
];

/** The first day of a month is an ordinal. */
const ordinal = (day: number) => (day === 1 ? "1er" : String(day));

const shortMonth: DatesWords["shortMonth"] = ({ month, year }) => `${months[month - 1]} ${year}`;

const typed: DatesWords["typed"] = {
  now: ["maintenant", "a present"],
  today: ["aujourd'hui", "ce jour"],
  tomorrow: ["demain"],
  tomorrowMorning: ["demain matin"],
  tomorrowEvening: ["demain soir"],
  afterTomorrow: ["après-demain"],
  yesterday: ["hier"],
  tonight: ["ce soir"],
  next: ["prochain", "prochaine"],
  last: ["dernier", "dernière", "passé"],
  lastWeek: ["semaine dernière", "semaine passée"],
  thisWeek: ["cette semaine"],
  nextWeek: ["semaine prochaine"],
  ahead: ["dans"],
  ago: ["il y a"],
  hours: ["h", "heure", "heures"],
  minutes: ["min", "minutes"],
  days: ["j", "jour", "jours"],
  weeks: ["sem", "semaine", "semaines"],
  am: ["du matin", "le matin"],
  pm: ["du soir", "le soir", "soir", "de l'après-midi", "après-midi"],
  half: ["et demie"],
  noon: ["midi"],
  midnight: ["minuit"],
  fillers: ["le", "la", "les", "de", "du", "à", "ce", "cet", "vers", "er"],
};

export const dates: DatesWords = {
  days,
  longDays,
  months,
  longMonths,
  day: ({ weekday, day, month }) => `${days[weekday]} ${ordinal(day)} ${months[month - 1]}`,
  monthDay: ({ day, month }) => `${ordinal(day)} ${months[month - 1]}`,
  dayOfYear: ({ weekday, day, month, year }) =>
    `${days[weekday]} ${ordinal(day)} ${months[month - 1]} ${year}`,
  longDay: ({ weekday, day, month, year }) =>
    `${longDays[weekday]} ${ordinal(day)} ${longMonths[month - 1]} ${year}`,
  barDay: ({ weekday, day }) => `${days[weekday]} ${day}`,
  month: ({ month, year }) => `${longMonths[month - 1]} ${year}`,
  shortMonth,
  monthSpan: (from, to) =>
    `de ${from.year === to.year ? months[from.month - 1] : shortMonth(from)} à ${shortMonth(to)}`,
  now: "maintenant",
  justNow: "à l’instant",
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
  daysLong: (count) =>
    `${formatNumber(count, 0, "fr")} ${plural("fr", count, { one: "jour", other: "jours" })}`,
  ago: (span) => `il y a ${span}`,
  ahead: (span) => `dans ${span}`,
  typed,
  typedDays: {},
  monthFirst: false,
};
