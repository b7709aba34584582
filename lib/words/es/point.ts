import type { PointWords } from "../en/point.ts";

export const point: PointWords = {
  title: "Condiciones",
  reading: "Leyendo la predicción…",
  choose: "Haga clic en el mar, o pulse Intro en el mapa, para ver las condiciones.",
  tap: "Toque el mar para ver las condiciones.",
  unreadable: "No se pudieron leer las condiciones.",
  notRead: "Las condiciones aún no se han leído.",
  forget: "Olvidar esta posición",
  allValues: "Todos los valores",
  everyThreeHours: "Cada tres horas",
  copyAsCurl: "Copiar como curl",
  values: (runs) => `Valores: ${runs}`,
  run: ({ model, dataset, run }) =>
    run === undefined ? `${model} (${dataset})` : `${model} (${dataset}), pasada ${run}`,
  absent: "— no disponible",
  absentBecause: (reason) => `— no disponible (${reason})`,
  onLand: "en tierra",
  reasons: {
    land: "tierra en el modelo",
    ice: "bajo hielo",
    out_of_archive: "fuera del archivo",
    out_of_domain: "fuera de la zona",
    missing: "sin valor",
  },
  bearing: ({ bearing, point }) => `${bearing} (${point})`,
  line: ({ value, period, from, towards, bearing, mentions }) => {
    const degrees = bearing === undefined ? "" : ` (${bearing})`;
    const way = from ? ` del ${from}${degrees}` : towards ? ` hacia el ${towards}${degrees}` : "";
    const added = mentions.map(({ name, value: other }) => `, ${name} de ${other}`);
    return [value, period === undefined ? "" : `, ${period}`, way, ...added].join("");
  },
  notAvailable: "no disponible",
  spokenLine: ({ name, line }) => `${name}: ${line}.`,
  heading: ({ of, sentences }) => `${of}. ${sentences}`,
  set: ({ bearing, speed }) => ["hacia", bearing, speed].filter(Boolean).join(" "),
  chart: {
    slider: "Hora del mapa, en el meteograma",
    valuesOf: ({ time, of, values }) => `${time}. Valores del ${of}: ${values}`,
    title: ({ name, dashed, unit, period }) => {
      const title = [name, ...dashed.map((other) => `${other} (a trazos)`)].join(" y ");
      return `${title}, ${unit}${period ? "; debajo: período, s" : ""}`;
    },
    gale: (speed) => `viento duro ${speed}`,
    arrows: (names) => `Las flechas señalan hacia dónde va: ${names.join(", ").toLowerCase()}.`,
    sparse: "Corriente: sin flechas, pues no mostrarían la marea.",
  },
  table: {
    caption: "Condiciones de los próximos días",
    wind: (unit) => `Viento (del), ${unit}`,
    gusts: "Rachas",
    waves: (unit) => `Olas (del), ${unit}, s`,
    current: (unit) => `Corriente (hacia), ${unit}`,
    show: ({ day, clock }) => `Mostrar ${day} ${clock} en el mapa`,
  },
  shore: {
    onLand: "Esta posición está en tierra. No hay valores del mar.",
    landInModel: "El modelo no tiene aquí valores del mar: su celda es de tierra.",
    searching: "Buscando la celda de mar más cercana…",
    none: (distance) => `No hay ninguna celda de mar a menos de ${distance}.`,
    failed: "No se pudo buscar la celda de mar más cercana.",
    nearest: (where) => `Celda de mar más cercana: ${where}`,
    where: ({ distance, point, bearing }) => `${distance} ${point} (${bearing})`,
    use: "Usarla",
  },
  old: {
    offline: ({ shown, wanted }) => `Valores del ${shown}, sin conexión. Los del ${wanted} no se leyeron.`,
    reading: ({ shown, wanted }) => `Valores del ${shown}. Los del ${wanted} se están leyendo.`,
    readAt: (time) => `Sin conexión. Leído el ${time}.`,
    asOf: (time) => `Valores del ${time}`,
    asOfOffline: (time) => `Valores del ${time}, sin conexión`,
  },
};
