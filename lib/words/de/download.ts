import type { DownloadWords } from "../en/download.ts";
import { formatNumber } from "../number.ts";

export const download: DownloadWords = {
  title: "Herunterladen",
  intro: "Eine Datei dessen, was die Karte zeigt: für Plotter, Programme und Tabellen.",
  area: {
    title: "Gebiet",
    kinds: {
      view: "Diese Ansicht",
      box: "Ein Rechteck",
      storm: "Um einen Wirbelsturm",
      route: "Entlang meiner Überfahrt",
    },
    follows: "Es folgt der Karte, bis es geändert wird.",
    sides: { north: "Norden, °N", south: "Süden, °N", west: "Westen, °E", east: "Osten, °E" },
    draw: "Auf der Karte zeichnen",
    show: "Auf der Karte zeigen",
    storm: "Wirbelsturm",
    radius: "Um seine Bahn, sm",
    width: "Auf jeder Seite, sm",
    noStorms: "Zurzeit gibt es keinen Wirbelsturm.",
    noRoute: "Es gibt noch keine Überfahrt: Planen Sie eine im Reiter Überfahrt.",
  },
  drawing: {
    title: "Ein Rechteck zeichnen",
    byMouse: "Ziehen Sie ein Rechteck über die Karte, oder klicken Sie auf zwei gegenüberliegende Ecken.",
    byTouch: "Ziehen Sie ein Rechteck mit einem Finger, oder tippen Sie auf zwei gegenüberliegende Ecken.",
    second: "Nun die Ecke gegenüber.",
    cancel: "Abbrechen",
  },
  variables: {
    title: "Größen",
    asShown: "Wie auf der Karte",
    notInGrib: "GRIB2 hat keine Form dafür: Wählen Sie NetCDF oder CSV.",
  },
  times: {
    title: "Zeiten",
    from: (clock) => `Von, ${clock}`,
    to: (clock) => `Bis, ${clock}`,
    step: "Schritt",
    native: "Alle Zeiten des Modells",
    hours: (hours) => `${hours} h`,
  },
  resolution: {
    title: "Auflösung",
    full: "Volles Gitter",
    every: (stride) => `Jeder ${stride}. Punkt`,
  },
  format: {
    title: "Format",
    names: { grib2: "GRIB2", netcdf: "NetCDF", csv: "CSV" },
    uses: {
      grib2: "Für OpenCPN, XyGrib, qtVlm, LuckGrib und andere Plotter.",
      netcdf: "Für xarray, Panoply und andere Programme.",
      csv: "Eine Tabelle: eine Zeile für jeden Ort und jede Zeit.",
    },
    smaller: "Kleinere Datei, nicht für alle Plotter",
    smallerWhy: "Complex Packing: eccodes, cdo, xarray und OpenCPN lesen es, XyGrib nicht.",
  },
  problems: {
    latitudes: "Breiten gehen von −90 bis 90, der Süden unter dem Norden.",
    longitudes: "Längen gehen von −180 bis 180.",
    times: "Das Ende darf nicht vor dem Anfang liegen.",
    long: ({ days }) => `Die Zeiten dürfen höchstens ${days} Tage umfassen.`,
    variables: "Wählen Sie mindestens eine Größe.",
    view: "Die Karte wird noch geöffnet.",
    storm: "Wählen Sie einen Wirbelsturm.",
    route: "Es gibt noch keine Überfahrt.",
    grib: "Nicht in GRIB2: Lassen Sie weg, was markiert ist, oder wählen Sie ein anderes Format.",
  },
  estimate: {
    waiting: "Die Größe wird berechnet …",
    about: ({ size, steps, grid }) =>
      `Etwa ${size}: ${formatNumber(steps, 0, "de")} ${steps === 1 ? "Zeit" : "Zeiten"}, ${grid} Punkte.`,
    task: "Zu groß, um sofort beantwortet zu werden: Ein Auftrag erstellt die Datei und bewahrt sie auf.",
    tooLarge:
      "Zu groß für eine Datei: Nehmen Sie ein kleineres Gebiet, weniger Zeiten oder Größen oder eine gröbere Auflösung.",
  },
  actions: {
    download: "Herunterladen",
    task: "Auftrag erteilen",
    cancel: "Abbrechen",
    preparing: "Der Server erstellt die Datei …",
    receiving: (size) => `${size} empfangen …`,
    done: ({ name, size }) => `Gespeichert: ${name}, ${size}.`,
    cancelled: "Abgebrochen.",
    sent: "Der Auftrag ist angenommen. Seine Datei wird bei den Aufträgen liegen.",
    toTasks: "Zu den Aufträgen",
    needsKey: "Dateien brauchen einen eigenen API-Schlüssel.",
    offline: "Offline: Eine Datei kann mit einer Verbindung erstellt werden.",
  },
  faults: {
    tooLarge:
      "Der Server beantwortet das nicht sofort: Es ist zu groß. Erteilen Sie einen Auftrag, oder fragen Sie nach weniger.",
    busy: "Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.",
    full: "Ihr Speicher für Ergebnisse ist voll: Löschen Sie Aufträge, die Sie nicht mehr brauchen.",
    gone: "Diesen Wirbelsturm gibt es nicht mehr.",
  },
};
