import { type UnzipFileFilter, type Unzipped, unzipSync } from "fflate";
import { readDecimal } from "#lib/decimal.ts";
import { PointListError } from "./list-problem.ts";
import type { Row } from "./read-table.ts";
import { xmlText } from "./route-files.ts";

const MAX_COLUMNS = 500;
const MAX_ROWS = 1_048_576;

/** Built-in number formats of workbooks that are dates. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, 27, 30, 36, 50, 57]);

/**
 * Reads the first visible sheet of a workbook (.xlsx), every cell as text: dates as `2026-09-14T12:00:00`,
 * times of day as a fraction of a day, formulas by their stored results, or as they are written if the
 * program stored none.
 *
 * @throws PointListError for a file that is not such a workbook, is damaged or very large.
 */
export function readSheet(bytes: Uint8Array): Row[] {
  const archive = openArchive(bytes);
  const workbook = archive.text("xl/workbook.xml");
  if (workbook === undefined) {
    const isOpenDocument = archive.names.includes("content.xml");
    throw new PointListError([{ code: isOpenDocument ? "openDocument" : "noWorkbook" }]);
  }
  const links = archive.text("xl/_rels/workbook.xml.rels") ?? "";
  const sheet = archive.text(sheetPath(workbook, links));
  if (sheet === undefined) throw new PointListError([{ code: "noSheet" }]);
  const [strings, styles] = [archive.text("xl/sharedStrings.xml"), archive.text("xl/styles.xml")];
  const since1904 = /<workbookPr[^>]*\bdate1904="(?:1|true)"/.test(workbook);
  return rowsOf(sheet, sharedStrings(strings ?? ""), dateStyles(styles ?? ""), since1904 ? 1462 : 0);
}

function sheetPath(workbook: string, links: string): string {
  const sheets = [...elements(workbook, "sheet")].map(([attributes]) => attributes);
  const first = sheets.find((sheet) => /^(?:visible)?$/.test(attribute(sheet, "state") ?? "")) ?? sheets[0];
  const id = first && attribute(first, "r:id");
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

/** Text of a string with all its runs, without phonetic readings of Japanese words (`rPh`). */
function stringOf(inside: string): string {
  let plain = inside;
  for (const [attributes, reading] of elements(inside, "rPh")) {
    plain = plain.replace(`<rPh${attributes}>${reading}</rPh>`, "");
  }
  return [...elements(plain, "t")].map(([, text]) => xmlText(text)).join("");
}

/** Cell styles whose numbers are dates. */
function dateStyles(xml: string): ReadonlySet<number> {
  const named = new Map<number, string>();
  for (const [format] of elements(xml, "numFmt")) {
    named.set(Number(attribute(format, "numFmtId")), attribute(format, "formatCode") ?? "");
  }
  const isDate = (id: number) => {
    // Colours, conditions and quoted words are not letters of the format.
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

/** Column of a cell reference, from 0: `B7` gives 1. */
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
  const [formula] = elements(content, "f");
  // A formula without a result is returned as text, so that its row is reported and not treated as empty.
  if (formula && !stored) return `=${xmlText(formula[1])}`;
  const value = xmlText(stored?.[1] ?? "");
  if (kind === "s") return strings[readDecimal(value)] ?? "";
  if (kind === "e") return "";
  const isNumber = kind === undefined || kind === "n";
  const days = readDecimal(value) + shift;
  // Numbers of days before 1954 are times of day, or not dates of a passage.
  if (isNumber && dates.has(Number(attribute(head, "s"))) && days >= 20_000 && days < 80_000) {
    return new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString().slice(0, 19);
  }
  // Rounding turns 48.500000000000004, a binary artefact, into 48.5.
  return isNumber && /^-?\d+\.\d{9,}$/.test(value) ? String(Number(Number(value).toFixed(9))) : value;
}

/**
 * Iterates over elements of one name that are not nested in each other: their attributes as written, and
 * their content, in one pass.
 *
 * @throws PointListError if an element does not end.
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
    if (end < 0) throw damaged();
    if (xml[end - 1] === "/") {
      yield [xml.slice(after, end - 1), ""];
      at = xml.indexOf(start, end);
      continue;
    }
    const last = xml.indexOf(close, end);
    if (last < 0) throw damaged();
    yield [xml.slice(after, end), xml.slice(end + 1, last)];
    at = xml.indexOf(start, last);
  }
}

/** The value of an attribute as written; undefined if it is absent. */
function attribute(attributes: string, name: string): string | undefined {
  const value = ` ${attributes.replaceAll(/\s/g, " ")}`.split(` ${name}="`)[1];
  return value?.slice(0, value.indexOf('"'));
}

/** Most bytes to which all files read from one archive may inflate. */
const MAX_INFLATED = 96_000_000;
const MAX_ENTRIES = 5000;

/** The files of a ZIP archive. Each is inflated when it is read, within one limit for all. */
interface Archive {
  names: readonly string[];
  /** UTF-8 text of a file; undefined if there is no file of that name. */
  text(name: string): string | undefined;
}

/** @throws PointListError if the archive is damaged or would inflate to too much. */
export function openArchive(bytes: Uint8Array): Archive {
  const names: string[] = [];
  unzipped(bytes, ({ name }) => {
    // The number of entries that an archive states is not limited by its size.
    if (names.push(name) > MAX_ENTRIES) throw tooLarge();
    return false;
  });
  let left = MAX_INFLATED;
  return {
    names,
    text(wanted) {
      const { [wanted]: content } = unzipped(bytes, ({ name, originalSize }) => {
        if (name !== wanted) return false;
        left -= originalSize;
        if (left < 0) throw tooLarge();
        return true;
      });
      return content && new TextDecoder().decode(content);
    },
  };
}

function unzipped(bytes: Uint8Array, filter: UnzipFileFilter): Unzipped {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw error instanceof PointListError ? error : damaged();
  }
}

function damaged(): PointListError {
  return new PointListError([{ code: "damaged" }]);
}

function tooLarge(): PointListError {
  return new PointListError([{ code: "largeWorkbook" }]);
}
