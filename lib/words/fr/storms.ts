import type { StormsWords } from "../en/storms.ts";

const likely = { low: "Faible", medium: "Moyenne", high: "Forte" };
const likelihood = { low: "Probabilité faible", medium: "Probabilité moyenne", high: "Probabilité forte" };

export const storms: StormsWords = {
  days: (count) => `${count} jours`,
  notStated: "sans indication",
  notGiven: "sans indication",
  reading: "Lecture des bulletins…",
  allStorms: "Tous les cyclones",
  noLongerTracked: "N’est plus suivi",
  areaOfInterest: "Zone suspecte",
  unnamed: (label) => `${label} (sans nom)`,
  dangerLabels: {
    classic: "Zone de danger selon la règle 1-2-3",
    season: "Zone de danger selon les erreurs de prévision de cette saison",
  },
  providers: { jtwc: "JTWC et NHC", jma: "JMA" },
  basins: {
    north_atlantic: "Atlantique Nord",
    south_atlantic: "Atlantique Sud",
    east_pacific: "Pacifique Est",
    central_pacific: "Pacifique central",
    west_pacific: "Pacifique Ouest",
    south_pacific: "Pacifique Sud",
    north_indian: "Océan Indien Nord",
    south_indian: "Océan Indien Sud",
  },
  stages: {
    DB: "Perturbation",
    TD: "Dépression tropicale",
    TS: "Tempête tropicale",
    PT: "Post-tropical",
    LO: "Basse pression",
    hurricane: "Ouragan",
    typhoon: "Typhon",
    cyclone: "Cyclone tropical",
    unknown: "Stade non indiqué",
  },
  category: ({ stage, category }) => `${stage}, catégorie ${category}`,
  shortCategory: (category) => `Cat. ${category}`,
  jmaClasses: {
    TD: "Dépression tropicale",
    TS: "Tempête tropicale",
    STS: "Forte tempête tropicale",
    TY: "Typhon",
    strong: "Typhon, fort",
    veryStrong: "Typhon, très fort",
    violent: "Typhon, violent",
  },
  wind: ({ knots, minutes }) => `${knots}\u00a0nd (moyenne sur ${minutes} min)`,
  windRange: ({ min, max, minutes }) => `${min} à ${max}\u00a0nd (moyenne sur ${minutes} min)`,
  notEstimated: "pas encore estimé",
  motion: {
    towards: ({ bearing, knots }) => `vers le ${bearing} à ${knots}\u00a0nd`,
    stationary: "stationnaire",
    unknown: "inconnu",
  },
  moving: {
    towards: ({ bearing, knots }) => `Se déplace vers le ${bearing} à ${knots}\u00a0nd`,
    stationary: "Stationnaire",
    unknown: "Déplacement inconnu",
  },
  quadrants: ({ ne, se, sw, nw }) => [`NE ${ne} SE ${se}`, `SO ${sw} NO ${nw}`],
  staleForecast: (span) => `La prévision date d’il y a ${span}\u00a0: des bulletins plus récents manquent.`,
  overdue: ({ span, hidden }) =>
    `Le dernier bulletin sur ce cyclone date d’il y a ${span}\u00a0: sa source est interrompue ou ne le mentionne plus.${
      hidden ? " Une prévision plus ancienne n’est pas affichée." : ""
    }`,
  seen: (time) => `observé ${time}`,
  unknownStorm: (id) => `Ce serveur n’a aucun bulletin de ce fournisseur sur le cyclone ${id}.`,

  list: {
    title: "Cyclones",
    whose: "Fournisseur",
    means: {
      jtwc: "Les vents sont des moyennes sur 1 minute. Ceux des deux fournisseurs ne sont pas comparables et ne sont jamais mélangés.",
      jma: "Les vents sont des moyennes sur 10 minutes. Ceux des deux fournisseurs ne sont pas comparables et ne sont jamais mélangés.",
    },
    withAreas: "Aussi les zones suspectes (invests)",
    oldFeed: (span) =>
      `Le texte le plus récent de ce fournisseur date d’il y a ${span}\u00a0: ce qui est affiché est le dernier reçu.`,
    neverRead: "Ce serveur n’a pas encore de bulletins cycloniques de ce fournisseur.",
    none: {
      jtwc: "Aucun cyclone actif selon le JTWC et le NHC.",
      jma: "Aucun cyclone actif selon la JMA.",
    },
    nearestFirst: "Ceux qui passent le plus près de votre navire sont en tête.",
    searching: "Recherche des distances minimales d’approche de votre navire…",
    stageAndWind: ({ stage, wind }) => `${stage}, ${wind}`,
    bulletin: (span) => `Bulletin d’il y a ${span}`,
    noForecast: "Pas de prévision\u00a0: la distance minimale d’approche est inconnue",
  },

  areas: {
    title: "Zones suspectes",
    jmaHasNone: "La JMA ne publie pas de perspectives sur les zones suspectes.",
    unknown:
      "Aucune perspective n’a été reçue depuis deux jours\u00a0: on ignore si des cyclones peuvent se former.",
    quiet: ({ basins, agency }) => `${basins.join(" et ")}\u00a0: aucun développement prévu par le ${agency}`,
    quietSince: (time) => `(perspective émise le ${time})`,
    name: ({ name, invest }) => `${name} (${invest})`,
    nameless: "Perturbation sans numéro",
    chance: ({ likelihood: level, in48Hours, in7Days, within }) => {
      const stated = [
        ...(in48Hours === null ? [] : [`${in48Hours}\u202f% en 48 h`]),
        ...(in7Days === null ? [] : [`${in7Days}\u202f% en 7 jours`]),
      ];
      return stated.length > 0
        ? `${likelihood[level]}\u00a0: ${stated.join(", ")}`
        : `${likelihood[level]} sous ${within}`;
    },
    chanceLabel: ({ likelihood: level, in7Days, within }) =>
      in7Days === null
        ? `${likely[level]} sous ${within}`
        : `${likely[level]}\u00a0: ${in7Days}\u202f% en 7 jours`,
    alertUntil: (time) => ({ what: "Alerte de formation", until: `jusqu’au ${time}` }),
    issuedAgo: (age) => `Émise ${age}`,
    region: (name) => `Zone ${name}`,
    kind: ({ agency }) => `Zone suspecte · ${agency}`,
    issued: ({ time, span }) => `Émise le ${time}, il y a ${span}`,
    validUntil: (time) => `Valable jusqu’au ${time}`,
    where: "Où",
    drawn: "comme tracée sur la carte",
    onlyInWords: "seulement décrite",
    winds: "Vents",
    pressure: "Pression minimale",
    drawnEarlier: (time) =>
      `Sa position et son étendue proviennent d’une perspective antérieure, émise le ${time}.`,
    noExtent:
      "L’agence indique une position et pas d’étendue\u00a0: le symbole est là où se trouve la zone actuellement.",
    likelihoodIssued: ({ time, agency }) =>
      agency === undefined
        ? `Probabilité de formation d’un cyclone tropical, émise le ${time}`
        : `Probabilité de formation d’un cyclone tropical, émise le ${time} par le ${agency}`,
    alert: "Alerte de formation",
    alertTitle: "Alerte de formation du JTWC",
    inForceUntil: (time) => `En vigueur jusqu’au ${time}`,
    lapsed: "Sa validité a expiré, et aucune alerte suivante n’a encore été reçue.",
    area: "Zone",
    aroundPlace: (miles) => `à moins de ${miles} d’un point`,
    alongLine: (miles) => `${miles} de part et d’autre d’une ligne`,
    moving: "Déplacement",
    agencyText: "Le texte du JTWC",
  },
};
