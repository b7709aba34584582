import type { VerdictWords } from "../en/verdict.ts";

type Area = Parameters<VerdictWords["area"]["enters"]>[0];
type Centre = Parameters<VerdictWords["approach"]["closest"]>[0];
type Reach = Parameters<VerdictWords["approach"]["inside"]>[0];

const area = ({ method, estimated }: Pick<Area, "method" | "estimated">) => {
  const name = method === "classic" ? "zone 1-2-3" : "zone de danger du cône de cette saison";
  return estimated ? `${name} (vents estimés)` : name;
};

const gales = (kt: number) => (kt === 34 ? "Coup de vent" : `Vent de ${kt} nd`);

const on = (when: string | undefined) => (when === undefined ? "maintenant" : `le ${when}`);

const semicircles = { dangerous: "dangereux", navigable: "maniable" };

const centre = ({ distance, bearing, semicircle }: Omit<Centre, "when">) => {
  const where = `${distance}, relèvement ${bearing}`;
  return semicircle === null ? where : `${where}, vous êtes dans le demi-cercle ${semicircles[semicircle]}`;
};

const lessError = ({ kt, estimated }: Pick<Reach, "kt" | "estimated">) =>
  `déduction faite du vent de ${kt} nd${estimated ? " (étendue estimée)" : ""} et de l’erreur de trajectoire`;

