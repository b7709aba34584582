import type { DatesWords } from "../en/dates.ts";
import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";

const days = ["dom", "lun", "mar", "mié", "jue", "vie", "sáb"];
const longDays = ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"];
const months = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"];
const longMonths = [
  "enero",
  "febrero",
  "marzo",
  "abril",
  "mayo",
  "junio",
  "julio",
  "agosto",
  "septiembre",
  "octubre",
  "noviembre",
  "diciembre",
];

const shortMonth: DatesWords["shortMonth"] = ({ month, year }) => `${months[month - 1]} ${year}`;

const typed: DatesWords["typed"] = {
  now: ["ahora"],
  today: ["hoy"],
  tomorrow: ["mañana"],
  tomorrowMorning: ["mañana por la mañana"],
  tomorrowEvening: ["mañana por la tarde", "mañana por la noche"],
  afterTomorrow: ["pasado mañana"],
  yesterday: ["ayer"],
  tonight: ["esta noche"],
  next: ["próximo", "próxima", "que viene"],
  last: ["pasado", "pasada", "último"],
  lastWeek: ["semana pasada"],
  thisWeek: ["esta semana"],
  nextWeek: ["próxima semana", "semana próxima", "semana que viene"],
  ahead: ["en", "dentro de"],
  ago: ["hace"],
  hours: ["h", "hora", "horas"],
  minutes: ["min", "minutos"],
  days: ["d", "día", "días"],
  weeks: ["sem", "semana", "semanas"],
  am: ["de la mañana", "por la mañana"],
  pm: ["de la tarde", "por la tarde", "de la noche", "por la noche"],
  half: ["y media"],
  noon: ["mediodía"],
  midnight: ["medianoche"],
  fillers: ["el", "la", "las", "los", "de", "del", "a", "al", "este", "esta", "sobre"],
};

export const dates: DatesWords = {
  days,
  longDays,
  months,
  longMonths,
  day: ({ weekday, day, month }) => `${days[weekday]} ${day} ${months[month - 1]}`,
  monthDay: ({ day, month }) => `${day} ${months[month - 1]}`,
  dayOfYear: ({ weekday, day, month, year }) => `${days[weekday]} ${day} ${months[month - 1]} ${year}`,
  longDay: ({ weekday, day, month, year }) =>
    `${longDays[weekday]}, ${day} de ${longMonths[month - 1]} de ${year}`,
  barDay: ({ weekday, day }) => `${days[weekday]} ${day}`,
  month: ({ month, year }) => `${longMonths[month - 1]} de ${year}`,
  shortMonth,
  monthSpan: (from, to) =>
    `de ${from.year === to.year ? months[from.month - 1] : shortMonth(from)} a ${shortMonth(to)}`,
  now: "ahora",
  justNow: "ahora mismo",
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
  daysLong: (count) =>
    `${formatNumber(count, 0, "es")} ${plural("es", count, { one: "día", other: "días" })}`,
  ago: (span) => `hace ${span}`,
  ahead: (span) => `dentro de ${span}`,
  typed,
  typedDays: {},
  monthFirst: false,
};
