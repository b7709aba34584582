import type { Column, Table } from "./table.ts";

/** Rows per piece. */
const ROWS_A_PIECE = 2048;

const utf8 = new TextEncoder();

/**
 * RFC 4180: a header of names with their units, CRLF, empty for null. The last column, `notice`, says in the first row
 * where the numbers come from, because CSV has no comments.
 */
export function* csvPieces({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const header = columns.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name));
  yield utf8.encode(`${[...header, "notice"].map(quoted).join(",")}\r\n`);
  const cells = columns.map((column) =>
    cellOf(column, (value) => (Number.isNaN(value) ? "" : String(value))),
  );
  const notice = quoted(`${about.notice}. ${about.provenance}`);
  yield* linesOf(rows, (row) => `${cells.map((cell) => cell(row)).join(",")},${row === 0 ? notice : ""}\r\n`);
}

/** One flat JSON object per line, null for missing; the first also has `notice` and `provenance`. */
export function* ndjsonPieces({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const members = columns.map((column) => {
    const cell = cellOf(column, (value) => (Number.isNaN(value) ? "null" : String(value)), JSON.stringify);
    const name = JSON.stringify(column.name);
    return (row: number) => `${name}:${cell(row)}`;
  });
  const first = `,${JSON.stringify(about).slice(1, -1)}`;
  yield* linesOf(
    rows,
    (row) => `{${members.map((member) => member(row)).join(",")}${row === 0 ? first : ""}}\n`,
  );
}

function cellOf(
  { text, value }: Column,
  write: (value: number) => string,
  writeText: (text: string) => string = quoted,
): (row: number) => string {
  return text ? lastRepeated(text, writeText) : (row) => write(value(row) + 0);
}

/** Consecutive rows mostly have the same instant, which is written once. */
function lastRepeated(
  text: (row: number) => string,
  write: (text: string) => string,
): (row: number) => string {
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
