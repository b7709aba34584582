import { type ListProblem, PointListError } from "./list-problem.ts";
import { openArchive, readSheet } from "./read-sheet.ts";
import { type ReadOptions, type Row, readTable, splitRows, type TableNotes } from "./read-table.ts";
import { type GpxList, readGpx, readRtz } from "./route-files.ts";
import { readGeojson, readKml } from "./shape-files.ts";

/** Largest file that is read, bytes. */
const MAX_BYTES = 64_000_000;
/**
 * Largest XML or JSON file, bytes, because these take many times their size in memory while they are parsed.
 */
const MAX_XML_BYTES = 24_000_000;

/** One list of points in a file. */
export interface ReadList extends Omit<GpxList, "kind"> {
  kind: GpxList["kind"] | "table";
  notes?: TableNotes;
}

/**
 * Reads the lists in a file or in pasted text: a table (CSV, tabs, a workbook's first sheet), or the routes,
 * tracks and waypoints of GPX, the route of RTZ and RTZP, the lines and points of KML and GeoJSON. The
 * content decides which format it is, not the name.
 *
 * @throws PointListError that tells the person who chose the file what to do.
 */
export async function readPointFile(content: Uint8Array | string, options: ReadOptions): Promise<ReadList[]> {
  if (content.length > MAX_BYTES) throw new PointListError([tooLarge(MAX_BYTES)]);
  if (typeof content !== "string") {
    if (startsWith(content, [0x50, 0x4b, 3, 4])) return readArchive(content, options);
    const other = otherFormat(content);
    if (other) throw new PointListError([other]);
  }
  const text = typeof content === "string" ? content : decodeText(content, options.languages);
  if (text.includes("\0")) throw new PointListError([{ code: "noText" }]);
  const start = text
    .slice(0, 2000)
    .replace(/^\uFEFF/, "")
    .trimStart();
  const isJson = start.startsWith("{");
  if (!isJson && !start.startsWith("<")) return table(splitRows(text), "line", options);
  if (text.length > MAX_XML_BYTES) throw new PointListError([tooLarge(MAX_XML_BYTES)]);
  if (isJson) return readGeojson(text.replace(/^\uFEFF/, ""));
  const root = rootName(text);
  if (root === "kml") return readKml(text);
  return root === "route" ? readRtz(text) : readGpx(text);
}

/**
 * Name of the first element of an XML document, without its prefix and in lower case; undefined if there is
 * none.
 */
function rootName(text: string): string | undefined {
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    if (text.startsWith("<!--", at)) at = text.indexOf("-->", at);
    else if (text[at + 1] === "?" || text[at + 1] === "!") at = text.indexOf(">", at);
    else return /^<(?:[\w.-]+:)?([\w.-]+)/.exec(text.slice(at, at + 200))?.[1]?.toLowerCase();
    if (at < 0) return undefined;
  }
  return undefined;
}

/** Reads RTZP, an archive with an RTZ file and attachments, or a workbook. */
function readArchive(bytes: Uint8Array, options: ReadOptions): ReadList[] {
  const archive = openArchive(bytes);
  const route = archive.names.find((name) => /\.rtz$/i.test(name));
  if (route === undefined) return table(readSheet(bytes), "row", options);
  return readRtz(archive.text(route)!);
}

function table(rows: readonly Row[], unit: "line" | "row", options: ReadOptions): ReadList[] {
  return [{ kind: "table", name: "", km: 0, timesLeftOut: false, ...readTable(rows, unit, options) }];
}

function otherFormat(bytes: Uint8Array): ListProblem | undefined {
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return { code: "oldExcel" };
  if (startsWith(bytes, [0x25, 0x50, 0x44, 0x46])) return { code: "pdf" };
  if (startsWith(bytes, [0x1f, 0x8b])) return { code: "gzip" };
  return undefined;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function tooLarge(limit: number): ListProblem {
  return { code: "largeFile", megabytes: limit / 1e6 };
}

/** Encodings that spreadsheets used before UTF-8, by the reader's language; elsewhere Windows-1252. */
const LEGACY: Readonly<Record<string, string>> = { ja: "shift_jis", zh: "gb18030" };

/**
 * Decodes the text of a file: by its byte-order mark, otherwise as UTF-8, otherwise in the encoding that
 * spreadsheets of the reader's language used before.
 *
 * @param languages Languages of the reader, BCP 47.
 */
export function decodeText(bytes: Uint8Array, languages: readonly string[] = []): string {
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-16be";
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return new TextDecoder(marked).decode(bytes);
  }
  return (
    decodedAs("utf-8", bytes) ?? legacyText(bytes, languages) ?? new TextDecoder("windows-1252").decode(bytes)
  );
}

function legacyText(bytes: Uint8Array, languages: readonly string[]): string | undefined {
  const [language = ""] = (languages[0] ?? "").toLowerCase().split("-");
  const encoding = LEGACY[language];
  return encoding && decodedAs(encoding, bytes);
}

/** Decodes bytes; undefined if they are not valid in the encoding. */
function decodedAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
