import type { ShipWords } from "../en/ship.ts";

export const ship: ShipWords = {
  title: "Mein Schiff",
  invitation:
    "Setzen Sie Ihr Schiff auf die Karte: Die Karte führt es mit Kurs und Fahrt weiter, und die Wirbelstürme stehen danach geordnet, wie nahe sie ihm kommen. Es bleibt auf diesem Gerät.",
  raise: "Ziehen Sie dieses Feld hoch, um Ihr Schiff einzutragen.",
  atAnchor: "Vor Anker.",
  underWay: ({ course, speed }) => `Kurs ${course}, Fahrt ${speed} kn, gekoppelt entlang einer Loxodrome.`,
  positionOf: ({ when, clock, age }) => `Position vom ${when} ${clock}, ${age}.`,
  planned:
    "Diese Position liegt in der Zukunft: Bis dahin ist das Schiff dort eingezeichnet, und die Abstände zu Wirbelstürmen gelten erst ab dieser Zeit.",
  oldAtAnchor: (age) => `Diese Position wurde ${age} eingetragen: Liegt das Schiff noch dort?`,
  oldUnderWay: (age) =>
    `Diese Position wurde ${age} eingetragen: Das Schiff kann weit vom gekoppelten Ort entfernt sein. Tragen Sie eine neue ein.`,
  mapBefore: (when) =>
    `Die Karte zeigt ${when}, also vor dieser Position: Das Schiff ist dort eingezeichnet, wo es eingetragen wurde.`,
  mapAt: ({ when, position }) => `Zur Zeit der Karte, ${when}, steht es auf ${position}.`,
  centre: "Karte darauf zentrieren",
  conditions: "Bedingungen dort",
  edit: "Ändern",
  forget: "Vergessen",
  bringBack: "Vergessenes Schiff zurückholen",
  pinAtPoint: "Am gewählten Punkt eintragen",
  putHere: "Schiff hierher setzen",
  said: {
    forgotten: "Ihr Schiff ist vergessen.",
    atAnchor: (position) => `Ihr Schiff liegt vor Anker auf ${position}.`,
    underWay: ({ position, course, speed }) =>
      `Ihr Schiff steht auf ${position}, Kurs ${course}, Fahrt ${speed} Knoten.`,
  },
  device: {
    ask: "Gerätestandort eintragen",
    asking: "Das Gerät wird gefragt …",
    accurateToMiles: (miles) => `Die Position dieses Geräts ist nur auf ${miles} sm genau: Prüfen Sie sie.`,
    accurateToMetres: (metres) => `Position dieses Geräts, auf ${metres} m genau.`,
    failures: {
      refused:
        "Dieser Browser darf die Position des Geräts nicht weitergeben. Erlauben Sie es in seinen Einstellungen für diese Seite, oder geben Sie die Position ein.",
      unknown:
        "Dieses Gerät kennt seine Position im Moment nicht. Versuchen Sie es im Freien noch einmal, oder geben Sie sie ein.",
      late: "Dieses Gerät hat seine Position in 30 Sekunden nicht gefunden. Versuchen Sie es im Freien noch einmal, oder geben Sie sie ein.",
      insecure:
        "Browser geben die Position des Geräts nur an sichere Adressen (https) weiter. Geben Sie stattdessen die Position ein.",
    },
  },
  form: {
    position: "Position",
    course: "Kurs, ° rechtweisend",
    speed: "Fahrt, kn",
    noSpeed: "vor Anker",
    time: (clock) => `Zeit der Position, ${clock}`,
    timeOrNow: (clock) => `Zeit der Position, ${clock} (leer: jetzt)`,
    save: "Speichern",
    pin: "Schiff eintragen",
    takeNow: "Jetzigen Ort übernehmen",
    cancel: "Abbrechen",
    errors: {
      unclear: "Das kann mehrere Orte bedeuten. Schreiben Sie es wie 48 30N 005 10W.",
      position: "Das ist keine Position. Schreiben Sie sie wie 48 30N 005 10W oder 48.5, −5.17.",
      course: "Ein Kurs liegt zwischen 0 und 360 Grad.",
      speed: (most) => `Eine Fahrt liegt zwischen 0 und ${most} Knoten.`,
      noTime: "Geben Sie auch die Zeit ein: Der Dienst hat nicht mitgeteilt, wie spät es ist.",
      time: "Das ist kein Datum mit Uhrzeit.",
    },
  },
  choice: {
    title: "Dieser Link bringt ein anderes Schiff mit",
    yours: "Ihr Schiff",
    linked: "Schiff des Links",
    line: ({ position, when, way }) => `${position}, ${when}. ${way}`,
    explanation:
      "Die Abstände zu Wirbelstürmen gelten für Ihr Schiff. Mit dem Schiff des Links gelten sie für dieses, und Ihres wird auf diesem Gerät vergessen.",
    keep: "Eigenes behalten",
    take: "Schiff des Links übernehmen",
  },
};
