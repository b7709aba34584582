import type { PassageBetterWords } from "../en/passage-better.ts";

export const passageBetter: PassageBetterWords = {
  find: "Bessere Route suchen",
  stop: "Suche abbrechen",
  about:
    "Sucht eine andere Route zwischen denselben Enden, um Land und Wirbelstürme herum, für dieselbe Abfahrt.",
  objective: "Besser heißt",
  objectives: { within_limits: "In meinen Grenzen", fastest: "Am schnellsten" },
  order: {
    within_limits:
      "Reihenfolge: Sie kommt an; sie bleibt in Ihren Grenzen; die kürzere Zeit, zu der Stunden über den Grenzen achtfach hinzukommen, gewichtet nach dem Ausmaß: Beim Doppelten einer Grenze zählt eine Stunde wie vier.",
    fastest:
      "Reihenfolge: Sie kommt an; sie hält Ihren Abstand von Wirbelstürmen; die kürzere Zeit, zu der Stunden näher an Wirbelstürmen achtfach hinzukommen, gewichtet nach der Nähe.",
  },
  searching: "Bessere Route wird gesucht …",
  cancelled: "Die Suche wurde abgebrochen.",
  offline: "Es gibt kein Netz, und die Suche braucht den Dienst.",
  none: "Es wurde keine bessere Route gefunden: Bleiben Sie bei Ihrer.",
  found: (text) => `Bessere Route: ${text}.`,
  same: "etwa gleich",
  leastBad: "Keine Route bleibt überall in Ihren Grenzen: Dies ist die am wenigsten schlechte.",
  crossesLand: (leg) => `Ihre eigene Route führt auf Abschnitt ${leg} über Land.`,
  stale: "Der Plan wurde seit der Suche geändert: Suchen Sie noch einmal.",
  use: "Diese Route nehmen",
  keep: "Meine behalten",
  used: "Der Plan hat jetzt die bessere Route; Rückgängig holt Ihre zurück.",
  kept: "Ihre Route bleibt, wie sie ist.",
  own: "Ihre Route",
  better: "Bessere Route",
  weighted: "Über Grenzen, gewichtet",
  caption: "Ihre Route und die bessere",
  check:
    "Ein Vorschlag, der auf der Seekarte zu prüfen ist: Felsen und Inselchen, die diese Karte nicht zeigt, und alle Tiefen werden nicht gesehen.",
  difference: {
    join: ", ",
    arrives: "kommt an, was Ihre nicht tut",
    later: (span) => `${span} später`,
    earlier: (span) => `${span} früher`,
    longer: (distance) => `${distance} länger`,
    shorter: (distance) => `${distance} kürzer`,
    sea: ({ better, own }) => `höchste See ${better} statt ${own}`,
    wind: ({ better, own }) => `stärkster Wind ${better} statt ${own}`,
    over: ({ better, own }) => `${better} über den Grenzen statt ${own}`,
    weighted: ({ better, own }) => `gewichtet nach dem Ausmaß: ${better} statt ${own}`,
    noTime: "keine Zeit",
  },
  ashore: {
    start: ({ distance, position }) =>
      `Der Start liegt an Land. Das nächste Wasser ist ${distance} entfernt, bei ${position}.`,
    end: ({ distance, position }) =>
      `Das Ziel liegt an Land. Das nächste Wasser ist ${distance} entfernt, bei ${position}.`,
    startInland: "Der Start liegt an Land, weit weg von jedem Wasser.",
    endInland: "Das Ziel liegt an Land, weit weg von jedem Wasser.",
    move: "Dorthin verschieben",
  },
  noWay:
    "Es wurde kein Weg über Wasser gefunden: Kanäle, Schleusen und enge Meerengen kennt die Suche nicht. Planen Sie die Teile auf beiden Seiten einzeln.",
  refused: {
    distance: ({ miles, most }) =>
      `Die Enden liegen ${miles} auseinander; gesucht werden Routen bis ${most}. Suchen Sie die Teile einzeln.`,
    hours: ({ span, most }) =>
      `Das dauert etwa ${span}; gesucht werden höchstens ${most}. Suchen Sie einen Teil.`,
    forecast: ({ span, known }) =>
      `Das dauert etwa ${span}, und die Vorhersage endet ${known} nach der Abfahrt. Fahren Sie früher, oder suchen Sie einen Teil.`,
    loop: "Die Route endet, wo sie beginnt: Dazwischen gibt es nichts zu suchen.",
    vessel: "Beim Schiff fehlt etwas: siehe Schiff und Grenzen.",
  },
};
