import type { DatesWords } from "../en/dates.ts";
import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";

const days = ["dom", "seg", "ter", "qua", "qui", "sex", "sáb"];
const longDays = [
  "domingo",
  "segunda-feira",
  "terça-feira",
  "quarta-feira",
  "quinta-feira",
  "sexta-feira",
  "sábado",
];
const months = ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"];
const longMonths = [
  "janeiro",
  "fevereiro",
  "março",
  "abril",
  "maio",
  "junho",
  "julho",
  "agosto",
  "setembro",
  "outubro",
  "novembro",
  "dezembro",
];

const shortMonth: DatesWords["shortMonth"] = ({ month, year }) => `${months[month - 1]} ${year}`;

const typed: DatesWords["typed"] = {
  now: ["agora"],
  today: ["hoje"],
  tomorrow: ["amanhã"],
  tomorrowMorning: ["amanhã de manhã", "amanhã cedo"],
  tomorrowEvening: ["amanhã à tarde", "amanhã à noite"],
  afterTomorrow: ["depois de amanhã"],
  yesterday: ["ontem"],
  tonight: ["hoje à noite", "esta noite"],
  next: ["próximo", "próxima", "que vem"],
  last: ["passado", "passada", "último", "última"],
  lastWeek: ["semana passada"],
  thisWeek: ["esta semana", "nesta semana"],
  nextWeek: ["próxima semana", "semana que vem"],
  ahead: ["em", "daqui a"],
  ago: ["há", "atrás"],
  hours: ["h", "hora", "horas"],
  minutes: ["min", "minutos"],
  days: ["d", "dia", "dias"],
  weeks: ["sem", "semana", "semanas"],
  am: ["da manhã", "de manhã"],
  pm: ["da tarde", "à tarde", "da noite", "à noite"],
  half: ["e meia"],
  noon: ["meio-dia"],
  midnight: ["meia-noite"],
  fillers: ["o", "a", "as", "ao", "no", "na", "de", "do", "da", "este", "esta"],
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
  now: "agora",
  justNow: "agora mesmo",
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
  daysLong: (count) =>
    `${formatNumber(count, 0, "pt")} ${plural("pt", count, { one: "dia", other: "dias" })}`,
  ago: (span) => `há ${span}`,
  ahead: (span) => `em ${span}`,
  typed,
  typedDays: {},
  monthFirst: false,
};
