import type { MapWords } from "../en/map.ts";

export const map: MapWords = {
  title: "Mapa del tiempo",
  zoomIn: "Acercar",
  zoomOut: "Alejar",
  high: "A",
  low: "B",
  noValue: "sin valor",
  ofTime: (time) => `(${time})`,
  from: ({ value, point }) => `${value} del ${point}`,
  setting: ({ value, point }) => `${value} hacia ${point}`,
  loading: (title) => `Cargando: ${title.toLowerCase()}…`,
  empty: ({ title, ingest, feeds }) =>
    `El archivo aún está vacío: ${title.toLowerCase()}. Ejecute \`${ingest}\` para llenarlo, o \`${feeds}\` para que se descarguen las predicciones.`,
  awaited: (title) => `Aún no hay datos: ${title.toLowerCase()}. Se está descargando la primera predicción.`,
  outside: (title) => `El archivo no tiene datos a esta hora: ${title.toLowerCase()}.`,
  broken:
    "No se puede dibujar el mapa: este navegador no tiene WebGL 2. Busque un lugar o una posición para ver sus condiciones.",
  beyondAhead: (days) =>
    `Las predicciones llegan hasta ${days} días: el mapa se queda en la última hora disponible.`,
  beyondPast: (years) =>
    `El archivo llega hasta hace ${years} años: el mapa se queda en la primera hora disponible.`,
  old: (field) => `Antiguo: ${field}`,
  fieldOf: ({ title, time }) => `${title}, ${time}`,
  linesOutside: (title) => `${title}: el archivo no tiene datos a esta hora.`,
  linesFailed: (title) => `${title}: el servidor no pudo responder.`,
  fixedSource: ({ title, model, dataset }) => `${title}: ${model} · ${dataset}, igual a cualquier hora`,
  source: ({ title, model, age, reach, run, valid, between }) => {
    const forecast =
      age === undefined ? "" : `, de hace ${age} h${reach === undefined ? "" : `, hasta T+${reach} h`}`;
    const steps = between ? `, interpolado entre ${between[0]} y ${between[1]}` : "";
    return `${title}: ${model}${forecast} · pasada ${run} UTC · válido ${valid}${steps}`;
  },
  secondarySource: ({ title, model, run }) =>
    `${title}: ${model}${run === undefined ? "" : ` · pasada ${run} UTC`}`,
};
