import type { StatusWords } from "../en/status.ts";
import { plural } from "../plural.ts";

const stateNames = {
  current: "al día",
  growing: "en recepción",
  waiting: "en espera",
  late: "con retraso",
  failing: "con fallos",
};

export const status: StatusWords = {
  heading: "Fuentes",
  reading: "Leyendo el estado de las fuentes…",
  states: {
    current: "Al día",
    growing: "En recepción",
    waiting: "En espera",
    late: "Con retraso",
    failing: "Con fallos",
  },
  summary: ({ counts, used, budget }) => {
    const feeds = counts.map(({ state, count }) => `${count} ${stateNames[state]}`).join(", ");
    return `${feeds}. En disco: ${used}${budget === undefined ? "" : ` de ${budget}`}.`;
  },
  newestRun: "Última pasada",
  newestText: "Último texto",
  steps: "Plazos",
  stepsOf: ({ here, expected }) => `${here} de ${expected}`,
  stepsHere: ({ title }) => `Plazos recibidos de ${title}`,
  reachesTo: "Llega hasta",
  nextExpected: "Próxima recepción",
  lastFetched: "Última recepción",
  from: "Origen",
  today: "Hoy",
  moment: ({ time, age }) => `${time} UTC, ${age}`,
  errorAt: ({ moment }) => `${moment}:`,
  quarantined: ({ count, command }) => [
    plural("es", count, {
      one: "Se rechazó 1 archivo, guardado para quien gestiona el servicio: ",
      other: `Se rechazaron ${count} archivos, guardados para quien gestiona el servicio: `,
    }),
    command,
  ],
  clockSlow: ({ minutes }) =>
    `El reloj de este servidor va ${minutes} min atrasado según varios servidores: hasta que se ajuste, la antigüedad de predicciones y tormentas puede ser errónea.`,
  clockFast: ({ minutes }) =>
    `El reloj de este servidor va ${minutes} min adelantado según varios servidores: hasta que se ajuste, la antigüedad de predicciones y tormentas puede ser errónea.`,
  noFeeds:
    "No hay ninguna fuente activada: el mapa muestra lo que se importó a mano, o el mundo de demostración inventado.",
  turnOn: ({ start, plan }) => [
    "Quien gestiona este servidor obtiene predicciones reales con un solo ajuste: ",
    start,
    ". ",
    plan,
    " muestra antes el volumen de datos al día.",
  ],
};
