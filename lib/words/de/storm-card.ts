import type { StormCardWords } from "../en/storm-card.ts";
import { plural } from "../plural.ts";

export const stormCard: StormCardWords = {
  region: (name) => `Wirbelsturm ${name}`,
  bulletin: ({ time, span }) => `Bulletin vom ${time}, vor ${span}`,
  otherTime: (time) =>
    `Die Karte zeigt ${time}: Vorhersage und Kegel dieses Bulletins werden dort nicht eingezeichnet.`,
  aliases: (ids) => `Auch bekannt als ${ids.join(", ")}`,
  stage: "Stadium",
  wind: "Stärkster Wind",
  pressure: "Tiefster Druck",
  centre: "Zentrum",
  moving: "Zieht",
  seas: "Seegang von 12 ft (3,7 m)",
  seasReach: (quadrants) => `${quadrants} sm, auf der Karte gepunktet`,
  danger: {
    title: "Gefahrengebiet nach der 1-2-3-Regel",
    off: "Aus",
    classic: "100-200-300",
    season: "Kegel dieser Saison",
    rule: ({ thresholdKt, method, estimated }) => {
      const error = method === "classic" ? "100 sm je Tag (1-2-3-Regel)" : "Radius des Kegels";
      return `Reichweite von Wind mit ${thresholdKt} kn${estimated ? " (teilweise geschätzt)" : ""} und ${error}, bis 72 h`;
    },
    text: (rule) => `${rule}. Auch außerhalb bleibt ein Risiko.`,
    noForecast: "Es gibt keine Vorhersage, aus der es sich zeichnen ließe.",
  },
  cone: {
    title: "Kegel:",
    jma: "70-%-Wahrscheinlichkeitskreise der JMA",
    table: ({ year, missing, basin }) => {
      const unknown = missing === undefined ? "" : ` (die von ${missing} ist hier noch nicht bekannt)`;
      const borrowed = basin === undefined ? "" : `, übernommen von einem anderen Gebiet (${basin})`;
      return `Tabelle des NHC von ${year}${unknown}, zwei Drittel der Vorhersagefehler${borrowed}`;
    },
    text: {
      jma: (origin) =>
        `${origin}. Das Zentrum bleibt voraussichtlich in etwa 7 von 10 Fällen darin; Wind und See reichen darüber hinaus.`,
      nhc: (origin) =>
        `${origin}. Das Zentrum bleibt voraussichtlich in etwa 2 von 3 Fällen darin; Wind und See reichen darüber hinaus.`,
    },
  },

  chart: {
    wind: (minutes) => `Wind, kn (${minutes}-Minuten-Mittel)`,
    pressure: "Tiefster Druck, hPa",
    label: ({ title, first, last, min, max }) =>
      `${title}: von ${first} bis ${last}, zwischen ${min} und ${max}`,
  },

  forecast: {
    caption: (minutes) => `Vorhersage, Winde als ${minutes}-Minuten-Mittel`,
    time: "Zeit",
    wind: { what: "Wind,", unit: "kn" },
    centre: "Zentrum",
    reach: (thresholdKt) => ({ what: `${thresholdKt} kn,`, unit: "sm" }),
    cone: { what: "Kegel,", unit: "sm" },
    seas: (quadrants) => `See 12 ft ${quadrants}`,
  },

  errors: {
    title: "Vorhersage und was eintraf",
    tooEarly: (bulletins) =>
      plural("de", bulletins, {
        one: "Zu früh: Ein Bulletin ist hier gespeichert, und keiner seiner Vorhersagezeitpunkte wurde bisher beobachtet.",
        other: `Zu früh: ${bulletins} Bulletins sind hier gespeichert, und keiner ihrer Vorhersagezeitpunkte wurde bisher beobachtet.`,
      }),
    chart: "Mittlerer Fehler der Zugbahn, sm, nach Vorhersagezeit in Stunden",
    chartLabel: (means) =>
      `Mittlerer Fehler der Zugbahn: ${means.map(({ miles, hours }) => `${miles} sm bei ${hours} h`).join(", ")}`,
    caption: "Mittlerer Fehler der bisherigen Vorhersagen, nach Vorhersagezeit",
    lead: { what: "Nach", unit: "h" },
    forecasts: "Anzahl",
    track: { what: "Bahn,", unit: "sm" },
    wind: { what: "Wind,", unit: "kn" },
    few: (count) => `${count} (wenige)`,
    means: ({ bulletins, minutes }) => {
      const count = plural("de", bulletins, { one: "einem Bulletin", other: `${bulletins} Bulletins` });
      return `Mittel aus ${count}, verglichen mit der Zugbahn, wie sie jetzt bekannt ist. Wind: ${minutes}-Minuten-Mittel; in Klammern das Mittel mit Vorzeichen, minus, wo die Vorhersagen zu schwach waren.`;
    },
    tooFew: (least) =>
      `Weniger als ${least} Vorhersagen derselben Vorhersagezeit sind zu wenige, um die nächste danach zu beurteilen.`,
    leftOut: (count) =>
      plural("de", count, {
        one: "Eine Vorhersage für eine andere Vorhersagezeit ist ausgelassen.",
        other: `${count} Vorhersagen für andere Vorhersagezeiten sind ausgelassen.`,
      }),
  },

  peer: {
    region: "Der andere Anbieter",
    title: ({ provider, id }) => `${provider} zu diesem Wirbelsturm (${id})`,
    winds: ({ other, own }) => `Stärkster Wind ${other}, hier ${own}: Die beiden sind nicht vergleichbar.`,
    apart: (miles) => `Die Zentren liegen jetzt ${miles} auseinander.`,
    apartLater: ({ now, later, hours }) =>
      `Die Zentren liegen jetzt ${now} auseinander, in ${hours} h nach den beiden Vorhersagen ${later}.`,
    compare: "Zugbahnen vergleichen",
    closeFilm: "Schließen Sie den Film, um beide Zugbahnen auf der Karte zu sehen.",
    onMap: (provider) =>
      `Auf der Karte: ${provider} in der Farbe der Beschriftung, mit einer Linie zwischen den Zentren derselben Zeit.`,
    noCommonTime: "Die beiden Zugbahnen haben keinen Zeitpunkt gemeinsam.",
    table: "Die beiden Zugbahnen nach Zeit",
    caption: "Abstand der beiden Zentren und ihre Winde, nach Zeit",
    time: "Zeit",
    distance: { what: "Abstand,", unit: "sm" },
    wind: ({ agency, minutes }) => ({ what: `${agency},`, unit: `kn, ${minutes} min` }),
    difference: { what: "Differenz,", unit: "kn" },
    forecast: "Vorhersage",
    observed: "Beobachtet, das Neueste zuerst",
    note: ({ shorter, longer }) =>
      `Ein ${shorter}-Minuten-Mittel ist höher als ein ${longer}-Minuten-Mittel desselben Windes: Ein Unterschied der Winde ist kein Fehler eines der beiden.`,
    interpolated: "≈: Einer der beiden Werte ist interpoliert.",
  },

  film: {
    button: "Film",
    open: "Die Karte zeigt nur diesen Wirbelsturm. Diese Angaben sind die des Bulletins, das galt, wo der Film steht, oder des ersten gespeicherten.",
    closed: "Die Zugbahn, wie sie entstand, mit Vorhersage und Kegel jedes Bulletins.",
    region: "Film des Wirbelsturms",
    close: "Film schließen",
    readingStorms: "Wirbelstürme werden gelesen …",
    back: "Zurück zur vorigen Position oder zum vorigen Bulletin",
    forward: "Weiter zur nächsten Position oder zum nächsten Bulletin",
    play: "Film abspielen",
    pause: "Film anhalten",
    time: "Zeit des Films",
    name: (name) => `${name}, `,
    at: ({ time, state }) => `${time}, ${state}`,
    beforeFirst: "vor dem ersten gespeicherten Bulletin",
    bulletin: ({ number, count }) => `Bulletin ${number} von ${count}`,
  },

  save: {
    button: "Als Datei speichern",
    geojson: "GeoJSON, alles",
    gpx: "GPX, für einen Plotter",
    track: "CSV, die Zugbahn",
    cone: "CSV, der Kegel",
    danger: "CSV, das Gefahrengebiet",
  },
};
