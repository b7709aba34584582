import type { PointWords } from "../en/point.ts";
import { from as comingFrom, towards as goingTo } from "./from.ts";

export const point: PointWords = {
  title: "Conditions",
  reading: "Lecture des prévisions…",
  choose: "Cliquez sur la mer, ou appuyez sur Entrée sur la carte, pour voir les conditions.",
  tap: "Touchez la mer pour voir les conditions.",
  unreadable: "Les conditions n’ont pas pu être lues.",
  notRead: "Les conditions n’ont pas encore été lues.",
  forget: "Oublier cette position",
  allValues: "Toutes les valeurs",
  everyThreeHours: "Toutes les trois heures",
  copyAsCurl: "Copier en curl",
  values: (runs) => `Valeurs\u00a0: ${runs}`,
  run: ({ model, dataset, run }) =>
    run === undefined ? `${model} (${dataset})` : `${model} (${dataset}), run ${run}`,
  absent: "— indisponible",
  absentBecause: (reason) => `— indisponible (${reason})`,
  onLand: "à terre",
  reasons: {
    land: "terre dans le modèle",
    ice: "sous la glace",
    out_of_archive: "hors archives",
    out_of_domain: "hors zone",
    missing: "aucune valeur",
  },
  bearing: ({ bearing, point }) => `${bearing} (${point})`,
  line: ({ value, period, from, towards, bearing, mentions }) => {
    const degrees = bearing === undefined ? "" : ` (${bearing})`;
    const way = from ? comingFrom(from) : towards ? goingTo(towards) : "";
    const added = mentions.map(({ name, value: other }) => `, ${name} à ${other}`);
    return [value, period === undefined ? "" : `, ${period}`, way && ` ${way}${degrees}`, ...added].join("");
  },
  notAvailable: "indisponible",
  spokenLine: ({ name, line }) => `${name}\u00a0: ${line}.`,
  heading: ({ of, sentences }) => `${of}. ${sentences}`,
  set: ({ bearing, speed }) => ["porte", bearing, speed].filter(Boolean).join(" "),
  chart: {
    slider: "Heure de la carte, sur le météogramme",
    valuesOf: ({ time, of, values }) => `${time}. Valeurs du ${of}\u00a0: ${values}`,
    title: ({ name, dashed, unit, period }) => {
      const title = [name, ...dashed.map((other) => `${other} (tirets)`)].join(" et ");
      return `${title}, ${unit}${period ? "\u202f; dessous\u00a0: période, s" : ""}`;
    },
    gale: (speed) => `coup de vent ${speed}`,
    arrows: (names) => `Les flèches pointent là où cela va\u00a0: ${names.join(", ").toLowerCase()}.`,
    sparse: "Courant\u00a0: pas de flèches, elles ne montreraient pas la marée.",
  },
  table: {
    caption: "Conditions des prochains jours",
    wind: (unit) => `Vent (de), ${unit}`,
    gusts: "Rafales",
    waves: (unit) => `Vagues (de), ${unit}, s`,
    current: (unit) => `Courant (vers), ${unit}`,
    show: ({ day, clock }) => `Afficher ${day} ${clock} sur la carte`,
  },
  shore: {
    onLand: "Cette position est à terre. Les valeurs de la mer sont indisponibles.",
    landInModel: "Pas de valeur de mer ici dans le modèle\u00a0: sa maille est à terre.",
    searching: "Recherche de la maille de mer la plus proche…",
    none: (distance) => `Aucune maille de mer à moins de ${distance}.`,
    failed: "La maille de mer la plus proche n’a pas pu être cherchée.",
    nearest: (where) => `Maille de mer la plus proche\u00a0: ${where}`,
    where: ({ distance, point, bearing }) => `${distance} ${point} (${bearing})`,
    use: "L’utiliser",
  },
  old: {
    offline: ({ shown, wanted }) =>
      `Valeurs du ${shown}, hors ligne. Celles du ${wanted} n’ont pas été lues.`,
    reading: ({ shown, wanted }) => `Valeurs du ${shown}. Celles du ${wanted} sont en cours de lecture.`,
    readAt: (time) => `Hors ligne. Lu le ${time}.`,
    asOf: (time) => `Valeurs du ${time}`,
    asOfOffline: (time) => `Valeurs du ${time}, hors ligne`,
  },
};
