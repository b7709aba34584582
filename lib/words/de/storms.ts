import type { StormsWords } from "../en/storms.ts";

const likely = { low: "Gering", medium: "Mittel", high: "Hoch" };
const likelihood = {
  low: "Geringe Wahrscheinlichkeit",
  medium: "Mittlere Wahrscheinlichkeit",
  high: "Hohe Wahrscheinlichkeit",
};

export const storms: StormsWords = {
  days: (count) => `${count} Tagen`,
  notStated: "keine Angabe",
  notGiven: "keine Angabe",
  reading: "Bulletins werden gelesen …",
  allStorms: "Alle Wirbelstürme",
  noLongerTracked: "Nicht mehr verfolgt",
  areaOfInterest: "Beobachtungsgebiet",
  unnamed: (label) => `${label} (unbenannt)`,
  dangerLabels: {
    classic: "Gefahrengebiet nach der 1-2-3-Regel",
    season: "Gefahrengebiet nach den Vorhersagefehlern dieser Saison",
  },
  providers: { jtwc: "JTWC und NHC", jma: "JMA" },
  basins: {
    north_atlantic: "Nordatlantik",
    south_atlantic: "Südatlantik",
    east_pacific: "Ostpazifik",
    central_pacific: "Zentralpazifik",
    west_pacific: "Westpazifik",
    south_pacific: "Südpazifik",
    north_indian: "Nördlicher Indischer Ozean",
    south_indian: "Südlicher Indischer Ozean",
  },
  stages: {
    DB: "Störung",
    TD: "Tropisches Tief",
    TS: "Tropischer Sturm",
    PT: "Posttropisch",
    LO: "Tief",
    hurricane: "Hurrikan",
    typhoon: "Taifun",
    cyclone: "Tropischer Wirbelsturm",
    unknown: "Stadium nicht angegeben",
  },
  category: ({ stage, category }) => `${stage}, Kategorie ${category}`,
  shortCategory: (category) => `Kat. ${category}`,
  jmaClasses: {
    TD: "Tropisches Tief",
    TS: "Tropischer Sturm",
    STS: "Schwerer tropischer Sturm",
    TY: "Taifun",
    strong: "Taifun, stark",
    veryStrong: "Taifun, sehr stark",
    violent: "Taifun, extrem stark",
  },
  wind: ({ knots, minutes }) => `${knots} kn (${minutes}-Minuten-Mittel)`,
  windRange: ({ min, max, minutes }) => `${min} bis ${max} kn (${minutes}-Minuten-Mittel)`,
  notEstimated: "noch nicht geschätzt",
  motion: {
    towards: ({ bearing, knots }) => `nach ${bearing} mit ${knots} kn`,
    stationary: "ortsfest",
    unknown: "nicht bekannt",
  },
  moving: {
    towards: ({ bearing, knots }) => `Zieht nach ${bearing} mit ${knots} kn`,
    stationary: "Ortsfest",
    unknown: "Zugrichtung nicht bekannt",
  },
  quadrants: ({ ne, se, sw, nw }) => [`NO ${ne} SO ${se}`, `SW ${sw} NW ${nw}`],
  staleForecast: (span) => `Die Vorhersage wurde vor ${span} herausgegeben: Neuere Bulletins fehlen.`,
  overdue: ({ span, hidden }) =>
    `Die letzte Meldung über diesen Wirbelsturm kam vor ${span}: Ihre Quelle steht still oder führt ihn nicht mehr.${
      hidden ? " Eine ältere Vorhersage wird nicht gezeigt." : ""
    }`,
  seen: (time) => `gesehen ${time}`,
  unknownStorm: (id) => `Dieser Server hat keine Bulletins dieses Anbieters zum Wirbelsturm ${id}.`,

  list: {
    title: "Wirbelstürme",
    whose: "Anbieter der Wirbelstürme",
    means: {
      jtwc: "Winde sind 1-Minuten-Mittel. Die der beiden Anbieter sind nicht vergleichbar und werden nie vermischt.",
      jma: "Winde sind 10-Minuten-Mittel. Die der beiden Anbieter sind nicht vergleichbar und werden nie vermischt.",
    },
    withAreas: "Auch Beobachtungsgebiete (Invests)",
    oldFeed: (span) =>
      `Der neueste Text dieses Anbieters wurde vor ${span} herausgegeben: Gezeigt wird, was zuletzt empfangen wurde.`,
    neverRead: "Dieser Server hat noch keine Wirbelsturm-Bulletins dieses Anbieters.",
    none: {
      jtwc: "Keine aktiven Wirbelstürme von JTWC oder NHC.",
      jma: "Keine aktiven Wirbelstürme von der JMA.",
    },
    nearestFirst: "Zuerst stehen die, die Ihrem Schiff am nächsten kommen.",
    searching: "Die dichtesten Annäherungen an Ihr Schiff werden gesucht …",
    stageAndWind: ({ stage, wind }) => `${stage}, ${wind}`,
    bulletin: (span) => `Bulletin, vor ${span}`,
    noForecast: "Keine Vorhersage: Die dichteste Annäherung ist nicht bekannt",
  },

  areas: {
    title: "Beobachtungsgebiete",
    jmaHasNone: "Die JMA veröffentlicht keine Vorschau auf Beobachtungsgebiete.",
    unknown:
      "Aus den letzten zwei Tagen wurde keine Vorschau empfangen: Ob Wirbelstürme entstehen können, ist unbekannt.",
    quiet: ({ basins, agency }) => `${basins.join(" und ")}: ${agency} erwartet keine Entwicklung`,
    quietSince: (time) => `(herausgegeben am ${time})`,
    name: ({ name, invest }) => `${name} (${invest})`,
    nameless: "Störung ohne Nummer",
    chance: ({ likelihood: level, in48Hours, in7Days, within }) => {
      const stated = [
        ...(in48Hours === null ? [] : [`${in48Hours}\u00a0% binnen 48 h`]),
        ...(in7Days === null ? [] : [`${in7Days}\u00a0% binnen 7 Tagen`]),
      ];
      return stated.length > 0
        ? `${likelihood[level]}: ${stated.join(", ")}`
        : `${likelihood[level]} binnen ${within}`;
    },
    chanceLabel: ({ likelihood: level, in7Days, within }) =>
      in7Days === null
        ? `${likely[level]} binnen ${within}`
        : `${likely[level]}: ${in7Days}\u00a0% binnen 7 Tagen`,
    alertUntil: (time) => ({ what: "Entstehungswarnung", until: `bis ${time}` }),
    issuedAgo: (age) => `Herausgegeben: ${age}`,
    region: (name) => `Gebiet ${name}`,
    kind: ({ agency }) => `Beobachtungsgebiet · ${agency}`,
    issued: ({ time, span }) => `Herausgegeben am ${time}, vor ${span}`,
    validUntil: (time) => `Gültig bis ${time}`,
    where: "Wo",
    drawn: "wie auf der Karte gezeichnet",
    onlyInWords: "nur in Worten",
    winds: "Wind",
    pressure: "Tiefster Druck",
    drawnEarlier: (time) =>
      `Ort und Ausdehnung stammen aus einer früheren Vorschau, herausgegeben am ${time}.`,
    noExtent:
      "Der Dienst nennt eine Position und keine Ausdehnung: Das Symbol steht, wo das Gebiet jetzt ist.",
    likelihoodIssued: ({ time, agency }) =>
      agency === undefined
        ? `Wahrscheinlichkeit, dass ein tropischer Wirbelsturm entsteht, herausgegeben am ${time}`
        : `Wahrscheinlichkeit, dass ein tropischer Wirbelsturm entsteht, herausgegeben am ${time} von ${agency}`,
    alert: "Entstehungswarnung",
    alertTitle: "Entstehungswarnung des JTWC",
    inForceUntil: (time) => `In Kraft bis ${time}`,
    lapsed: "Diese Warnung ist abgelaufen; eine neue wurde noch nicht empfangen.",
    area: "Gebiet",
    aroundPlace: (miles) => `im Umkreis von ${miles} um einen Ort`,
    alongLine: (miles) => `${miles} beiderseits einer Linie`,
    moving: "Zieht",
    agencyText: "Was das JTWC schrieb",
  },
};
