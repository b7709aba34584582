import type { MapWords } from "../en/map.ts";
import { from } from "./from.ts";

export const map: MapWords = {
  title: "Carte météo",
  zoomIn: "Zoom avant",
  zoomOut: "Zoom arrière",
  high: "A",
  low: "D",
  noValue: "aucune valeur",
  ofTime: (time) => `(${time})`,
  from: ({ value, point }) => `${value} ${from(point)}`,
  setting: ({ value, point }) => `${value} vers ${point}`,
  loading: (title) => `Chargement\u00a0: ${title.toLowerCase()}…`,
  empty: ({ title, ingest, feeds }) =>
    `Les archives sont encore vides\u00a0: ${title.toLowerCase()}. Lancez \`${ingest}\` pour les remplir, ou \`${feeds}\` pour que les prévisions soient téléchargées.`,
  awaited: (title) =>
    `Pas encore de données\u00a0: ${title.toLowerCase()}. La première prévision est en cours de téléchargement.`,
  outside: (title) => `Rien dans les archives à cette heure\u00a0: ${title.toLowerCase()}.`,
  broken:
    "Impossible de dessiner la carte\u00a0: ce navigateur n’a pas WebGL 2. Cherchez un lieu ou une position pour en voir les conditions.",
  beyondAhead: (days) =>
    `Les prévisions vont jusqu’à ${days} jours\u00a0: la carte reste à la dernière échéance.`,
  beyondPast: (years) =>
    `Les archives remontent à ${years} ans\u00a0: la carte reste à la première échéance.`,
  old: (field) => `Ancien\u00a0: ${field}`,
  fieldOf: ({ title, time }) => `${title}, ${time}`,
  linesOutside: (title) => `${title}\u00a0: rien dans les archives à cette heure.`,
  linesFailed: (title) => `${title}\u00a0: le serveur n’a pas pu répondre.`,
  fixedSource: ({ title, model, dataset }) =>
    `${title}\u00a0: ${model} · ${dataset}, identique à toute heure`,
  source: ({ title, model, age, reach, run, valid, between }) => {
    const forecast =
      age === undefined ? "" : `, vieux de ${age} h${reach === undefined ? "" : `, jusqu’à T+${reach} h`}`;
    const steps = between ? `, interpolé entre ${between[0]} et ${between[1]}` : "";
    return `${title}\u00a0: ${model}${forecast} · run ${run} UTC · valable ${valid}${steps}`;
  },
  secondarySource: ({ title, model, run }) =>
    `${title}\u00a0: ${model}${run === undefined ? "" : ` · run ${run} UTC`}`,
};
