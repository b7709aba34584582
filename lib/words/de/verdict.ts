import type { VerdictWords } from "../en/verdict.ts";

type Area = Parameters<VerdictWords["area"]["enters"]>[0];
type Centre = Parameters<VerdictWords["approach"]["closest"]>[0];
type Reach = Parameters<VerdictWords["approach"]["inside"]>[0];

/** Mit bestimmtem Artikel, im Genitiv oder im Akkusativ: `des 1-2-3-Gebiets`, `das 1-2-3-Gebiet`. */
const area = ({ method, estimated }: Pick<Area, "method" | "estimated">, genitive: boolean) => {
  const [article, ending] = genitive ? ["des", "s"] : ["das", ""];
  const name =
    method === "classic"
      ? `${article} 1-2-3-Gebiet${ending}`
      : `${article} Gefahrengebiet${ending} nach dem Kegel dieser Saison`;
  return estimated ? `${name} (Windausdehnung geschätzt)` : name;
};

const gales = (kt: number) => (kt === 34 ? "Stürmischer Wind" : `Wind von ${kt} kn`);

const semicircles = { dangerous: "gefährlichen", navigable: "fahrbaren" };

const centre = ({ distance, bearing, semicircle }: Omit<Centre, "when">) => {
  const where = `${distance}, Peilung ${bearing}`;
  return semicircle === null ? where : `${where}; Sie sind im ${semicircles[semicircle]} Halbkreis`;
};

const lessError = ({ kt, estimated }: Pick<Reach, "kt" | "estimated">) =>
  `nach Abzug des Windfelds mit ${kt} kn${estimated ? " (Ausdehnung geschätzt)" : ""} und des Fehlers der Zugbahn`;

