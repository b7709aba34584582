import { readDecimal } from "#lib/decimal.ts";
import { PointListError } from "./list-problem.ts";
import type { Row } from "./read-table.ts";
import { xmlText } from "./route-files.ts";

const MAX_COLUMNS = 500;
const MAX_ROWS = 1_048_576;

/** Cells of a date in formats that every workbook has without naming them. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, 27, 30, 36, 50, 57]);

/**
 * Rows of the first sheet of a workbook (.xlsx), every cell as text: dates as `2026-09-14T12:00:00`, times of day as a part
 * of a day, formulas by their stored results.
 *
 * @throws PointListError for a file that is not such a workbook, is damaged or very large.
 */
export async function readSheet(bytes: Uint8Array): Promise<Row[]> {
  const archive = openArchive(bytes);
  const workbook = await archive.text("xl/workbook.xml");
  if (workbook === undefined) {
    const isOpenDocument = archive.names.includes("content.xml");
    throw new PointListError([{ code: isOpenDocument ? "openDocument" : "noWorkbook" }]);
  }
  const links = (await archive.text("xl/_rels/workbook.xml.rels")) ?? "";
  const sheet = await archive.text(sheetPath(workbook, links));
  if (sheet === undefined) throw new PointListError([{ code: "noSheet" }]);
  const [strings, styles] = [await archive.text("xl/sharedStrings.xml"), await archive.text("xl/styles.xml")];
  const since1904 = /<workbookPr[^>]*\bdate1904="(?:1|true)"/.test(workbook);
  return rowsOf(sheet, sharedStrings(strings ?? ""), dateStyles(styles ?? ""), since1904 ? 1462 : 0);
}

function sheetPath(workbook: string, links: string): string {
  const [first] = elements(workbook, "sheet");
  const id = first && attribute(first[0], "r:id");
  for (const [link] of elements(links, "Relationship")) {
    if (attribute(link, "Id") !== id) continue;
    const target = attribute(link, "Target") ?? "";
    return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
  }
  return "xl/worksheets/sheet1.xml";
}

function sharedStrings(xml: string): string[] {
  return [...elements(xml, "si")].map(([, inside]) => stringOf(inside));
}

/** Text of a string with its runs; readings of Japanese words (`rPh`) are left out. */
function stringOf(inside: string): string {
  let plain = inside;
  for (const [attributes, reading] of elements(inside, "rPh")) {
    plain = plain.replace(`<rPh${attributes}>${reading}</rPh>`, "");
  }
  return [...elements(plain, "t")].map(([, text]) => xmlText(text)).join("");
}

/** Styles of cells whose numbers are dates. */
function dateStyles(xml: string): ReadonlySet<number> {
  const named = new Map<number, string>();
  for (const [format] of elements(xml, "numFmt")) {
    named.set(Number(attribute(format, "numFmtId")), attribute(format, "formatCode") ?? "");
  }
  const isDate = (id: number) => {
    // Colours, conditions and quoted words are no letters of a format.
    const code = named.get(id)?.replace(/\[[^\]]*\]|"[^"]*"|&quot;.*?&quot;|\\./g, "");
    return code === undefined ? DATE_FORMATS.has(id) : /[yd年日]/i.test(code);
  };
  const [formats] = elements(xml, "cellXfs");
  const dates = [...elements(formats?.[1] ?? "", "xf")].map(([style]) =>
    isDate(Number(attribute(style, "numFmtId"))),
  );
  return new Set(dates.flatMap((date, index) => (date ? [index] : [])));
}

function rowsOf(xml: string, strings: readonly string[], dates: ReadonlySet<number>, shift: number): Row[] {
  const rows: Row[] = [];
  let line = 0;
  for (const [tag, inside] of elements(xml, "row")) {
    const stated = Number(attribute(tag, "r") ?? Number.NaN);
    line = stated > line && stated <= MAX_ROWS ? stated : line + 1;
    const cells: string[] = [];
    for (const [head, content] of elements(inside, "c")) {
      const column = columnOf(attribute(head, "r")) ?? cells.length;
      if (column >= MAX_COLUMNS) continue;
      while (cells.length < column) cells.push("");
      cells[column] = cellText(head, content, strings, dates, shift).trim();
    }
    const [first = ""] = cells;
    if (cells.some((cell) => cell !== "") && !first.startsWith("#")) rows.push({ line, cells });
  }
  return rows;
}

