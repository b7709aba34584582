import type { MapWords } from "../en/map.ts";

export const map: MapWords = {
  title: "Mapa do tempo",
  zoomIn: "Aproximar",
  zoomOut: "Afastar",
  high: "A",
  low: "B",
  noValue: "sem valor",
  ofTime: (time) => `(${time})`,
  from: ({ value, point }) => `${value} de ${point}`,
  setting: ({ value, point }) => `${value} para ${point}`,
  loading: (title) => `Carregando: ${title.toLowerCase()}…`,
  empty: ({ title, ingest, feeds }) =>
    `O arquivo ainda está vazio: ${title.toLowerCase()}. Execute \`${ingest}\` para preenchê-lo, ou \`${feeds}\` para que as previsões sejam baixadas.`,
  awaited: (title) => `Ainda não há dados: ${title.toLowerCase()}. A primeira previsão está sendo baixada.`,
  outside: (title) => `O arquivo não tem dados para este horário: ${title.toLowerCase()}.`,
  broken:
    "Não é possível desenhar o mapa: este navegador não tem WebGL 2. Procure um lugar ou uma posição para ver as condições.",
  beyondAhead: (days) =>
    `As previsões vão até ${days} dias à frente: o mapa fica no último horário disponível.`,
  beyondPast: (years) => `O arquivo vai até ${years} anos atrás: o mapa fica no primeiro horário disponível.`,
  old: (field) => `Antigo: ${field}`,
  fieldOf: ({ title, time }) => `${title}, ${time}`,
  linesOutside: (title) => `${title}: o arquivo não tem dados para este horário.`,
  linesFailed: (title) => `${title}: o servidor não conseguiu responder.`,
  fixedSource: ({ title, model, dataset }) => `${title}: ${model} · ${dataset}, igual em qualquer horário`,
  source: ({ title, model, age, reach, run, valid, between }) => {
    const forecast =
      age === undefined ? "" : `, de ${age} h atrás${reach === undefined ? "" : `, até T+${reach} h`}`;
    const steps = between ? `, interpolado entre ${between[0]} e ${between[1]}` : "";
    return `${title}: ${model}${forecast} · rodada ${run} UTC · válido ${valid}${steps}`;
  },
  secondarySource: ({ title, model, run }) =>
    `${title}: ${model}${run === undefined ? "" : ` · rodada ${run} UTC`}`,
};
