import type { TasksWords } from "../en/tasks.ts";
import { formatNumber } from "../number.ts";
import { plural } from "../plural.ts";
import { dates } from "./dates.ts";

const whole = (count: number) => formatNumber(count, 0, "de");
const points = (count: number) => plural("de", count, { one: "1 Punkt", other: `${whole(count)} Punkte` });
const values = (count: number) => plural("de", count, { one: "1 Wert", other: `${whole(count)} Werte` });

const columns = {
  latitude: (title: string) => `Breite aus „${title}“`,
  longitude: (title: string) => `Länge aus „${title}“`,
  position: (title: string) => `Position aus „${title}“`,
  date: (title: string) => `Datum aus „${title}“`,
  instant: (title: string) => `Zeit aus „${title}“`,
  name: (title: string) => `Name aus „${title}“`,
};

const times = {
  all: ", mit Zeitangabe",
  some: ", nicht alle mit Zeitangabe",
  none: ", ohne Zeitangabe",
};

export const tasks: TasksWords = {
  points,

  titleDone: ({ count, title }) => `(${count} fertig) ${title}`,

  inbox: {
    heading: "Aufträge",
    newTask: "Neuer Auftrag",
    show: "Anzeigen",
    filters: { all: "Alle", PENDING: "Offen", SUCCESS: "Fertig", FAILURE: "Fehler" },
    ended: ({ title, state }) => `${title}: ${state}`,
    reading: "Die Liste wird gelesen …",
    none: "Keine Aufträge. Große Anfragen erscheinen hier.",
    noneInState: "Kein Auftrag ist in diesem Zustand.",
    newestOnly: "Gezeigt werden die neuesten 100; die API listet alle auf.",
  },

  keyNeeded: {
    why: "Aufträge brauchen einen Zugangsschlüssel. Ein Auftrag gehört dem Inhaber des Schlüssels, mit dem er gesendet wurde; nur dieser liest das Ergebnis. Besuchern ohne Schlüssel gehört nichts.",
    byMail:
      "Ein Link zu einem Schlüssel kann an Ihre E-Mail-Adresse gesendet werden. Die Karte ist auch ohne Schlüssel lesbar.",
    byOperator:
      "Einen Schlüssel erhalten Sie vom Betreiber dieses Dienstes. Die Karte ist auch ohne Schlüssel lesbar.",
    getKey: "Schlüssel anfordern oder eingeben",
    enterKey: "Schlüssel eingeben",
  },

  untitled: {
    MetOcean: "Punkte ohne Namen",
    "2DMetOcean": "Kartenausschnitt ohne Namen",
    "passages/evaluate": "Fahrten ohne Namen",
    files: "Datei ohne Namen",
    "passages/optimise": "Bessere Route ohne Namen",
    route: "Route ohne Namen",
  },

  row: {
    boxValues: (count) => `${values(count)} eines Kartenausschnitts`,
    miles: (count) => `${whole(count)} sm einer besseren Route`,
    passagePlaces: (count) =>
      plural("de", count, { one: "1 Ort einer Fahrt", other: `${whole(count)} Orte auf Fahrten` }),
    asked: (age) => `angefragt ${age}`,
    compressed: (size) => `${size} komprimiert`,
    noMail: "keine E-Mail: Für diesen Dienst oder Schlüssel ist keine eingerichtet",
    mailWhenDone: "E-Mail nach Abschluss",
    mailAsked: "E-Mail angefordert",
    expired: "Ergebnis abgelaufen",
    keptUntil: ({ day, month, year, clock }) =>
      `aufbewahrt bis ${day}. ${dates.months[month - 1]} ${year}, ${clock} UTC`,
    progressOf: ({ title }) => `Fortschritt von ${title}`,
  },

  states: {
    done: "Fertig",
    cancelled: "Abgebrochen",
    failed: "Fehlgeschlagen",
    running: "Läuft",
    runningAt: ({ percent }) => `Läuft, ${percent}\u00a0%`,
    next: "Wartet, kommt als Nächstes",
    waiting: ({ position }) => `Wartet an Stelle ${position}`,
  },

  actions: {
    download: "Herunterladen",
    downloadOf: ({ title }) => `Herunterladen: ${title}`,
    openOnMap: "Auf Karte öffnen",
    repeat: "Wiederholen",
    cancel: "Abbrechen",
    delete: "Löschen",
    copyId: "ID kopieren",
    copyIdOf: ({ title }) => ` von ${title}`,
  },

  undo: {
    deleting: ({ title }) => `„${title}“ wird gelöscht.`,
    undo: "Rückgängig",
    undoOf: ({ title }) => `: Löschen von ${title}`,
    failed: ({ title, reason }) => `„${title}“ konnte nicht gelöscht werden: ${reason}`,
  },

  notice: {
    failed: ({ reason }) => `Die Punkte dieses Auftrags können nicht gezeigt werden: ${reason}`,
    none: "Dieser Auftrag hat keine Punkte, die gezeichnet werden können.",
    shown: ({ name, count }) => [name, `: ${points(count)}`],
    close: "Punkte von der Karte nehmen",
  },

  form: {
    kind: "Worum es geht",
    kinds: { MetOcean: "Eine Liste von Punkten", "2DMetOcean": "Ein Kartenausschnitt" },
    name: "Name, unter dem Sie ihn wiederfinden",
    mail: "Nach Abschluss eine E-Mail senden",
    sending: "Wird gesendet …",
    start: "Auftrag starten",
  },

  durations: {
    few: "wenige Sekunden",
    seconds: (count) => `etwa ${count} s`,
    minutes: (count) => `etwa ${count} min`,
    hours: (count) => `etwa ${whole(count)} h`,
  },

  box: {
    what: "Größe",
    sides: { south: "Süden, °N", north: "Norden, °N", west: "Westen, °E", east: "Osten, °E" },
    from: "Von, UTC",
    to: "Bis, UTC",
    wrongLatitudes: "Die Breiten müssen zwischen −90 und 90 liegen, die südliche zuerst.",
    wrongLongitudes:
      "Die Längen müssen zwischen −180 und 180 liegen; ist die westliche größer, reicht der Ausschnitt über 180°.",
    wrongTimes: "Zeiten bitte wie 2026-09-15T12:00:00Z schreiben, die frühere zuerst.",
    tooLong: ({ days }) => `Eine Anfrage umfasst höchstens ${days} Tage.`,
    tooMany: ({ count, most }) =>
      `Etwa ${values(count)} sind mehr, als ein Auftrag haben darf (${whole(most)}): einen kleineren Ausschnitt oder eine kürzere Zeit wählen.`,
    estimate: ({ count, size, duration }) =>
      `Etwa ${values(count)}, ${size} als JSON, ${duration} Rechenzeit.`,
  },

  list: {
    file: "Datei: GPX, oder CSV oder Excel (.xlsx) mit Breite, Länge und, falls vorhanden, Zeit",
    paste: "Oder hier einfügen",
    reading: "Die Liste wird gelesen.",
    choose: "Eine GPX-, CSV- oder Excel-Datei wählen oder eine Liste einfügen.",
    tooMany: ({ count, most }) => `${points(count)} sind mehr, als ein Auftrag haben darf (${whole(most)}).`,
    refusedRows:
      "Einige Punkte sind nicht lesbar: berichtigen und die Datei erneut wählen, oder die Punkte auslassen.",
    noQuantity: "Mindestens eine Größe wählen.",
    someUntimed: "Nicht alle Punkte haben eine Zeit: bitte Abfahrt (2026-09-15T12:00:00Z) und Fahrt angeben.",
    untimed: "Die Liste hat keine Zeiten: bitte Abfahrt (2026-09-15T12:00:00Z) und Fahrt angeben.",
    estimate: ({ count, size, duration }) =>
      `${points(count)}, etwa ${size} als JSON, ${duration} Rechenzeit.`,
    departure: "Abfahrt am ersten Punkt, UTC",
    speed: "Fahrt, Knoten",
    quantities: "Größen",
    repeated: "Der Auftrag, der wiederholt wird",
  },

  preview: {
    which: "Die Datei enthält mehrere Listen. Welche?",
    read: ({ file, count, timed }) => `${file && `${file}: `}${points(count)}${times[timed]}.`,
    drawnTimes:
      "Die Zeiten in der Datei sind die, zu denen die Punkte gezeichnet wurden, nicht die einer Reise. Sie werden nicht verwendet.",
    columns: ({ found, isUtc }) => {
      const read = found?.map(([column, title]) => columns[column](title)).join(", ");
      const how =
        read === undefined
          ? "Keine Zeile benennt die Spalten: gelesen wird zuerst die Breite, dann die Länge."
          : `Gelesen: ${read}.`;
      return isUtc ? `${how} Die Zeiten gelten als UTC.` : how;
    },
    refused: ({ read, refused }) =>
      plural("de", refused, {
        one: `1 Punkt ist nicht lesbar, lesbar: ${whole(read)}.`,
        other: `${whole(refused)} Punkte sind nicht lesbar, lesbar: ${whole(read)}.`,
      }),
    leaveOut: "Diese Punkte auslassen",
    dateOrder: "Daten wie 03/04/2026 sind zweideutig. Hier bedeuten sie",
    dateOrders: { "day-month": "Tag/Monat/Jahr", "month-day": "Monat/Tag/Jahr" },
    miles: (count) => `${whole(count)} sm`,
    planned: ({ speed }) => `geplant mit ${speed} kn`,
    leaves: ({ when }) => `Abfahrt ${when}`,
  },
};