export const verdict: VerdictWords = {
  at: ({ time, age }) => `${time} (${age})`,
  area: {
    none: "Cette prévision ne permet de tracer aucune zone de danger pour les heures à venir.",
    clear: ({ distance, ...of }) => `Hors de la ${area(of)}, à ${distance} au minimum.`,
    enters: ({ at, ...of }) => `Entrée dans la ${area(of)} : ${at}.`,
    insideToEnd: ({ end, ...of }) => `DANS la ${area(of)} jusqu’à la fin de sa validité : ${end}.`,
    insideOut: ({ out, ...of }) => `DANS la ${area(of)}, sortie : ${out}.`,
  },
  gales: {
    now: ({ kt }) => `${gales(kt)} maintenant, d’après la trajectoire prévue.`,
    possibleThenLikely: ({ kt, likely }) => `${gales(kt)} possible dès maintenant, probable le ${likely}.`,
    likely: ({ kt, likely }) => `${gales(kt)} probable le ${likely}.`,
    earliest: ({ kt, earliest, likely }) => `${gales(kt)} au plus tôt le ${earliest}, probable le ${likely}.`,
    possibleNow: ({ kt }) =>
      `${gales(kt)} possible maintenant, si le cyclone s’écarte de sa trajectoire prévue.`,
    possibleFrom: ({ kt, from }) =>
      `${gales(kt)} possible dès le ${from}, si le cyclone s’écarte de sa trajectoire prévue.`,
    notExpected: ({ kt, until }) =>
      `Aucun ${gales(kt).toLowerCase()} prévu d’ici la fin de la prévision (${until}).`,
    notKnown: ({ kt }) => `${gales(kt)} : inconnu, car la prévision n’indique pas jusqu’où il s’étend.`,
    notKnownLater: ({ kt }) =>
      `${gales(kt)} : inconnu, car la prévision indique jusqu’où il s’étend maintenant, mais pas ensuite.`,
    notKnownAfter: ({ kt, told }) =>
      `${gales(kt)} : inconnu, car la prévision n’indique plus jusqu’où il s’étend après le ${told}.`,
  },
  stillClosing: (until) => `Quand la prévision se termine (${until}), le cyclone se rapproche encore.`,
  old: "La prévision est ancienne : les plus récentes manquent.",
  without: {
    over: "Ce cyclone n’est plus suivi : il n’y a pas de prévision.",
    ended: (when) =>
      `Sa prévision s’est terminée le ${when} : on n’en sait rien depuis, ce qui ne veut pas dire qu’il reste au loin.`,
    beyond: "Sa prévision se termine avant l’heure de la position de votre navire.",
    invest: "Zone suspecte sans prévision : on ne sait pas où elle va.",
    silent:
      "Il n’y a pas de prévision pour le calculer : cela ne veut pas dire que le cyclone reste au loin.",
  },
  staleShip: (age) => `La position de votre navire a été saisie ${age} : saisissez-en une nouvelle.`,
  line: {
    stillClosing: ({ until, distance }) =>
      `Se rapproche encore quand la prévision se termine (${until}) : ${distance}`,
    closest: ({ when, distance }) => `Au plus près ${on(when)} : ${distance}`,
  },
  range: {
    fromPoint: ({ distance, bearing }) => `À ${distance} de votre point, relèvement ${bearing}`,
    fromShip: ({ distance, bearing }) => `Maintenant à ${distance} de votre navire, relèvement ${bearing}`,
    fromPlanned: ({ distance, bearing, when }) =>
      `Maintenant à ${distance} de là où sera votre navire le ${when}, relèvement ${bearing}`,
    plannedSaid: ({ distance, bearing, when }) =>
      `Maintenant à ${distance} de là où sera votre navire le ${when}, relèvement ${bearing}.`,
    said: ({ distance, bearing }) => `Maintenant à ${distance}, relèvement ${bearing}.`,
  },
  approach: {
    title: "Distance minimale d’approche",
    toShip: "Distance minimale d’approche de votre navire",
    toPoint: "Distance minimale d’approche de votre point",
    looking: "Recherche de la distance minimale d’approche de votre navire…",
    how: "Cliquez sur la carte là où vous êtes, ou placez votre navire : la distance minimale d’approche est calculée à partir de là.",
    course: "Votre cap, °",
    speed: "Votre vitesse, nd",
    wrong: "Un cap va de 0 à 360, une vitesse de 0 à 60 nœuds.",
    closing: ({ until, ...of }) =>
      `Quand la prévision se termine (${until}), son centre se rapproche encore : ${centre(of)}.`,
    closest: ({ when, ...of }) => `Son centre est au plus près ${on(when)} : ${centre(of)}.`,
    clearance: ({ when, distance, ...of }) => `Marge minimale ${distance} ${on(when)}, ${lessError(of)}.`,
    shrinking: ({ until, distance, ...of }) =>
      `Marge minimale ${distance} quand la prévision se termine (${until}), et diminuant encore, ${lessError(of)}.`,
    inside: ({ when, distance, ...of }) =>
      `Vous pouvez être ${distance} à l’intérieur ${on(when)}, ${lessError(of)}.`,
    arrives: ({ kt, outlook, earliest, likely, latest, over }) => {
      const hours = [
        outlook === "expected" ? "prévu" : "possible",
        earliest && `au plus tôt le ${earliest}`,
        likely && `probable le ${likely}`,
        latest && `au plus tard le ${latest}`,
        over && `terminé au plus tard le ${over}`,
      ];
      return `Vent de ${kt} nd : ${hours.filter(Boolean).join(", ")}`;
    },
    notExpected: ({ kt, until }) => `Vent de ${kt} nd : aucun prévu d’ici la fin de la prévision (${until})`,
    notForecast: ({ kt }) => `Vent de ${kt} nd : la prévision n’indique pas son étendue`,
    lookedAt: ({ until, clock }) =>
      `Calculé jusqu’à la fin de la prévision, ${until}. Heures en ${clock}, à l’heure près.`,
    locatedFromShip: ({ when, distance }) =>
      `Dernière localisation le ${when}, à ${distance} de votre navire.`,
    locatedFromPoint: ({ when, distance }) =>
      `Dernière localisation le ${when}, à ${distance} de votre point.`,
    fromForecast: (span) => `Calculé d’après une prévision vieille de ${span}.`,
    fromOldForecast: (span) =>
      `Calculé d’après une prévision vieille de ${span}. Les prévisions plus récentes manquent : le cyclone peut venir plus près que cela.`,
  },
  peek: {
    inBulletin: (when) => `Dans le bulletin du ${when}`,
    none: "Aucun cyclone à montrer.",
    tap: "Touchez un cyclone, ou relevez ce volet pour voir la liste.",
  },
};
