import type { PointWords } from "../en/point.ts";

export const point: PointWords = {
  title: "Bedingungen",
  reading: "Die Vorhersage wird gelesen …",
  choose:
    "Klicken Sie auf das Meer oder drücken Sie auf der Karte die Eingabetaste, um die Bedingungen zu sehen.",
  tap: "Tippen Sie auf das Meer, um die Bedingungen zu sehen.",
  unreadable: "Die Bedingungen konnten nicht gelesen werden.",
  notRead: "Die Bedingungen wurden noch nicht gelesen.",
  forget: "Diese Position vergessen",
  allValues: "Alle Werte",
  everyThreeHours: "Alle drei Stunden",
  copyAsCurl: "Als curl kopieren",
  values: (runs) => `Werte: ${runs}`,
  run: ({ model, dataset, run }) =>
    run === undefined ? `${model} (${dataset})` : `${model} (${dataset}), Lauf ${run}`,
  absent: "— nicht verfügbar",
  absentBecause: (reason) => `— nicht verfügbar (${reason})`,
  onLand: "an Land",
  reasons: {
    land: "Land im Modell",
    ice: "unter Eis",
    out_of_archive: "nicht im Archiv",
    out_of_domain: "außerhalb des Gebiets",
    missing: "kein Wert",
  },
  bearing: ({ bearing, point }) => `${bearing} (${point})`,
  line: ({ value, period, from, towards, bearing, mentions }) => {
    const degrees = bearing === undefined ? "" : ` (${bearing})`;
    const way = from ? ` aus ${from}${degrees}` : towards ? ` nach ${towards}${degrees}` : "";
    const added = mentions.map(({ name, value: other }) => `, ${name} ${other}`);
    return [value, period === undefined ? "" : `, ${period}`, way, ...added].join("");
  },
  notAvailable: "nicht verfügbar",
  spokenLine: ({ name, line }) => `${name}: ${line}.`,
  heading: ({ of, sentences }) => `${of}. ${sentences}`,
  set: ({ bearing, speed }) => ["setzt", bearing, speed].filter(Boolean).join(" "),
  chart: {
    slider: "Zeit der Karte, auf dem Meteogramm",
    valuesOf: ({ time, of, values }) => `${time}. Werte von ${of}: ${values}`,
    title: ({ name, dashed, unit, period }) => {
      const title = [name, ...dashed.map((other) => `${other} (gestrichelt)`)].join(" und ");
      return `${title}, ${unit}${period ? "; darunter: Periode, s" : ""}`;
    },
    gale: (speed) => `stürmisch ${speed}`,
    arrows: (names) => `Die Pfeile zeigen, wohin es geht: ${names.join(", ")}.`,
    sparse: "Strömung: keine Pfeile, sie würden die Tide nicht zeigen.",
  },
  table: {
    caption: "Bedingungen der kommenden Tage",
    wind: (unit) => `Wind aus, ${unit}`,
    gusts: "Böen",
    waves: (unit) => `Wellen aus, ${unit}, s`,
    current: (unit) => `Strömung nach, ${unit}`,
    show: ({ day, clock }) => `${day} ${clock} auf der Karte zeigen`,
  },
  shore: {
    onLand: "Diese Position liegt an Land. Werte der See sind nicht verfügbar.",
    landInModel: "Das Modell hat hier keine Werte der See: Seine Zelle ist Land.",
    searching: "Die nächste Seezelle wird gesucht …",
    none: (distance) => `Im Umkreis von ${distance} gibt es keine Seezelle.`,
    failed: "Die nächste Seezelle konnte nicht gesucht werden.",
    nearest: (where) => `Nächste Seezelle ${where}`,
    where: ({ distance, point, bearing }) => `${distance} ${point} (${bearing})`,
    use: "Verwenden",
  },
  old: {
    offline: ({ shown, wanted }) => `Stand ${shown}, offline. Die Werte von ${wanted} wurden nicht gelesen.`,
    reading: ({ shown, wanted }) => `Stand ${shown}. Die Werte von ${wanted} werden gelesen.`,
    readAt: (time) => `Offline. Gelesen ${time}.`,
    asOf: (time) => `Stand ${time}`,
    asOfOffline: (time) => `Stand ${time}, offline`,
  },
};
