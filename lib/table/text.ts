import type { Column, Table } from "./table.ts";

/** Rows per piece. */
const ROWS_A_PIECE = 2048;

const utf8 = new TextEncoder();

/**
 * RFC 4180: a header of names with their units (`Winds_10m_Intensity [m/s at 80 m]`), CRLF, empty for null. The last column, `notice`, says in the first row
 * where the numbers come from, because CSV has no comments.
 */
export function* csvPieces({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const header = columns.map((column) => {
    const inBrackets = [column.unit, otherHeight(column)].filter(Boolean).join(" ");
    return inBrackets ? `${column.name} [${inBrackets}]` : column.name;
  });
  yield utf8.encode(`${[...header, "notice"].map(quoted).join(",")}\r\n`);
  const cells = columns.map((column) => cellOf(column, "", quoted));
  const notice = quoted(`${about.notice}. ${about.provenance}`);
  yield* linesOf(rows, (row) => {
    let line = "";
    for (const cell of cells) line += `${cell(row)},`;
    return `${line}${row === 0 ? notice : ""}\r\n`;
  });
}

/** The height of a column whose name says another: names are those of the wind at 10 m, whatever was asked for. */
function otherHeight({ name, height }: Column): string | undefined {
  return height === undefined || name.includes(`_${height}m`) ? undefined : `at ${height} m`;
}

/** One flat JSON object per line, null for missing; the first also has `notice` and `provenance`. */
export function* ndjsonPieces({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const members = columns.map((column, index) => ({
    name: `${index === 0 ? "{" : ","}${JSON.stringify(column.name)}:`,
    cell: cellOf(column, "null", JSON.stringify),
  }));
  const first = `,${JSON.stringify(about).slice(1, -1)}`;
  yield* linesOf(rows, (row) => {
    let line = "";
    for (const { name, cell } of members) line += name + cell(row);
    return `${line}${row === 0 ? first : ""}}\n`;
  });
}

/** @param missing How NaN is written. */
function cellOf(
  { text, value }: Column,
  missing: string,
  writeText: (text: string) => string,
): (row: number) => string {
  if (text) return textCell(text, writeText);
  return (row) => {
    const number = value(row);
    return Number.isNaN(number) ? missing : textOf(number);
  };
}

/** Consecutive rows mostly have the same instant, which is written once. */
function textCell(text: (row: number) => string, write: (text: string) => string): (row: number) => string {
  let last: string | undefined;
  let written = "";
  return (row) => {
    const now = text(row);
    if (now !== last) {
      written = write(now);
      last = now;
    }
    return written;
  };
}

/** Numbers that were written before, by their last bits in hundredths: few are not among them. */
const CACHED = 2 ** 14;
const cachedNumbers = new Float64Array(CACHED).fill(Number.NaN);
const cachedTexts: string[] = new Array(CACHED).fill("");

/** The shortest text of a number, without −0. */
function textOf(value: number): string {
  const at = (value * 100) & (CACHED - 1);
  if (cachedNumbers[at] === value) return cachedTexts[at]!;
  cachedNumbers[at] = value;
  cachedTexts[at] = String(value);
  return cachedTexts[at];
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function* linesOf(rows: number, line: (row: number) => string): Generator<Uint8Array, void, undefined> {
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    let text = "";
    for (let row = from; row < Math.min(rows, from + ROWS_A_PIECE); row++) text += line(row);
    yield utf8.encode(text);
  }
}
