/** A row of a table: a line of a text, or a row of a sheet. */
interface RowPlace {
  unit: "line" | "row";
  /** From 1, as the program that shows the file counts. */
  line: number;
}

/** A point of a GPX file. */
interface GpxPlace {
  kind: "route" | "track" | "waypoints";
  /** Of the list; empty where the file gives none. */
  name: string;
  /** Of the list among those of its kind, from 1. */
  number: number;
  /** From 1. */
  point: number;
}

type Axis = "latitude" | "longitude";

const units = { line: "Line", row: "Row" };
const kinds = { table: "Table", route: "Route", track: "Track", waypoints: "Waypoints" };
const at = ({ unit, line }: RowPlace) => `${units[unit]} ${line}`;

/** Without a name a list is counted among those of its kind. */
const title = ({ kind, number }: { kind: keyof typeof kinds; number: number }) =>
  kind === "waypoints" ? kinds.waypoints : `${kinds[kind]} ${number}`;
const atPoint = ({ point, name, ...list }: GpxPlace) => `${name || title(list)}, point ${point}`;

const ranges = { latitude: "−90 to 90", longitude: "−180 to 180, or 0 to 360" };
const examples = { latitude: "48°30.5′N", longitude: "5°10.2′W" };
const roles = {
  latitude: "latitude",
  longitude: "longitude",
  position: "position",
  northOrSouth: "letter of the latitude",
  eastOrWest: "letter of the longitude",
};

/** Lists of points in files: what they are, and why one cannot be used. */
export const lists = {
  title,
  named: ({ kind, name }: { kind: keyof typeof kinds; name: string }) => `${kinds[kind]} “${name}”`,
  /** Behind those that are named. */
  more: (count: number) => `… and ${count} more.`,

  problems: {
    empty: "The file is empty.",
    noPoints: "The file has no points after its first line.",
    noText: "This is no text: choose a GPX, CSV or .xlsx file.",
    unsoundKml: "The file is no sound KML.",
    unsoundRtz: "The file is no sound RTZ.",
    unsoundGeojson: "The file is no sound GeoJSON.",
    pdf: "This is a PDF: choose a GPX, CSV or .xlsx file.",
    gzip: "This file is compressed (gzip): unpack it first.",
    oldExcel:
      "This is an old Excel file (.xls), or one with a password: save the sheet as .xlsx without a password, or as CSV.",
    openDocument: "This is an OpenDocument file: save the sheet as CSV or .xlsx.",
    noWorkbook: "This archive has no Excel workbook: choose a GPX, CSV or .xlsx file.",
    noSheet: "The workbook has no sheet.",
    damaged: "The file is damaged: save the workbook again, or as CSV.",
    largeWorkbook: "The workbook is too large to be read here: save the sheet as CSV.",
    largeFile: ({ megabytes }: { megabytes: number }) =>
      `The file is larger than ${megabytes} MB, the most that is read here: divide it.`,

    documentType: "The file has a document type, which GPX has not: save it again with another program.",
    unsoundGpx: "The file is no sound GPX.",
    /** @param reason Of the library that reads it, in English. */
    unreadableGpx: ({ reason }: { reason: string }) => `The file is no sound GPX: ${reason}`,
    noGpx: "The file is no GPX.",
    noLists: "The file has neither a route, nor a track, nor waypoints.",
    gpxAngle: ({ axis, ...place }: GpxPlace & { axis: Axis }) =>
      `${atPoint(place)}: the ${axis} should be ${ranges[axis]}.`,

    manyCells: ({ line, most }: { line: number; most: number }) =>
      `Line ${line} has more than ${most} cells.`,
    openQuote: ({ line }: { line: number }) => `Line ${line} has a quotation mark that is not closed.`,
    noHeader: (row: RowPlace) =>
      `${at(row)} should name the columns, latitude and longitude among them, or be a position.`,
    sameMeaning: ({
      line,
      one,
      other,
      role,
    }: {
      line: number;
      one: string;
      other: string;
      role: keyof typeof roles;
    }) => `Line ${line}: “${one}” and “${other}” both look like the ${roles[role]}. Leave one.`,
    noColumn: ({ line, axis }: { line: number; axis: Axis }) =>
      `Line ${line} names no column for the ${axis}.`,
    localTime: ({ title }: { title: string }) =>
      `“${title}” is local time, and a list does not say of which place: write times in UTC, or with their offset like 2026-09-15T12:00+02:00.`,
    unclearTime: ({ title }: { title: string }) =>
      `“${title}” looks like a time, but not in which zone or unit: call it time (UTC) or time (UTC+2), or write times with their offset like 2026-09-15T12:00+02:00.`,

    wideRow: (row: RowPlace) =>
      `${at(row)}: it has more cells than the first line has names (decimal commas need semicolons or tabs between the cells).`,
    unclearPosition: ({ written, ...row }: RowPlace & { written: string }) =>
      `${at(row)}: “${written}” may be several places.`,
    noPosition: ({ written, ...row }: RowPlace & { written: string }) =>
      `${at(row)}: “${written}” is no position.`,
    missing: ({ axis, ...row }: RowPlace & { axis: Axis }) => `${at(row)}: the ${axis} is missing.`,
    wrongAngle: ({ axis, written, ...row }: RowPlace & { axis: Axis; written: string }) =>
      `${at(row)}: the ${axis} “${written}” should be ${ranges[axis]}, or like ${examples[axis]}.`,
    noTime: ({ written, ...row }: RowPlace & { written: string }) =>
      `${at(row)}: “${written}” is no time such as 2026-09-15T12:00:00Z.`,

    movedFile: ({ name }: { name: string }) => `${name} could not be read: choose it again.`,
    slow: "Reading this list takes too long here: divide it.",
    notRead: "The list could not be read here: reload the page and try again.",
    replaced: "Replaced by a later list.",
  },
};

export type ListsWords = typeof lists;
