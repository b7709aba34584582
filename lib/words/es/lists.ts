import type { ListsWords } from "../en/lists.ts";

const units = { line: "Línea", row: "Fila" };
const kinds = { table: "Tabla", route: "Ruta", track: "Track", waypoints: "Waypoints" };
const at = ({ unit, line }: { unit: keyof typeof units; line: number }) => `${units[unit]} ${line}`;
const title: ListsWords["title"] = ({ kind, number }) =>
  kind === "waypoints" ? kinds.waypoints : `${kinds[kind]} ${number}`;

const ranges = { latitude: "entre −90 y 90", longitude: "entre −180 y 180, o entre 0 y 360" };
const examples = { latitude: "48°30.5′N", longitude: "5°10.2′W" };
const axes = { latitude: "latitud", longitude: "longitud" };
const roles = {
  latitude: "la latitud",
  longitude: "la longitud",
  position: "la posición",
  northOrSouth: "la letra de la latitud",
  eastOrWest: "la letra de la longitud",
};

export const lists: ListsWords = {
  title,
  named: ({ kind, name }) => `${kinds[kind]} «${name}»`,
  more: (count) => `… y ${count} más.`,

  problems: {
    empty: "El archivo está vacío.",
    noPoints: "El archivo no tiene puntos después de la primera línea.",
    noText: "Esto no es texto: elija un archivo GPX, CSV o .xlsx.",
    unsoundKml: "El archivo no es un KML válido.",
    unsoundRtz: "El archivo no es un RTZ válido.",
    unsoundGeojson: "El archivo no es un GeoJSON válido.",
    pdf: "Es un PDF: elija un archivo GPX, CSV o .xlsx.",
    gzip: "Este archivo está comprimido (gzip): descomprímalo primero.",
    oldExcel:
      "Es un archivo antiguo de Excel (.xls), o uno con contraseña: guarde la hoja como .xlsx sin contraseña, o como CSV.",
    openDocument: "Es un archivo OpenDocument: guarde la hoja como CSV o .xlsx.",
    noWorkbook: "Este archivo comprimido no contiene un libro de Excel: elija un archivo GPX, CSV o .xlsx.",
    noSheet: "El libro no tiene ninguna hoja.",
    damaged: "El archivo está dañado: guarde el libro de nuevo, o como CSV.",
    largeWorkbook: "El libro es demasiado grande para leerlo aquí: guarde la hoja como CSV.",
    largeFile: ({ megabytes }) =>
      `El archivo supera los ${megabytes} MB, el máximo que se lee aquí: divídalo.`,

    documentType:
      "El archivo tiene un tipo de documento, que GPX no tiene: guárdelo de nuevo con otro programa.",
    unsoundGpx: "El archivo no es un GPX válido.",
    unreadableGpx: ({ reason }) => `El archivo no es un GPX válido: ${reason}`,
    noGpx: "El archivo no es un GPX.",
    noLists: "El archivo no contiene rutas, ni tracks, ni waypoints.",
    gpxAngle: ({ axis, point, name, ...list }) =>
      `${name || title(list)}, punto ${point}: la ${axes[axis]} debe estar ${ranges[axis]}.`,

    manyCells: ({ line, most }) => `La línea ${line} tiene más de ${most} celdas.`,
    openQuote: ({ line }) => `La línea ${line} tiene unas comillas que no se cierran.`,
    noHeader: (row) =>
      `${at(row)}: debe nombrar las columnas, entre ellas la latitud y la longitud, o ser una posición.`,
    sameMeaning: ({ line, one, other, role }) =>
      `Línea ${line}: «${one}» y «${other}» parecen ambas ${roles[role]}. Deje solo una.`,
    noColumn: ({ line, axis }) => `La línea ${line} no nombra ninguna columna para la ${axes[axis]}.`,
    localTime: ({ title }) =>
      `«${title}» es hora local, y una lista no dice de qué lugar: escriba las horas en UTC, o con su diferencia como 2026-09-15T12:00+02:00.`,
    unclearTime: ({ title }) =>
      `«${title}» parece una hora, pero no se reconoce su zona o unidad: llame a la columna hora (UTC) u hora (UTC+2), o escriba las horas con su diferencia, como 2026-09-15T12:00+02:00.`,

    wideRow: (row) =>
      `${at(row)}: tiene más celdas que nombres la primera línea (con comas decimales, separe las celdas con punto y coma o tabuladores).`,
    unclearPosition: ({ written, ...row }) => `${at(row)}: «${written}» puede ser varios lugares.`,
    noPosition: ({ written, ...row }) => `${at(row)}: «${written}» no es una posición.`,
    missing: ({ axis, ...row }) => `${at(row)}: falta la ${axes[axis]}.`,
    wrongAngle: ({ axis, written, ...row }) =>
      `${at(row)}: la ${axes[axis]} «${written}» debe estar ${ranges[axis]}, o escribirse como ${examples[axis]}.`,
    noTime: ({ written, ...row }) => `${at(row)}: «${written}» no es una hora como 2026-09-15T12:00:00Z.`,

    movedFile: ({ name }) => `No se pudo leer ${name}: elíjalo de nuevo.`,
    slow: "Leer esta lista tarda demasiado aquí: divídala.",
    notRead: "No se pudo leer la lista aquí: recargue la página e inténtelo de nuevo.",
    replaced: "Sustituida por una lista posterior.",
  },
};
