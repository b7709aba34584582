import type { StormCardWords } from "../en/storm-card.ts";
import { plural } from "../plural.ts";

export const stormCard: StormCardWords = {
  region: (name) => `Ciclón ${name}`,
  bulletin: ({ time, span }) => `Boletín del ${time}, hace ${span}`,
  otherTime: (time) =>
    `El mapa es de otra hora, ${time}: la predicción y el cono de este boletín no se dibujan sobre él.`,
  aliases: (ids) => `También conocido como ${ids.join(", ")}`,
  stage: "Fase",
  wind: "Viento máximo",
  pressure: "Presión mínima",
  centre: "Centro",
  moving: "Desplazamiento",
  seas: "Mar de 12 ft (3,7 m)",
  seasReach: (quadrants) => `${quadrants} M, punteado en el mapa`,
  danger: {
    title: "Zona de peligro, regla 1-2-3",
    off: "Sin",
    classic: "100-200-300",
    season: "Cono de la temporada",
    rule: ({ thresholdKt, method, estimated }) => {
      const error = method === "classic" ? "100 M al día (regla 1-2-3)" : "el radio del cono";
      return `Alcance de los vientos de ${thresholdKt} kn${estimated ? " (en parte estimado)" : ""} más ${error}, hasta 72 h`;
    },
    text: (rule) => `${rule}. No elimina todo el riesgo.`,
    noForecast: "No hay ninguna predicción para dibujarla.",
  },
  cone: {
    title: "Cono:",
    jma: "círculos de probabilidad del 70\u00a0% de la JMA",
    table: ({ year, missing, basin }) => {
      const unknown = missing === undefined ? "" : ` (la de ${missing} aún no se conoce aquí)`;
      const borrowed = basin === undefined ? "" : `, tomada de otra cuenca (${basin})`;
      return `tabla del NHC de ${year}${unknown}, dos tercios de los errores de predicción${borrowed}`;
    },
    text: {
      jma: (origin) =>
        `${origin}. Se espera que el centro permanezca dentro unas 7 veces de cada 10; el viento y la mar llegan más allá.`,
      nhc: (origin) =>
        `${origin}. Se espera que el centro permanezca dentro unas 2 veces de cada 3; el viento y la mar llegan más allá.`,
    },
  },

  chart: {
    wind: (minutes) => `Viento, kn (media de ${minutes} min)`,
    pressure: "Presión mínima, hPa",
    label: ({ title, first, last, min, max }) => `${title}: de ${first} a ${last}, entre ${min} y ${max}`,
  },

  forecast: {
    caption: (minutes) => `Predicción, vientos como medias de ${minutes} min`,
    time: "Hora",
    wind: { what: "Viento,", unit: "kn" },
    centre: "Centro",
    reach: (thresholdKt) => ({ what: `${thresholdKt} kn,`, unit: "M" }),
    cone: { what: "Cono,", unit: "M" },
    seas: (quadrants) => `mar de 12 ft ${quadrants}`,
  },

  errors: {
    title: "Predicción y realidad",
    tooEarly: (bulletins) =>
      plural("es", bulletins, {
        one: "Demasiado pronto: aquí hay un boletín guardado y aún no se ha observado ninguno de sus plazos.",
        other: `Demasiado pronto: aquí hay ${bulletins} boletines guardados y aún no se ha observado ninguno de sus plazos.`,
      }),
    chart: "Error medio de la trayectoria, M, por plazo en horas",
    chartLabel: (means) =>
      `Error medio de la trayectoria: ${means.map(({ miles, hours }) => `${miles} M a ${hours} h`).join(", ")}`,
    caption: "Error medio de las predicciones hasta ahora, por plazo",
    lead: { what: "Plazo,", unit: "h" },
    forecasts: "Predicciones",
    track: { what: "Trayectoria,", unit: "M" },
    wind: { what: "Viento,", unit: "kn" },
    few: (count) => `${count} (pocas)`,
    means: ({ bulletins, minutes }) => {
      const count = plural("es", bulletins, { one: "un boletín", other: `${bulletins} boletines` });
      return `Medias de ${count} respecto a la trayectoria que se conoce ahora. Viento: medias de ${minutes} min; entre paréntesis, la media con su signo, negativa donde las predicciones se quedaron cortas.`;
    },
    tooFew: (least) =>
      `Menos de ${least} predicciones de un plazo son demasiado pocas para juzgar la próxima predicción.`,
    leftOut: (count) =>
      plural("es", count, {
        one: "Se omite una predicción de otro plazo.",
        other: `Se omiten ${count} predicciones de otros plazos.`,
      }),
  },

  peer: {
    region: "El otro proveedor",
    title: ({ provider, id }) => `${provider} sobre este ciclón (${id})`,
    winds: ({ other, own }) => `Viento máximo ${other}, frente a ${own}: no son comparables.`,
    apart: (miles) => `Los centros distan ahora ${miles}.`,
    apartLater: ({ now, later, hours }) =>
      `Los centros distan ahora ${now}, y ${later} dentro de ${hours} h según sus predicciones.`,
    compare: "Comparar las trayectorias",
    closeFilm: "Cierre la película para ver ambas trayectorias en el mapa.",
    onMap: (provider) =>
      `En el mapa: ${provider} en el color de los textos, con una línea entre los centros a la misma hora.`,
    noCommonTime: "Las dos trayectorias no tienen ninguna hora en común.",
    table: "Las dos trayectorias según la hora",
    caption: "Distancia entre los dos centros y sus vientos, según la hora",
    time: "Hora",
    distance: { what: "Distancia,", unit: "M" },
    wind: ({ agency, minutes }) => ({ what: `${agency},`, unit: `kn, ${minutes} min` }),
    difference: { what: "Diferencia,", unit: "kn" },
    forecast: "Predicción",
    observed: "Observado, lo más reciente primero",
    note: ({ shorter, longer }) =>
      `Una media de ${shorter} min es más alta que una media de ${longer} min del mismo viento: una diferencia de vientos no es un error de uno de los dos.`,
    interpolated: "≈: una de las dos posiciones está interpolada.",
  },

  film: {
    button: "Película",
    open: "El mapa muestra solo este ciclón. Esta ficha es la del boletín en vigor donde la película está parada, o la del primero guardado.",
    closed: "La trayectoria según avanzaba, con la predicción y el cono de cada boletín.",
    region: "Película del ciclón",
    close: "Cerrar la película",
    readingStorms: "Leyendo los ciclones…",
    back: "Volver a la posición o al boletín anterior",
    forward: "Ir a la posición o al boletín siguiente",
    play: "Reproducir la película",
    pause: "Pausar la película",
    time: "Hora de la película",
    name: (name) => `${name}, `,
    at: ({ time, state }) => `${time}, ${state}`,
    beforeFirst: "antes del primer boletín guardado",
    bulletin: ({ number, count }) => `boletín ${number} de ${count}`,
  },

  save: {
    button: "Guardar como archivo",
    geojson: "GeoJSON, todo",
    gpx: "GPX, para un plotter",
    track: "CSV, la trayectoria",
    cone: "CSV, el cono",
    danger: "CSV, la zona de peligro",
  },
};