export const verdict: VerdictWords = {
  at: ({ time, age }) => `${time} (${age})`,
  area: {
    none: "Diese Vorhersage gibt für die kommende Zeit kein Gefahrengebiet an.",
    clear: ({ distance, ...of }) => `Außerhalb ${area(of, true)}, Abstand mindestens ${distance}.`,
    enters: ({ at, ...of }) => `Ihr Schiff gerät in ${area(of, false)}: ${at}.`,
    insideToEnd: ({ end, ...of }) => `INNERHALB ${area(of, true)}, bis dessen Gültigkeit endet: ${end}.`,
    insideOut: ({ out, ...of }) => `INNERHALB ${area(of, true)}, wieder heraus: ${out}.`,
  },
  gales: {
    now: ({ kt }) => `${gales(kt)} jetzt, nach der vorhergesagten Zugbahn.`,
    possibleThenLikely: ({ kt, likely }) => `${gales(kt)} ab sofort möglich, wahrscheinlich ${likely}.`,
    likely: ({ kt, likely }) => `${gales(kt)} wahrscheinlich ${likely}.`,
    earliest: ({ kt, earliest, likely }) => `${gales(kt)} frühestens ${earliest}, wahrscheinlich ${likely}.`,
    possibleNow: ({ kt }) =>
      `${gales(kt)} jetzt möglich, falls der Wirbelsturm von der vorhergesagten Zugbahn abweicht.`,
    possibleFrom: ({ kt, from }) =>
      `${gales(kt)} möglich ab ${from}, falls der Wirbelsturm von der vorhergesagten Zugbahn abweicht.`,
    notExpected: ({ kt, until }) =>
      `${gales(kt)} zu keiner Zeit der Vorhersage zu erwarten (sie endet ${until}).`,
    notKnown: ({ kt }) =>
      `${gales(kt)}: nicht bekannt, weil die Vorhersage nicht angibt, wie weit er reicht.`,
    notKnownLater: ({ kt }) =>
      `${gales(kt)}: nicht bekannt, weil die Vorhersage nur für jetzt angibt, wie weit er reicht, nicht für später.`,
    notKnownAfter: ({ kt, told }) =>
      `${gales(kt)}: nicht bekannt, weil die Vorhersage höchstens bis ${told} angibt, wie weit er reicht.`,
  },
  stillClosing: (until) => `Wenn die Vorhersage endet (${until}), nähert sich der Wirbelsturm noch immer.`,
  old: "Die Vorhersage ist alt: Neuere fehlen.",
  without: {
    over: "Dieser Wirbelsturm wird nicht mehr verfolgt: Es gibt keine Vorhersage für ihn.",
    ended: (when) =>
      `Seine Vorhersage endete ${when}: Seither ist nichts über ihn bekannt, was nicht heißt, dass er fernbleibt.`,
    beyond: "Seine Vorhersage endet vor der Zeit der Position Ihres Schiffs.",
    invest: "Ein Beobachtungsgebiet ohne Vorhersage: Wohin es zieht, ist nicht bekannt.",
    silent:
      "Es gibt keine Vorhersage, aus der es sich berechnen ließe: Das heißt nicht, dass der Wirbelsturm fernbleibt.",
  },
  staleShip: (age) => `Die Position Ihres Schiffs wurde ${age} eingetragen: Tragen Sie eine neue ein.`,
  line: {
    stillClosing: ({ until, distance }) => `Kommt am Ende der Vorhersage (${until}) noch näher: ${distance}`,
    closest: ({ when, distance }) => `Dichteste Annäherung ${when ?? "jetzt"}: ${distance}`,
  },
  range: {
    fromPoint: ({ distance, bearing }) => `${distance} von Ihrem Punkt, Peilung ${bearing}`,
    fromShip: ({ distance, bearing }) => `Jetzt ${distance} von Ihrem Schiff, Peilung ${bearing}`,
    fromPlanned: ({ distance, bearing, when }) =>
      `Jetzt ${distance} von dem Ort, an dem Ihr Schiff ${when} sein wird, Peilung ${bearing}`,
    plannedSaid: ({ distance, bearing, when }) =>
      `Jetzt ${distance} von dem Ort, an dem Ihr Schiff ${when} sein wird, Peilung ${bearing}.`,
    said: ({ distance, bearing }) => `Jetzt ${distance} entfernt, Peilung ${bearing}.`,
  },
  approach: {
    title: "Dichteste Annäherung",
    toShip: "Dichteste Annäherung an Ihr Schiff",
    toPoint: "Dichteste Annäherung an Ihren Punkt",
    looking: "Die dichteste Annäherung an Ihr Schiff wird gesucht …",
    how: "Klicken Sie auf der Karte auf Ihren Ort, oder tragen Sie Ihr Schiff ein: Von dort wird die dichteste Annäherung berechnet.",
    course: "Ihr Kurs, °",
    speed: "Ihre Fahrt, kn",
    wrong: "Ein Kurs liegt zwischen 0 und 360, eine Fahrt zwischen 0 und 60 Knoten.",
    closing: ({ until, ...of }) =>
      `Wenn die Vorhersage endet (${until}), nähert sich das Zentrum noch immer: ${centre(of)}.`,
    closest: ({ when, ...of }) => `Dichteste Annäherung des Zentrums ${when ?? "jetzt"}: ${centre(of)}.`,
    clearance: ({ when, distance, ...of }) =>
      `Kleinster Abstand ${distance}, ${when ?? "jetzt"}, ${lessError(of)}.`,
    shrinking: ({ until, distance, ...of }) =>
      `Kleinster Abstand ${distance}, wenn die Vorhersage endet (${until}), und weiter abnehmend, ${lessError(of)}.`,
    inside: ({ when, distance, ...of }) =>
      `Sie sind möglicherweise ${when ?? "jetzt"} um ${distance} innerhalb, ${lessError(of)}.`,
    arrives: ({ kt, outlook, earliest, likely, latest, over }) => {
      const hours = [
        outlook === "expected" ? "zu erwarten" : "möglich",
        earliest && `frühestens ${earliest}`,
        likely && `wahrscheinlich ${likely}`,
        latest && `spätestens ${latest}`,
        over && `vorbei spätestens ${over}`,
      ];
      return `Wind von ${kt} kn: ${hours.filter(Boolean).join(", ")}`;
    },
    notExpected: ({ kt, until }) =>
      `Wind von ${kt} kn: zu keiner Zeit der Vorhersage zu erwarten (sie endet ${until})`,
    notForecast: ({ kt }) => `Wind von ${kt} kn: Seine Ausdehnung wird nicht vorhergesagt`,
    lookedAt: ({ until, clock }) =>
      `Betrachtet bis ${until}, dem Ende der Vorhersage. Zeiten in ${clock}, auf volle Stunden gerundet.`,
    locatedFromShip: ({ when, distance }) => `Zuletzt geortet ${when}, ${distance} von Ihrem Schiff.`,
    locatedFromPoint: ({ when, distance }) => `Zuletzt geortet ${when}, ${distance} von Ihrem Punkt.`,
    fromForecast: (span) => `Berechnet aus einer Vorhersage, die vor ${span} herausgegeben wurde.`,
    fromOldForecast: (span) =>
      `Berechnet aus einer Vorhersage, die vor ${span} herausgegeben wurde. Neuere Vorhersagen fehlen: Der Wirbelsturm kann näher kommen als hier angegeben.`,
  },
  peek: {
    inBulletin: (when) => `Im Bulletin vom ${when}`,
    none: "Keine Wirbelstürme anzuzeigen.",
    tap: "Tippen Sie auf einen Wirbelsturm, oder ziehen Sie dieses Feld für die Liste hoch.",
  },
};