/** `B7` → 1. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  return letters === undefined
    ? undefined
    : [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellText(
  head: string,
  content: string,
  strings: readonly string[],
  dates: ReadonlySet<number>,
  shift: number,
): string {
  const kind = attribute(head, "t");
  if (kind === "inlineStr") return stringOf(content);
  const [stored] = elements(content, "v");
  const value = xmlText(stored?.[1] ?? "");
  if (kind === "s") return strings[readDecimal(value)] ?? "";
  if (kind === "e") return "";
  const isNumber = kind === undefined || kind === "n";
  const days = readDecimal(value) + shift;
  // Before 1954 it is a time of day or no date of a passage.
  if (isNumber && dates.has(Number(attribute(head, "s"))) && days >= 20_000 && days < 80_000) {
    return new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString().slice(0, 19);
  }
  // 48.500000000000004 is what binary numbers make of 48.5.
  return isNumber && /^-?\d+\.\d{9,}$/.test(value) ? String(Number(Number(value).toFixed(9))) : value;
}

/**
 * Elements of one name, which are not nested in each other: their attributes as written, and what they contain. One pass.
 *
 * @throws PointListError for an element that does not end.
 */
export function* elements(
  xml: string,
  name: string,
): Generator<readonly [attributes: string, inside: string]> {
  const [start, close] = [`<${name}`, `</${name}>`];
  for (let at = xml.indexOf(start); at >= 0; ) {
    const after = at + start.length;
    const next = xml[after] ?? "";
    if (!/[\s/>]/.test(next)) {
      at = xml.indexOf(start, after);
      continue;
    }
    const end = xml.indexOf(">", after);
    if (end < 0) throw unended();
    if (xml[end - 1] === "/") {
      yield [xml.slice(after, end - 1), ""];
      at = xml.indexOf(start, end);
      continue;
    }
    const last = xml.indexOf(close, end);
    if (last < 0) throw unended();
    yield [xml.slice(after, end), xml.slice(end + 1, last)];
    at = xml.indexOf(start, last);
  }
}

const patterns = new Map<string, RegExp>();

/** The value of an attribute as written; undefined where there is none. */
function attribute(attributes: string, name: string): string | undefined {
  let pattern = patterns.get(name);
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)${name}="([^"]*)"`);
    patterns.set(name, pattern);
  }
  return pattern.exec(attributes)?.[1];
}

function unended(): PointListError {
  return new PointListError([{ code: "damaged" }]);
}

/** Most bytes that all files of one archive may inflate to. */
const MAX_INFLATED = 96_000_000;
const MAX_ENTRIES = 5000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;

/** Files of a ZIP archive, inflated one by one when they are asked for, within one limit for all. */
interface Archive {
  names: readonly string[];
  /** UTF-8 text of a file; undefined where there is none of that name. */
  text(name: string): Promise<string | undefined>;
}

interface Entry {
  method: number;
  /** Compressed bytes. */
  size: number;
  at: number;
}

/** @throws PointListError for a damaged archive, and one that would inflate to very much. */
export function openArchive(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readDirectory(bytes, view);
  let left = MAX_INFLATED;
  return {
    names: [...entries.keys()],
    async text(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const content = contentOf(bytes, view, entry);
      const inflated = entry.method === 0 ? content : await inflate(content, left);
      left -= inflated.length;
      if (left < 0) throw tooLarge();
      return new TextDecoder().decode(inflated);
    },
  };
}

function readDirectory(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  // The end record has a comment of at most 65,535 bytes behind it.
  const lowest = Math.max(0, bytes.length - 22 - 65_535);
  let end = bytes.length - 22;
  while (end >= lowest && view.getUint32(end, true) !== END_OF_DIRECTORY) end--;
  if (end < lowest || end < 0) throw damaged();
  const count = view.getUint16(end + 10, true);
  if (count > MAX_ENTRIES) throw tooLarge();
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw damaged();
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    entries.set(name, {
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function contentOf(bytes: Uint8Array, view: DataView, { at, size, method }: Entry): Uint8Array {
  if (at + 30 > bytes.length || view.getUint32(at, true) !== LOCAL_HEADER) throw damaged();
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (start + size > bytes.length || (method !== 0 && method !== 8)) throw damaged();
  return bytes.subarray(start, start + size);
}

async function inflate(content: Uint8Array, limit: number): Promise<Uint8Array> {
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  // Its failure is that of the reader below.
  writer
    .write(new Uint8Array(content))
    .then(() => writer.close())
    .catch(() => undefined);
  const reader = stream.readable.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > limit) throw tooLarge();
      parts.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error instanceof PointListError ? error : damaged();
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function damaged(): PointListError {
  return new PointListError([{ code: "damaged" }]);
}

function tooLarge(): PointListError {
  return new PointListError([{ code: "largeWorkbook" }]);
}
