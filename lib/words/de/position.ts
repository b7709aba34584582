import type { PositionWords } from "../en/position.ts";
import { plural } from "../plural.ts";

export const position: PositionWords = {
  field: "Position",
  placeholder: "48 30N 005 10W oder ein Ort",
  open: "Zu einer Position gehen",
  submit: "Zur Position gehen",
  places: "Orte",
  found: (count) =>
    plural("de", count, { one: `${count} Ort unter dem Feld.`, other: `${count} Orte unter dem Feld.` }),
  notLoaded:
    "Die Liste der Orte konnte nicht geladen werden. Eine Position wie 48 30N 005 10W lässt sich trotzdem eingeben.",
  kinds: {
    ocean: "Ozean",
    sea: "Meer, Bucht oder Meerenge",
    cape: "Kap",
    island: "Insel",
    port: "Hafen",
    town: "Ort an der Küste",
  },
  inRegion: ({ kind, region }) => `${kind}, ${region}`,
  invalid: {
    empty: "Geben Sie eine Position wie 48 30N 005 10W ein oder den Namen eines Hafens, Kaps oder Meeres.",
    name: "Ein Ort dieses Namens ist hier nicht bekannt. Geben Sie einen anderen Namen oder eine Position wie 48 30N 005 10W ein.",
    words:
      "Die Eingabe enthält ein Wort oder Zeichen, das in keiner Position vorkommt. Schreiben Sie zum Beispiel 48 30N 005 10W, 48°30.5′N 5°10′W oder 48.5, −5.17.",
    half: "Die andere Hälfte der Position fehlt. Schreiben Sie Breite und Länge, zum Beispiel 48 30N 005 10W.",
    twice: "Breite oder Länge ist zweimal angegeben. Schreiben Sie jede einmal, zum Beispiel 48 30N 005 10W.",
    numbers:
      "Es ist nicht zu erkennen, welche Zahlen die Breite sind. Setzen Sie ein Komma zwischen die Hälften oder Buchstaben dahinter, zum Beispiel 48 30N, 005 10W.",
    minutes: "Minuten und Sekunden gehen bis 59,999.",
    "latitude-range": "Die Breite muss zwischen 90° Süd und 90° Nord liegen.",
    "longitude-range": "Die Länge muss zwischen 180° West und 180° Ost liegen oder zwischen 0° und 360° Ost.",
    "sign-and-letter":
      "Dieselbe Hälfte hat ein Minuszeichen und einen Buchstaben: Lassen Sie eines davon weg.",
    "missing-number": "Zu einem Buchstaben fehlt die Zahl. Schreiben Sie zum Beispiel 48 30N 005 10W.",
  },
  unclear: {
    "letter-o": "O heißt in manchen Sprachen West und in anderen Ost. Wählen Sie, was gemeint ist:",
    "no-letter": "Eine Hälfte hat einen Buchstaben, die andere keinen. Wählen Sie, was gemeint ist:",
    comma: "Ein Komma kann das Dezimalzeichen sein oder zwei Zahlen trennen. Wählen Sie, was gemeint ist:",
    hyphen: "Der Bindestrich kann ein Minuszeichen sein. Wählen Sie, was gemeint ist:",
    order: "Die erste Zahl ist zu groß für eine Breite. Ist dieser Ort gemeint?",
  },
};
