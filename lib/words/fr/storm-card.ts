import type { StormCardWords } from "../en/storm-card.ts";
import { plural } from "../plural.ts";

export const stormCard: StormCardWords = {
  region: (name) => `Cyclone ${name}`,
  bulletin: ({ time, span }) => `Bulletin du ${time}, il y a ${span}`,
  otherTime: (time) =>
    `La carte montre le ${time}\u00a0: la prévision et le cône de ce bulletin n’y sont pas tracés.`,
  aliases: (ids) => `Aussi connu sous le nom de ${ids.join(", ")}`,
  stage: "Stade",
  wind: "Vent maximal",
  pressure: "Pression minimale",
  centre: "Centre",
  moving: "Déplacement",
  seas: "Mer de 12\u00a0ft (3,7 m)",
  seasReach: (quadrants) => `${quadrants}\u00a0M, en pointillé sur la carte`,
  danger: {
    title: "Zone de danger, règle 1-2-3",
    off: "Sans",
    classic: "100-200-300",
    season: "Cône de la saison",
    rule: ({ thresholdKt, method, estimated }) => {
      const error = method === "classic" ? "100\u00a0M par jour (règle 1-2-3)" : "rayon du cône";
      return `Étendue des vents de ${thresholdKt}\u00a0nd${estimated ? " (en partie estimée)" : ""} plus ${error}, jusqu’à 72 h`;
    },
    text: (rule) => `${rule}. Elle n’élimine pas tout risque.`,
    noForecast: "Il n’y a pas de prévision pour la tracer.",
  },
  cone: {
    title: "Cône\u00a0:",
    jma: "cercles de probabilité à 70\u202f% de la JMA",
    table: ({ year, missing, basin }) => {
      const unknown = missing === undefined ? "" : ` (celle de ${missing} n’est pas encore connue ici)`;
      const borrowed = basin === undefined ? "" : `, empruntée à un autre bassin (${basin})`;
      return `table ${year} du NHC${unknown}, deux tiers des erreurs de prévision${borrowed}`;
    },
    text: {
      jma: (origin) =>
        `${origin}. Le centre devrait rester dans le cône environ 7 fois sur 10\u202f; le vent et la mer s’étendent au-delà.`,
      nhc: (origin) =>
        `${origin}. Le centre devrait rester dans le cône environ 2 fois sur 3\u202f; le vent et la mer s’étendent au-delà.`,
    },
  },

  chart: {
    wind: (minutes) => `Vent, nd (moyenne sur ${minutes} min)`,
    pressure: "Pression minimale, hPa",
    label: ({ title, first, last, min, max }) =>
      `${title}\u00a0: de ${first} à ${last}, entre ${min} et ${max}`,
  },

  forecast: {
    caption: (minutes) => `Prévision, vents moyennés sur ${minutes} min`,
    time: "Heure",
    wind: { what: "Vent,", unit: "nd" },
    centre: "Centre",
    reach: (thresholdKt) => ({ what: `${thresholdKt}\u00a0nd,`, unit: "M" }),
    cone: { what: "Cône,", unit: "M" },
    seas: (quadrants) => `mer de 12\u00a0ft ${quadrants}`,
  },

  errors: {
    title: "Prévision et réalité",
    tooEarly: (bulletins) =>
      plural("fr", bulletins, {
        one: "Trop tôt\u00a0: un bulletin est enregistré ici, et aucune de ses échéances n’a encore été observée.",
        other: `Trop tôt\u00a0: ${bulletins} bulletins sont enregistrés ici, et aucune de leurs échéances n’a encore été observée.`,
      }),
    chart: "Erreur moyenne de trajectoire, M, par échéance en heures",
    chartLabel: (means) =>
      `Erreur moyenne de trajectoire\u00a0: ${means.map(({ miles, hours }) => `${miles}\u00a0M à ${hours} h`).join(", ")}`,
    caption: "Erreur moyenne des prévisions jusqu’ici, par échéance",
    lead: { what: "Échéance,", unit: "h" },
    forecasts: "Prévisions",
    track: { what: "Trajectoire,", unit: "M" },
    wind: { what: "Vent,", unit: "nd" },
    few: (count) => `${count} (peu)`,
    means: ({ bulletins, minutes }) => {
      const count = plural("fr", bulletins, { one: "un bulletin", other: `${bulletins} bulletins` });
      return `Moyennes sur ${count}, par rapport à la trajectoire connue à ce jour. Vent\u00a0: moyennes sur ${minutes} min\u202f; entre parenthèses la moyenne avec son signe, négative là où les prévisions étaient trop faibles.`;
    },
    tooFew: (least) =>
      `Moins de ${least} prévisions d’une échéance ne suffisent pas pour juger la prochaine prévision.`,
    leftOut: (count) =>
      plural("fr", count, {
        one: `${count} prévision d’une autre échéance est laissée de côté.`,
        other: `${count} prévisions d’autres échéances sont laissées de côté.`,
      }),
  },

  peer: {
    region: "L’autre fournisseur",
    title: ({ provider, id }) => `${provider} sur ce cyclone (${id})`,
    winds: ({ other, own }) =>
      `Vent maximal ${other}, contre ${own}\u00a0: les deux ne sont pas comparables.`,
    apart: (miles) => `Les centres sont actuellement distants de ${miles}.`,
    apartLater: ({ now, later, hours }) =>
      `Les centres sont actuellement distants de ${now}, et de ${later} dans ${hours} h selon leurs prévisions.`,
    compare: "Comparer les trajectoires",
    closeFilm: "Fermez le film pour voir les deux trajectoires sur la carte.",
    onMap: (provider) =>
      `Sur la carte\u00a0: ${provider} dans la couleur des textes, avec une ligne entre les centres à la même heure.`,
    noCommonTime: "Les deux trajectoires n’ont aucune heure commune.",
    table: "Les deux trajectoires selon l’heure",
    caption: "Distance des deux centres et leurs vents, selon l’heure",
    time: "Heure",
    distance: { what: "Distance,", unit: "M" },
    wind: ({ agency, minutes }) => ({ what: `${agency},`, unit: `nd, ${minutes} min` }),
    difference: { what: "Écart,", unit: "nd" },
    forecast: "Prévision",
    observed: "Observé, le plus récent d’abord",
    note: ({ shorter, longer }) =>
      `Une moyenne sur ${shorter} min est plus élevée qu’une moyenne sur ${longer} min du même vent\u00a0: un écart entre les vents n’est pas une erreur de l’un des deux.`,
    interpolated: "≈\u00a0: l’une des deux positions est interpolée.",
  },

  film: {
    button: "Film",
    open: "La carte ne montre que ce cyclone. Cette fiche est celle du bulletin en vigueur au moment où le film est arrêté, ou du premier enregistré.",
    closed: "La trajectoire au fil du temps, avec la prévision et le cône de chaque bulletin.",
    region: "Film du cyclone",
    close: "Fermer le film",
    readingStorms: "Lecture des cyclones…",
    back: "Revenir à la position ou au bulletin précédent",
    forward: "Aller à la position ou au bulletin suivant",
    play: "Lire le film",
    pause: "Mettre le film en pause",
    time: "Heure du film",
    name: (name) => `${name}, `,
    at: ({ time, state }) => `${time}, ${state}`,
    beforeFirst: "avant le premier bulletin enregistré",
    bulletin: ({ number, count }) => `bulletin ${number} sur ${count}`,
  },

  save: {
    button: "Enregistrer un fichier",
    geojson: "GeoJSON, tout",
    gpx: "GPX, pour un traceur",
    track: "CSV, la trajectoire",
    cone: "CSV, le cône",
    danger: "CSV, la zone de danger",
  },
};
