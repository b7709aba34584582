import type { PointWords } from "../en/point.ts";

export const point: PointWords = {
  title: "Condições",
  reading: "Lendo a previsão…",
  choose: "Clique no mar, ou pressione Enter no mapa, para ver as condições.",
  tap: "Toque no mar para ver as condições.",
  unreadable: "Não foi possível ler as condições.",
  notRead: "As condições ainda não foram lidas.",
  forget: "Esquecer esta posição",
  allValues: "Todos os valores",
  everyThreeHours: "A cada três horas",
  copyAsCurl: "Copiar como curl",
  values: (runs) => `Valores: ${runs}`,
  run: ({ model, dataset, run }) =>
    run === undefined ? `${model} (${dataset})` : `${model} (${dataset}), rodada ${run}`,
  absent: "— não disponível",
  absentBecause: (reason) => `— não disponível (${reason})`,
  onLand: "em terra",
  reasons: {
    land: "terra no modelo",
    ice: "sob gelo",
    out_of_archive: "fora do arquivo",
    out_of_domain: "fora da área",
    missing: "sem valor",
  },
  bearing: ({ bearing, point }) => `${bearing} (${point})`,
  line: ({ value, period, from, towards, bearing, mentions }) => {
    const degrees = bearing === undefined ? "" : ` (${bearing})`;
    const way = from ? ` de ${from}${degrees}` : towards ? ` para ${towards}${degrees}` : "";
    const added = mentions.map(({ name, value: other }) => `, ${name} de ${other}`);
    return [value, period === undefined ? "" : `, ${period}`, way, ...added].join("");
  },
  notAvailable: "não disponível",
  spokenLine: ({ name, line }) => `${name}: ${line}.`,
  heading: ({ of, sentences }) => `${of}. ${sentences}`,
  set: ({ bearing, speed }) => ["para", bearing, speed].filter(Boolean).join(" "),
  chart: {
    slider: "Hora do mapa, no meteograma",
    valuesOf: ({ time, of, values }) => `${time}. Valores de ${of}: ${values}`,
    title: ({ name, dashed, unit, period }) => {
      const title = [name, ...dashed.map((other) => `${other} (tracejado)`)].join(" e ");
      return `${title}, ${unit}${period ? "; abaixo: período, s" : ""}`;
    },
    gale: (speed) => `ventania ${speed}`,
    arrows: (names) => `As setas apontam para onde vai: ${names.join(", ").toLowerCase()}.`,
    sparse: "Corrente: sem setas, pois não mostrariam a maré.",
  },
  table: {
    caption: "Condições dos próximos dias",
    wind: (unit) => `Vento (de), ${unit}`,
    gusts: "Rajadas",
    waves: (unit) => `Ondas (de), ${unit}, s`,
    current: (unit) => `Corrente (para), ${unit}`,
    show: ({ day, clock }) => `Mostrar ${day} ${clock} no mapa`,
  },
  shore: {
    onLand: "Esta posição está em terra. Não há valores do mar.",
    landInModel: "O modelo não tem valores do mar aqui: a célula é de terra.",
    searching: "Procurando a célula de mar mais próxima…",
    none: (distance) => `Não há célula de mar a menos de ${distance}.`,
    failed: "Não foi possível procurar a célula de mar mais próxima.",
    nearest: (where) => `Célula de mar mais próxima: ${where}`,
    where: ({ distance, point, bearing }) => `${distance} ${point} (${bearing})`,
    use: "Usar",
  },
  old: {
    offline: ({ shown, wanted }) => `Valores de ${shown}, sem conexão. Os de ${wanted} não foram lidos.`,
    reading: ({ shown, wanted }) => `Valores de ${shown}. Os de ${wanted} estão sendo lidos.`,
    readAt: (time) => `Sem conexão. Lido em ${time}.`,
    asOf: (time) => `Valores de ${time}`,
    asOfOffline: (time) => `Valores de ${time}, sem conexão`,
  },
};
