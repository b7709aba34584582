import type { StatusWords } from "../en/status.ts";
import { plural } from "../plural.ts";

const stateNames = {
  current: "à jour",
  growing: "en réception",
  waiting: "en attente",
  late: "en retard",
  failing: "en échec",
};

export const status: StatusWords = {
  heading: "Sources",
  reading: "Lecture de l’état des sources…",
  states: {
    current: "À jour",
    growing: "En réception",
    waiting: "En attente",
    late: "En retard",
    failing: "En échec",
  },
  summary: ({ counts, used, budget }) => {
    const feeds = counts.map(({ state, count }) => `${count} ${stateNames[state]}`).join(", ");
    return `${feeds}. Sur le disque : ${used}${budget === undefined ? "" : ` sur ${budget}`}.`;
  },
  newestRun: "Dernier run",
  newestText: "Dernier texte",
  steps: "Échéances",
  stepsOf: ({ here, expected }) => `${here} sur ${expected}`,
  stepsHere: ({ title }) => `Échéances reçues de ${title}`,
  reachesTo: "Jusqu’à",
  nextExpected: "Prochain attendu",
  lastFetched: "Dernière réception",
  from: "Origine",
  today: "Aujourd’hui",
  moment: ({ time, age }) => `${time} UTC, ${age}`,
  errorAt: ({ moment }) => `${moment} :`,
  quarantined: ({ count, command }) => [
    plural("fr", count, {
      one: `${count} fichier a été refusé et gardé pour l’exploitant : `,
      other: `${count} fichiers ont été refusés et gardés pour l’exploitant : `,
    }),
    command,
  ],
  clockSlow: ({ minutes }) =>
    `D’après plusieurs serveurs, l’horloge de ce serveur retarde de ${minutes} min : tant qu’elle n’est pas réglée, l’âge des prévisions et des tempêtes peut être faux.`,
  clockFast: ({ minutes }) =>
    `D’après plusieurs serveurs, l’horloge de ce serveur avance de ${minutes} min : tant qu’elle n’est pas réglée, l’âge des prévisions et des tempêtes peut être faux.`,
  noFeeds:
    "Aucune source n’est activée : la carte montre ce qui a été importé à la main, ou le monde de démonstration inventé.",
  turnOn: ({ start, plan }) => [
    "L’exploitant de ce serveur obtient de vraies prévisions avec un seul réglage : ",
    start,
    ". ",
    plan,
    " affiche d’abord le volume par jour.",
  ],
};
