import type { StatusWords } from "../en/status.ts";
import { plural } from "../plural.ts";

const stateNames = {
  current: "em dia",
  growing: "em recepção",
  waiting: "em espera",
  late: "com atraso",
  failing: "com falha",
};

export const status: StatusWords = {
  heading: "Fontes",
  reading: "Lendo a situação das fontes…",
  states: {
    current: "Em dia",
    growing: "Em recepção",
    waiting: "Em espera",
    late: "Com atraso",
    failing: "Com falha",
  },
  summary: ({ counts, used, budget }) => {
    const feeds = counts.map(({ state, count }) => `${count} ${stateNames[state]}`).join(", ");
    return `${feeds}. Em disco: ${used}${budget === undefined ? "" : ` de ${budget}`}.`;
  },
  newestRun: "Última rodada",
  newestText: "Último texto",
  steps: "Passos",
  stepsOf: ({ here, expected }) => `${here} de ${expected}`,
  stepsHere: ({ title }) => `Passos recebidos de ${title}`,
  reachesTo: "Vai até",
  nextExpected: "Próxima recepção",
  lastFetched: "Última recepção",
  from: "Origem",
  today: "Hoje",
  moment: ({ time, age }) => `${time} UTC, ${age}`,
  errorAt: ({ moment }) => `${moment}:`,
  quarantined: ({ count, command }) => [
    plural("pt", count, {
      one: `${count} arquivo foi recusado e guardado para o operador: `,
      other: `${count} arquivos foram recusados e guardados para o operador: `,
    }),
    command,
  ],
  clockSlow: ({ minutes }) =>
    `O relógio deste servidor está ${minutes} min atrasado, segundo vários servidores: até ser acertado, a idade das previsões e tempestades pode estar errada.`,
  clockFast: ({ minutes }) =>
    `O relógio deste servidor está ${minutes} min adiantado, segundo vários servidores: até ser acertado, a idade das previsões e tempestades pode estar errada.`,
  noFeeds:
    "Nenhuma fonte está ativada: o mapa mostra o que foi importado à mão, ou o mundo de demonstração inventado.",
  turnOn: ({ start, plan }) => [
    "Quem opera este servidor obtém previsões reais com uma única configuração: ",
    start,
    ". ",
    plan,
    " mostra antes o volume de dados por dia.",
  ],
};
