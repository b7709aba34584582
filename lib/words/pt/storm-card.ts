import type { StormCardWords } from "../en/storm-card.ts";
import { plural } from "../plural.ts";

export const stormCard: StormCardWords = {
  region: (name) => `Ciclone ${name}`,
  bulletin: ({ time, span }) => `Boletim de ${time}, há ${span}`,
  otherTime: (time) =>
    `O mapa mostra ${time}: a previsão e o cone deste boletim não são desenhados sobre ele.`,
  aliases: (ids) => `Também conhecido como ${ids.join(", ")}`,
  stage: "Estágio",
  wind: "Vento máximo",
  pressure: "Pressão mínima",
  centre: "Centro",
  moving: "Deslocamento",
  seas: "Mar de 12 ft (3,7 m)",
  seasReach: (quadrants) => `${quadrants} M, pontilhado no mapa`,
  danger: {
    title: "Zona de perigo, regra 1-2-3",
    off: "Sem",
    classic: "100-200-300",
    season: "Cone da temporada",
    rule: ({ thresholdKt, method, estimated }) => {
      const error = method === "classic" ? "100 M por dia (regra 1-2-3)" : "o raio do cone";
      return `Alcance dos ventos de ${thresholdKt} kn${estimated ? " (em parte estimado)" : ""} mais ${error}, até 72 h`;
    },
    text: (rule) => `${rule}. Ela não elimina todo o risco.`,
    noForecast: "Não há previsão para desenhá-la.",
  },
  cone: {
    title: "Cone:",
    jma: "círculos de probabilidade de 70% da JMA",
    table: ({ year, missing, basin }) => {
      const unknown = missing === undefined ? "" : ` (a de ${missing} ainda não é conhecida aqui)`;
      const borrowed = basin === undefined ? "" : `, emprestada de outra bacia (${basin})`;
      return `tabela do NHC de ${year}${unknown}, dois terços dos erros de previsão${borrowed}`;
    },
    text: {
      jma: (origin) =>
        `${origin}. Espera-se que o centro permaneça dentro dele cerca de 7 vezes em 10; o vento e o mar vão além.`,
      nhc: (origin) =>
        `${origin}. Espera-se que o centro permaneça dentro dele cerca de 2 vezes em 3; o vento e o mar vão além.`,
    },
  },

  chart: {
    wind: (minutes) => `Vento, kn (média de ${minutes} min)`,
    pressure: "Pressão mínima, hPa",
    label: ({ title, first, last, min, max }) => `${title}: de ${first} a ${last}, entre ${min} e ${max}`,
  },

  forecast: {
    caption: (minutes) => `Previsão, ventos como médias de ${minutes} min`,
    time: "Hora",
    wind: { what: "Vento,", unit: "kn" },
    centre: "Centro",
    reach: (thresholdKt) => ({ what: `${thresholdKt} kn,`, unit: "M" }),
    cone: { what: "Cone,", unit: "M" },
    seas: (quadrants) => `mar de 12 ft ${quadrants}`,
  },

  errors: {
    title: "Previsão e realidade",
    tooEarly: (bulletins) =>
      plural("pt", bulletins, {
        one: "Cedo demais: um boletim está guardado aqui, e nenhum dos seus prazos foi observado ainda.",
        other: `Cedo demais: ${bulletins} boletins estão guardados aqui, e nenhum dos seus prazos foi observado ainda.`,
      }),
    chart: "Erro médio da trajetória, M, por prazo em horas",
    chartLabel: (means) =>
      `Erro médio da trajetória: ${means.map(({ miles, hours }) => `${miles} M em ${hours} h`).join(", ")}`,
    caption: "Erro médio das previsões até agora, por prazo",
    lead: { what: "Prazo,", unit: "h" },
    forecasts: "Previsões",
    track: { what: "Trajetória,", unit: "M" },
    wind: { what: "Vento,", unit: "kn" },
    few: (count) => `${count} (poucas)`,
    means: ({ bulletins, minutes }) => {
      const count = plural("pt", bulletins, { one: "um boletim", other: `${bulletins} boletins` });
      return `Médias de ${count} em relação à trajetória conhecida agora. Vento: médias de ${minutes} min; entre parênteses, a média com seu sinal, negativa onde as previsões foram fracas demais.`;
    },
    tooFew: (least) => `Menos de ${least} previsões de um prazo são poucas para julgar a próxima previsão.`,
    leftOut: (count) =>
      plural("pt", count, {
        one: `${count} previsão de outro prazo foi deixada de fora.`,
        other: `${count} previsões de outros prazos foram deixadas de fora.`,
      }),
  },

  peer: {
    region: "O outro provedor",
    title: ({ provider, id }) => `${provider} sobre este ciclone (${id})`,
    winds: ({ other, own }) => `Vento máximo ${other}, contra ${own}: os dois não são comparáveis.`,
    apart: (miles) => `Os centros estão agora a ${miles} um do outro.`,
    apartLater: ({ now, later, hours }) =>
      `Os centros estão agora a ${now} um do outro, e a ${later} daqui a ${hours} h segundo as previsões.`,
    compare: "Comparar as trajetórias",
    closeFilm: "Feche o filme para ver as duas trajetórias no mapa.",
    onMap: (provider) =>
      `No mapa: ${provider} na cor dos textos, com uma linha entre os centros na mesma hora.`,
    noCommonTime: "As duas trajetórias não têm nenhuma hora em comum.",
    table: "As duas trajetórias por horário",
    caption: "Distância entre os dois centros e seus ventos, por horário",
    time: "Hora",
    distance: { what: "Distância,", unit: "M" },
    wind: ({ agency, minutes }) => ({ what: `${agency},`, unit: `kn, ${minutes} min` }),
    difference: { what: "Diferença,", unit: "kn" },
    forecast: "Previsão",
    observed: "Observado, o mais recente primeiro",
    note: ({ shorter, longer }) =>
      `Uma média de ${shorter} min é mais alta que uma média de ${longer} min do mesmo vento: uma diferença de ventos não é um erro de um dos dois.`,
    interpolated: "≈: uma das duas posições é interpolada.",
  },

  film: {
    button: "Filme",
    open: "O mapa mostra apenas este ciclone. Esta ficha é a do boletim em vigor onde o filme está parado, ou a do primeiro guardado.",
    closed: "A trajetória conforme avançou, com a previsão e o cone de cada boletim.",
    region: "Filme do ciclone",
    close: "Fechar o filme",
    readingStorms: "Lendo os ciclones…",
    back: "Voltar à posição ou ao boletim anterior",
    forward: "Avançar para a posição ou o boletim seguinte",
    play: "Reproduzir o filme",
    pause: "Pausar o filme",
    time: "Hora do filme",
    name: (name) => `${name}, `,
    at: ({ time, state }) => `${time}, ${state}`,
    beforeFirst: "antes do primeiro boletim guardado",
    bulletin: ({ number, count }) => `boletim ${number} de ${count}`,
  },

  save: {
    button: "Salvar como arquivo",
    geojson: "GeoJSON, tudo",
    gpx: "GPX, para um plotter",
    track: "CSV, a trajetória",
    cone: "CSV, o cone",
    danger: "CSV, a zona de perigo",
  },
};
