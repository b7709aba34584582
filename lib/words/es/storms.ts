import type { StormsWords } from "../en/storms.ts";

const likely = { low: "Baja", medium: "Media", high: "Alta" };
const likelihood = { low: "Probabilidad baja", medium: "Probabilidad media", high: "Probabilidad alta" };

export const storms: StormsWords = {
  days: (count) => `${count} días`,
  notStated: "sin indicar",
  notGiven: "sin indicar",
  reading: "Leyendo los boletines…",
  allStorms: "Todos los ciclones",
  noLongerTracked: "Ya sin seguimiento",
  areaOfInterest: "Zona de interés",
  unnamed: (label) => `${label} (sin nombre)`,
  dangerLabels: {
    classic: "Zona de peligro por la regla 1-2-3",
    season: "Zona de peligro por los errores de predicción de esta temporada",
  },
  providers: { jtwc: "JTWC y NHC", jma: "JMA" },
  basins: {
    north_atlantic: "Atlántico norte",
    south_atlantic: "Atlántico sur",
    east_pacific: "Pacífico oriental",
    central_pacific: "Pacífico central",
    west_pacific: "Pacífico occidental",
    south_pacific: "Pacífico sur",
    north_indian: "Índico norte",
    south_indian: "Índico sur",
  },
  stages: {
    DB: "Perturbación",
    TD: "Depresión tropical",
    TS: "Tormenta tropical",
    PT: "Postropical",
    LO: "Baja presión",
    hurricane: "Huracán",
    typhoon: "Tifón",
    cyclone: "Ciclón tropical",
    unknown: "Fase no indicada",
  },
  category: ({ stage, category }) => `${stage}, categoría ${category}`,
  shortCategory: (category) => `Cat. ${category}`,
  jmaClasses: {
    TD: "Depresión tropical",
    TS: "Tormenta tropical",
    STS: "Tormenta tropical severa",
    TY: "Tifón",
    strong: "Tifón, fuerte",
    veryStrong: "Tifón, muy fuerte",
    violent: "Tifón, violento",
  },
  wind: ({ knots, minutes }) => `${knots} kn (media de ${minutes} min)`,
  windRange: ({ min, max, minutes }) => `${min} a ${max} kn (media de ${minutes} min)`,
  notEstimated: "aún sin estimar",
  motion: {
    towards: ({ bearing, knots }) => `hacia ${bearing} a ${knots} kn`,
    stationary: "estacionario",
    unknown: "no se conoce",
  },
  moving: {
    towards: ({ bearing, knots }) => `Se desplaza hacia ${bearing} a ${knots} kn`,
    stationary: "Estacionario",
    unknown: "Desplazamiento desconocido",
  },
  quadrants: ({ ne, se, sw, nw }) => [`NE ${ne} SE ${se}`, `SO ${sw} NO ${nw}`],
  staleForecast: (span) => `La predicción es de hace ${span}: faltan boletines más recientes.`,
  overdue: ({ span, hidden }) =>
    `El último parte de este ciclón es de hace ${span}: la fuente está parada o ya no lo incluye.${
      hidden ? " No se muestra una predicción anterior." : ""
    }`,
  seen: (time) => `visto ${time}`,
  unknownStorm: (id) => `Este servidor no tiene boletines de este proveedor sobre el ciclón ${id}.`,

  list: {
    title: "Ciclones",
    whose: "Proveedor",
    means: {
      jtwc: "Los vientos son medias de 1 minuto. Los de ambos proveedores no son comparables y nunca se mezclan.",
      jma: "Los vientos son medias de 10 minutos. Los de ambos proveedores no son comparables y nunca se mezclan.",
    },
    withAreas: "También zonas de interés (invests)",
    oldFeed: (span) =>
      `El texto más reciente de este proveedor es de hace ${span}: se muestra lo último que se recibió.`,
    neverRead: "Este servidor aún no tiene boletines de ciclones de este proveedor.",
    none: {
      jtwc: "No hay ciclones activos según el JTWC o el NHC.",
      jma: "No hay ciclones activos según la JMA.",
    },
    nearestFirst: "Primero, los que pasan más cerca de su barco.",
    searching: "Buscando los puntos de máxima aproximación a su barco…",
    stageAndWind: ({ stage, wind }) => `${stage}, ${wind}`,
    bulletin: (span) => `Boletín de hace ${span}`,
    noForecast: "Sin predicción: no se conoce su punto de máxima aproximación",
  },

  areas: {
    title: "Zonas de interés",
    jmaHasNone: "La JMA no publica perspectivas de zonas de interés.",
    unknown:
      "No se ha recibido ninguna perspectiva en los dos últimos días: no se sabe si pueden formarse ciclones.",
    quiet: ({ basins, agency }) => `${basins.join(", ")}: el ${agency} no espera ningún desarrollo`,
    quietSince: (time) => `(perspectiva emitida el ${time})`,
    name: ({ name, invest }) => `${name} (${invest})`,
    nameless: "Perturbación sin número",
    chance: ({ likelihood: level, in48Hours, in7Days, within }) => {
      const stated = [
        ...(in48Hours === null ? [] : [`${in48Hours}\u00a0% en 48 h`]),
        ...(in7Days === null ? [] : [`${in7Days}\u00a0% en 7 días`]),
      ];
      return stated.length > 0
        ? `${likelihood[level]}: ${stated.join(", ")}`
        : `${likelihood[level]} en ${within}`;
    },
    chanceLabel: ({ likelihood: level, in7Days, within }) =>
      in7Days === null ? `${likely[level]} en ${within}` : `${likely[level]}: ${in7Days}\u00a0% en 7 días`,
    alertUntil: (time) => ({ what: "Alerta de formación", until: `hasta el ${time}` }),
    issuedAgo: (age) => `Emitida ${age}`,
    region: (name) => `Zona ${name}`,
    kind: ({ agency }) => `Zona de interés · ${agency}`,
    issued: ({ time, span }) => `Emitida el ${time}, hace ${span}`,
    validUntil: (time) => `Válida hasta el ${time}`,
    where: "Dónde",
    drawn: "como se dibuja en el mapa",
    onlyInWords: "solo descrita",
    winds: "Vientos",
    pressure: "Presión mínima",
    drawnEarlier: (time) => `Su posición y su extensión son de una perspectiva anterior, emitida el ${time}.`,
    noExtent: "La agencia indica una posición y ninguna extensión: el símbolo está donde se encuentra ahora.",
    likelihoodIssued: ({ time, agency }) =>
      agency === undefined
        ? `Probabilidad de que se forme un ciclón tropical, emitida el ${time}`
        : `Probabilidad de que se forme un ciclón tropical, emitida el ${time} por el ${agency}`,
    alert: "Alerta de formación",
    alertTitle: "Alerta de formación del JTWC",
    inForceUntil: (time) => `En vigor hasta el ${time}`,
    lapsed: "El plazo de la alerta ha vencido y aún no se ha recibido ninguna posterior.",
    area: "Zona",
    aroundPlace: (miles) => `a menos de ${miles} de un punto`,
    alongLine: (miles) => `${miles} a ambos lados de una línea`,
    moving: "Desplazamiento",
    agencyText: "Texto del JTWC",
  },
};
