import type { ListsWords } from "../en/lists.ts";

const kinds = { table: "Tabelle", route: "Route", track: "Track", waypoints: "Wegpunkte" };
const at = ({ line }: { line: number }) => `Zeile ${line}`;
const title: ListsWords["title"] = ({ kind, number }) =>
  kind === "waypoints" ? kinds.waypoints : `${kinds[kind]} ${number}`;

const ranges = { latitude: "−90 bis 90", longitude: "−180 bis 180, oder 0 bis 360" };
const examples = { latitude: "48°30.5′N", longitude: "5°10.2′W" };
const axes = { latitude: "Breite", longitude: "Länge" };
const roles = {
  latitude: "die Breite",
  longitude: "die Länge",
  position: "die Position",
  northOrSouth: "der Buchstabe der Breite",
  eastOrWest: "der Buchstabe der Länge",
};

export const lists: ListsWords = {
  title,
  named: ({ kind, name }) => `${kinds[kind]} „${name}“`,
  more: (count) => `… und ${count} weitere.`,

  problems: {
    empty: "Die Datei ist leer.",
    noPoints: "Die Datei hat nach der ersten Zeile keine Punkte.",
    noText: "Das ist kein Text: eine GPX-, CSV- oder .xlsx-Datei wählen.",
    unsoundKml: "Die Datei ist kein gültiges KML.",
    unsoundRtz: "Die Datei ist kein gültiges RTZ.",
    unsoundGeojson: "Die Datei ist kein gültiges GeoJSON.",
    pdf: "Das ist ein PDF: eine GPX-, CSV- oder .xlsx-Datei wählen.",
    gzip: "Diese Datei ist komprimiert (gzip): zuerst entpacken.",
    oldExcel:
      "Das ist eine alte Excel-Datei (.xls) oder eine mit Kennwort: die Tabelle ohne Kennwort als .xlsx oder als CSV speichern.",
    openDocument: "Das ist eine OpenDocument-Datei: die Tabelle als CSV oder .xlsx speichern.",
    noWorkbook: "Dieses Archiv enthält keine Excel-Mappe: eine GPX-, CSV- oder .xlsx-Datei wählen.",
    noSheet: "Die Mappe hat kein Tabellenblatt.",
    damaged: "Die Datei ist beschädigt: die Mappe neu speichern, oder als CSV.",
    largeWorkbook: "Die Mappe ist zu groß, um hier gelesen zu werden: die Tabelle als CSV speichern.",
    largeFile: ({ megabytes }) =>
      `Die Datei ist größer als ${megabytes} MB, mehr wird hier nicht gelesen: bitte aufteilen.`,

    documentType:
      "Die Datei hat einen Dokumenttyp, den GPX nicht kennt: mit einem anderen Programm neu speichern.",
    unsoundGpx: "Die Datei ist kein gültiges GPX.",
    unreadableGpx: ({ reason }) => `Die Datei ist kein gültiges GPX: ${reason}`,
    noGpx: "Die Datei ist kein GPX.",
    noLists: "Die Datei enthält weder Route noch Track noch Wegpunkte.",
    gpxAngle: ({ axis, point, name, ...list }) =>
      `${name || title(list)}, Punkt ${point}: die ${axes[axis]} muss ${ranges[axis]} sein.`,

    manyCells: ({ line, most }) => `Zeile ${line} hat mehr als ${most} Zellen.`,
    openQuote: ({ line }) => `Zeile ${line} hat ein Anführungszeichen, das nicht geschlossen wird.`,
    noHeader: (row) =>
      `${at(row)} muss die Spalten benennen, darunter Breite und Länge, oder eine Position sein.`,
    sameMeaning: ({ line, one, other, role }) =>
      `Zeile ${line}: „${one}“ und „${other}“ sehen beide aus wie ${roles[role]}. Nur eine Spalte behalten.`,
    noColumn: ({ line, axis }) => `Zeile ${line} nennt keine Spalte für die ${axes[axis]}.`,
    localTime: ({ title }) =>
      `„${title}“ ist Ortszeit, und eine Liste sagt nicht, von welchem Ort: Zeiten in UTC schreiben, oder mit Abstand zu UTC wie 2026-09-15T12:00+02:00.`,
    unclearTime: ({ title }) =>
      `„${title}“ scheint eine Zeit zu sein, aber Zone oder Einheit ist nicht erkennbar: die Spalte Zeit (UTC) oder Zeit (UTC+2) nennen, oder die Zeiten mit ihrem Abstand zu UTC schreiben, wie 2026-09-15T12:00+02:00.`,

    wideRow: (row) =>
      `${at(row)}: mehr Zellen, als die erste Zeile Namen hat (bei Dezimalkommas müssen Semikolons oder Tabulatoren die Zellen trennen).`,
    unclearPosition: ({ written, ...row }) => `${at(row)}: „${written}“ kann mehrere Orte bedeuten.`,
    noPosition: ({ written, ...row }) => `${at(row)}: „${written}“ ist keine Position.`,
    missing: ({ axis, ...row }) => `${at(row)}: die ${axes[axis]} fehlt.`,
    wrongAngle: ({ axis, written, ...row }) =>
      `${at(row)}: die ${axes[axis]} „${written}“ muss ${ranges[axis]} sein, oder wie ${examples[axis]}.`,
    noTime: ({ written, ...row }) => `${at(row)}: „${written}“ ist keine Zeit wie 2026-09-15T12:00:00Z.`,

    movedFile: ({ name }) => `${name} konnte nicht gelesen werden: bitte erneut wählen.`,
    slow: "Diese Liste zu lesen dauert hier zu lange: bitte aufteilen.",
    notRead: "Die Liste konnte hier nicht gelesen werden: die Seite neu laden und erneut versuchen.",
    replaced: "Durch eine spätere Liste ersetzt.",
  },
};
