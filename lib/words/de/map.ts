import type { MapWords } from "../en/map.ts";

export const map: MapWords = {
  title: "Wetterkarte",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  high: "H",
  low: "T",
  noValue: "kein Wert",
  ofTime: (time) => `von ${time}`,
  from: ({ value, point }) => `${value} aus ${point}`,
  setting: ({ value, point }) => `${value} nach ${point}`,
  loading: (title) => `${title} wird geladen …`,
  empty: ({ title, ingest, feeds }) =>
    `${title}: Das Archiv ist noch leer. \`${ingest}\` füllt es; mit \`${feeds}\` werden Vorhersagen heruntergeladen.`,
  awaited: (title) => `${title}: Noch keine Daten. Die erste Vorhersage wird heruntergeladen.`,
  outside: (title) => `${title}: Das Archiv enthält nichts für diese Zeit.`,
  broken:
    "Die Karte kann nicht gezeichnet werden: Dieser Browser hat kein WebGL 2. Suchen Sie einen Ort oder eine Position, um die Bedingungen dort zu sehen.",
  beyondAhead: (days) =>
    `Vorhersagen werden bis ${days} Tage voraus gezeigt: Die Karte bleibt beim letzten Zeitpunkt.`,
  beyondPast: (years) => `Das Archiv reicht ${years} Jahre zurück: Die Karte bleibt beim ersten Zeitpunkt.`,
  old: (field) => `Alt: ${field}`,
  fieldOf: ({ title, time }) => `${title} von ${time}`,
  linesOutside: (title) => `${title}: Das Archiv enthält nichts für diese Zeit.`,
  linesFailed: (title) => `${title}: Der Server konnte nicht antworten.`,
  fixedSource: ({ title, model, dataset }) => `${title}: ${model} · ${dataset}, zu jeder Zeit gleich`,
  source: ({ title, model, age, reach, run, valid, between }) => {
    const forecast =
      age === undefined ? "" : `, ${age} h alt${reach === undefined ? "" : `, bis T+${reach} h`}`;
    const steps = between ? `, interpoliert zwischen ${between[0]} und ${between[1]}` : "";
    return `${title}: ${model}${forecast} · Lauf ${run} UTC · gültig ${valid}${steps}`;
  },
  secondarySource: ({ title, model, run }) =>
    `${title}: ${model}${run === undefined ? "" : ` · Lauf ${run} UTC`}`,
};
