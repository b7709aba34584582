import type { StormsWords } from "../en/storms.ts";

const likely = { low: "Baixa", medium: "Média", high: "Alta" };
const likelihood = { low: "Probabilidade baixa", medium: "Probabilidade média", high: "Probabilidade alta" };

export const storms: StormsWords = {
  days: (count) => `${count} dias`,
  notStated: "sem informação",
  notGiven: "sem informação",
  reading: "Lendo os boletins…",
  allStorms: "Todos os ciclones",
  noLongerTracked: "Não é mais acompanhado",
  areaOfInterest: "Área de interesse",
  unnamed: (label) => `${label} (sem nome)`,
  dangerLabels: {
    classic: "Zona de perigo pela regra 1-2-3",
    season: "Zona de perigo pelos erros de previsão desta temporada",
  },
  providers: { jtwc: "JTWC e NHC", jma: "JMA" },
  basins: {
    north_atlantic: "Atlântico Norte",
    south_atlantic: "Atlântico Sul",
    east_pacific: "Pacífico Leste",
    central_pacific: "Pacífico Central",
    west_pacific: "Pacífico Oeste",
    south_pacific: "Pacífico Sul",
    north_indian: "Índico Norte",
    south_indian: "Índico Sul",
  },
  stages: {
    DB: "Perturbação",
    TD: "Depressão tropical",
    TS: "Tempestade tropical",
    PT: "Pós-tropical",
    LO: "Baixa pressão",
    hurricane: "Furacão",
    typhoon: "Tufão",
    cyclone: "Ciclone tropical",
    unknown: "Estágio não informado",
  },
  category: ({ stage, category }) => `${stage}, categoria ${category}`,
  shortCategory: (category) => `Cat. ${category}`,
  jmaClasses: {
    TD: "Depressão tropical",
    TS: "Tempestade tropical",
    STS: "Tempestade tropical severa",
    TY: "Tufão",
    strong: "Tufão, forte",
    veryStrong: "Tufão, muito forte",
    violent: "Tufão, violento",
  },
  wind: ({ knots, minutes }) => `${knots} kn (média de ${minutes} min)`,
  windRange: ({ min, max, minutes }) => `${min} a ${max} kn (média de ${minutes} min)`,
  notEstimated: "ainda não estimado",
  motion: {
    towards: ({ bearing, knots }) => `para ${bearing} a ${knots} kn`,
    stationary: "estacionário",
    unknown: "desconhecido",
  },
  moving: {
    towards: ({ bearing, knots }) => `Desloca-se para ${bearing} a ${knots} kn`,
    stationary: "Estacionário",
    unknown: "Deslocamento desconhecido",
  },
  quadrants: ({ ne, se, sw, nw }) => [`NE ${ne} SE ${se}`, `SO ${sw} NO ${nw}`],
  staleForecast: (span) => `A previsão é de ${span} atrás: faltam boletins mais recentes.`,
  overdue: ({ span, hidden }) =>
    `O último informe deste ciclone é de ${span} atrás: a fonte está parada ou deixou de incluí-lo.${
      hidden ? " Uma previsão mais antiga não é mostrada." : ""
    }`,
  seen: (time) => `visto ${time}`,
  unknownStorm: (id) => `Este servidor não tem boletins deste provedor sobre o ciclone ${id}.`,

  list: {
    title: "Ciclones",
    whose: "Provedor",
    means: {
      jtwc: "Os ventos são médias de 1 minuto. Os dos dois provedores não são comparáveis e nunca são misturados.",
      jma: "Os ventos são médias de 10 minutos. Os dos dois provedores não são comparáveis e nunca são misturados.",
    },
    withAreas: "Também áreas de interesse (invests)",
    oldFeed: (span) =>
      `O texto mais recente deste provedor é de ${span} atrás: é mostrado o último que foi recebido.`,
    neverRead: "Este servidor ainda não tem boletins de ciclones deste provedor.",
    none: {
      jtwc: "Nenhum ciclone ativo segundo o JTWC ou o NHC.",
      jma: "Nenhum ciclone ativo segundo a JMA.",
    },
    nearestFirst: "Os que passam mais perto do seu navio vêm primeiro.",
    searching: "Procurando os pontos de maior aproximação do seu navio…",
    stageAndWind: ({ stage, wind }) => `${stage}, ${wind}`,
    bulletin: (span) => `Boletim de ${span} atrás`,
    noForecast: "Sem previsão: o ponto de maior aproximação não é conhecido",
  },

  areas: {
    title: "Áreas de interesse",
    jmaHasNone: "A JMA não publica perspectivas de áreas de interesse.",
    unknown:
      "Nenhuma perspectiva foi recebida nos últimos dois dias: não se sabe se ciclones podem se formar.",
    quiet: ({ basins, agency }) => `${basins.join(" e ")}: o ${agency} não espera desenvolvimento`,
    quietSince: (time) => `(perspectiva emitida em ${time})`,
    name: ({ name, invest }) => `${name} (${invest})`,
    nameless: "Perturbação sem número",
    chance: ({ likelihood: level, in48Hours, in7Days, within }) => {
      const stated = [
        ...(in48Hours === null ? [] : [`${in48Hours}% em 48 h`]),
        ...(in7Days === null ? [] : [`${in7Days}% em 7 dias`]),
      ];
      return stated.length > 0
        ? `${likelihood[level]}: ${stated.join(", ")}`
        : `${likelihood[level]} em ${within}`;
    },
    chanceLabel: ({ likelihood: level, in7Days, within }) =>
      in7Days === null ? `${likely[level]} em ${within}` : `${likely[level]}: ${in7Days}% em 7 dias`,
    alertUntil: (time) => ({ what: "Alerta de formação", until: `até ${time}` }),
    issuedAgo: (age) => `Emitida ${age}`,
    region: (name) => `Área ${name}`,
    kind: ({ agency }) => `Área de interesse · ${agency}`,
    issued: ({ time, span }) => `Emitida em ${time}, há ${span}`,
    validUntil: (time) => `Válida até ${time}`,
    where: "Onde",
    drawn: "como desenhado no mapa",
    onlyInWords: "apenas descrita",
    winds: "Ventos",
    pressure: "Pressão mínima",
    drawnEarlier: (time) =>
      `A posição e a extensão dela são de uma perspectiva anterior, emitida em ${time}.`,
    noExtent: "A agência informa uma posição e nenhuma extensão: o símbolo está onde ela se encontra agora.",
    likelihoodIssued: ({ time, agency }) =>
      agency === undefined
        ? `Probabilidade de formação de um ciclone tropical, emitida em ${time}`
        : `Probabilidade de formação de um ciclone tropical, emitida em ${time} pelo ${agency}`,
    alert: "Alerta de formação",
    alertTitle: "Alerta de formação do JTWC",
    inForceUntil: (time) => `Em vigor até ${time}`,
    lapsed: "O prazo do alerta passou, e nenhum alerta posterior foi recebido ainda.",
    area: "Área",
    aroundPlace: (miles) => `a até ${miles} de um ponto`,
    alongLine: (miles) => `${miles} de ambos os lados de uma linha`,
    moving: "Deslocamento",
    agencyText: "Texto do JTWC",
  },
};
