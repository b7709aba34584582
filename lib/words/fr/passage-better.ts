import type { PassageBetterWords } from "../en/passage-better.ts";

export const passageBetter: PassageBetterWords = {
  find: "Chercher une meilleure route",
  stop: "Annuler la recherche",
  about:
    "Cherche une autre route entre les mêmes extrémités, autour des terres et des cyclones, pour le même départ.",
  objective: "Meilleure signifie",
  objectives: { within_limits: "Dans mes limites", fastest: "Plus rapide" },
  order: {
    within_limits:
      "Ordre : elle arrive ; elle reste dans vos limites ; le temps le plus court, auquel s’ajoutent huit fois les heures hors limites, pondérées selon le dépassement : au double d’une limite, une heure compte pour quatre.",
    fastest:
      "Ordre : elle arrive ; elle garde votre distance aux cyclones ; le temps le plus court, auquel s’ajoutent huit fois les heures passées plus près des cyclones, pondérées selon la proximité.",
  },
  searching: "Recherche d’une meilleure route…",
  cancelled: "La recherche a été annulée.",
  offline: "Il n’y a pas de réseau, et la recherche a besoin du service.",
  none: "Aucune meilleure route n’a été trouvée : gardez la vôtre.",
  found: (text) => `Meilleure route : ${text}.`,
  same: "à peu près pareille",
  leastBad: "Aucune route ne reste dans vos limites tout du long : voici la moins mauvaise.",
  crossesLand: (leg) => `Votre propre route traverse la terre sur la branche ${leg}.`,
  stale: "Le plan a changé depuis la recherche : cherchez de nouveau.",
  use: "Prendre cette route",
  keep: "Garder la mienne",
  used: "Le plan a maintenant la meilleure route ; Annuler fait revenir la vôtre.",
  kept: "Votre route reste telle quelle.",
  own: "Votre route",
  better: "Meilleure route",
  weighted: "Hors limites, pondéré",
  caption: "Votre route et la meilleure",
  check:
    "Une proposition à vérifier sur la carte marine : les roches et îlots que cette carte ne montre pas, et toutes les profondeurs, ne sont pas vus.",
  difference: {
    join: ", ",
    arrives: "arrive, ce que la vôtre ne fait pas",
    later: (span) => `${span} plus tard`,
    earlier: (span) => `${span} plus tôt`,
    longer: (distance) => `${distance} de plus`,
    shorter: (distance) => `${distance} de moins`,
    sea: ({ better, own }) => `mer maximale ${better} au lieu de ${own}`,
    wind: ({ better, own }) => `vent maximal ${better} au lieu de ${own}`,
    over: ({ better, own }) => `${better} hors limites au lieu de ${own}`,
    weighted: ({ better, own }) => `pondéré selon le dépassement : ${better} au lieu de ${own}`,
    noTime: "rien",
  },
  ashore: {
    start: ({ distance, position }) =>
      `Le départ est à terre. L’eau la plus proche est à ${distance}, en ${position}.`,
    end: ({ distance, position }) =>
      `L’arrivée est à terre. L’eau la plus proche est à ${distance}, en ${position}.`,
    startInland: "Le départ est à terre, loin de toute eau.",
    endInland: "L’arrivée est à terre, loin de toute eau.",
    move: "L’y déplacer",
  },
  noWay:
    "Aucun passage par l’eau n’a été trouvé : canaux, écluses et détroits étroits sont inconnus de la recherche. Planifiez séparément les parties de chaque côté.",
  refused: {
    distance: ({ miles, most }) =>
      `Les extrémités sont à ${miles} l’une de l’autre ; la recherche va jusqu’à ${most}. Cherchez les parties une à une.`,
    hours: ({ span, most }) =>
      `Cela prend environ ${span} ; la recherche va jusqu’à ${most}. Cherchez une partie.`,
    forecast: ({ span, known }) =>
      `Cela prend environ ${span}, et la prévision s’arrête ${known} après le départ. Partez plus tôt, ou cherchez une partie.`,
    loop: "La route finit où elle commence : il n’y a rien à chercher entre les deux.",
    vessel: "Il manque quelque chose au navire : voyez Navire et limites.",
  },
};
