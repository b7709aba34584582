import type { PassageRouteWords } from "../en/passage-route.ts";
import { plural } from "../plural.ts";

const waypoints = (count: number) =>
  plural("de", count, { one: `${count} Wegpunkt`, other: `${count} Wegpunkte` });

export const passageRoute: PassageRouteWords = {
  title: "Törn",
  route: "Route",
  raise: "Die Leiste anheben, um einen Törn zu planen.",
  empty: "Eine Route auf der Karte zeichnen, Positionen oder Orte eingeben oder eine Datei importieren.",
  summary: ({ count, length }) => `${waypoints(count)}, ${length}`,
  name: "Name des Plans",
  draw: "Auf der Karte zeichnen",
  undo: "Rückgängig",
  redo: "Wiederholen",
  reverse: "Umkehren",
  reversed: "Die Route läuft jetzt andersherum.",
  add: "Position oder Ort hinzufügen",
  addPlaceholder: "48 23N 004 30W oder ein Hafen",
  addSubmit: "Zur Route hinzufügen",
  added: ({ number, place }) => `Wegpunkt ${number} hinzugefügt: ${place}.`,
  full: (most) => `Eine Route hat höchstens ${most} Wegpunkte.`,
  notKept:
    "Dieser Browser behält den Plan nicht. Speichern Sie ihn als Datei, bevor Sie die Seite verlassen.",
  damagedLink:
    "Der Plan dieses Links ist nicht lesbar: Er wurde abgeschnitten oder verändert. Ihr eigener Plan ist unverändert.",
  keptAs: (name) => `Das ist der Plan des Links. Ihr Plan davor ist als „${name}“ gespeichert.`,
  allLegs: "Alle Abschnitte",
  legs: { great_circle: "Großkreis", rhumb: "Loxodrome" },
  table: {
    title: "Wegpunkte",
    waypoint: "Wegpunkt",
    course: "Kurs",
    distance: "Distanz",
    rhumb: "Loxodrome",
    help: "Pfeiltasten gehen von Wegpunkt zu Wegpunkt, Eingabe öffnet einen, Alt mit einer Pfeiltaste verschiebt ihn in der Reihenfolge, Entf löscht ihn.",
  },
  edit: {
    title: (number) => `Wegpunkt ${number}`,
    position: "Position",
    name: "Name",
    leg: "Abschnitt bis hier",
    earlier: "Früher",
    later: "Später",
    insert: "Davor einfügen",
    show: "Auf der Karte zeigen",
    remove: "Löschen",
    unclear: "Das können mehrere Orte sein. Schreiben Sie es wie 48 30N 005 10W.",
  },
  drawing: {
    title: "Route zeichnen",
    byMouse:
      "Klicken fügt einen Wegpunkt hinzu, Ziehen verschiebt einen, ein Klick auf einen Abschnitt teilt ihn. Mit der Tastatur: Eingabe setzt am Kreuz, Rücktaste nimmt zurück, Esc beendet.",
    byTouch:
      "Tippen fügt einen Wegpunkt hinzu, Ziehen verschiebt einen, Tippen auf einen Abschnitt teilt ihn.",
    done: "Fertig",
  },
  file: {
    title: "Route importieren",
    choose: "Datei: GPX, RTZ, KML, GeoJSON, CSV oder .xlsx",
    paste: "Oder Positionen oder den Text einer Datei einfügen",
    usePasted: "Diesen Text verwenden",
    reading: "Wird gelesen…",
    which: "Diese Datei hat mehrere Listen. Welche ist die Route?",
    unread: "Diese Punkte sind nicht lesbar und würden weggelassen:",
    take: ({ title, count }) => `${title}: ${waypoints(count)}`,
    read: ({ count, from, within, refused }) =>
      [
        `Importiert: ${waypoints(count)}.`,
        ...(from !== undefined && within !== undefined
          ? [`Die Datei hat ${from} Punkte: Die innerhalb von ${within} sm der Linie wurden weggelassen.`]
          : []),
        ...(refused === undefined
          ? []
          : [
              plural("de", refused, {
                one: "1 Punkt war nicht lesbar und wurde weggelassen.",
                other: `${refused} Punkte waren nicht lesbar und wurden weggelassen.`,
              }),
            ]),
      ].join(" "),
    save: "Route speichern, Plan teilen",
    copyLink: "Link zum Plan kopieren",
    linkCut:
      "Der Link enthält keine Namen von Wegpunkten und keine eigene Fahrttabelle oder Polare: Er würde zu lang.",
  },
  saved: {
    title: "Pläne auf diesem Gerät",
    save: "Plan speichern",
    needsName: "Geben Sie dem Plan zuerst einen Namen.",
    start: "Neuer Plan",
    cleared: "Ein neuer Plan. Rückgängig holt den vorigen zurück.",
    saved: (name) => `Gespeichert: „${name}“.`,
    replaced: (name) => `„${name}“ ist ersetzt.`,
    notSaved:
      "Dieser Browser hat den Plan nicht gespeichert: Sein Speicher ist voll oder ausgeschaltet. Speichern Sie ihn als Datei.",
    open: (name) => `„${name}“ öffnen`,
    opened: (name) => `„${name}“ ist geöffnet.`,
    remove: (name) => `„${name}“ löschen`,
    removed: (name) => `„${name}“ ist gelöscht.`,
    undo: "Rückgängig",
    back: "Er ist wieder da.",
  },
};
