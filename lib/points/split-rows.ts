import { PointListError } from "./list-problem.ts";

/** One row of a table, and the line or row of the file that it begins in, from 1. */
export interface Row {
  line: number;
  cells: readonly string[];
}

/** More cells are not a list of points, and would only take memory. */
const MAX_CELLS = 500;

/** Most characters of one quoted cell: beyond it a quote was not closed. */
const MAX_CELL = 20_000;

/**
 * Rows of a text of cells: empty lines and comments (`#`, `//`) are left out. Cells may be quoted; a quote within a cell is
 * a sign like any other, because seconds are written so.
 *
 * @throws PointListError where a quote is not closed, or a line has very many cells.
 */
export function splitRows(text: string): Row[] {
  const rows: Row[] = [];
  let separator: string | undefined;
  let line = 1;
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; ) {
    const end = lineEnd(text, at);
    const first = text.slice(at, Math.min(end, at + 200)).trimStart();
    const stated = rows.length === 0 ? /^sep=(.)\s*$/i.exec(text.slice(at, end)) : null;
    if (stated) separator = stated[1];
    if (stated || first === "" || first.startsWith("#") || first.startsWith("//")) {
      at = afterEnd(text, end);
      line++;
      continue;
    }
    separator ??= separatorOf(text.slice(at, end));
    const row = readRow(text, at, separator, line);
    rows.push({ line, cells: row.cells });
    line += row.lines;
    at = row.next;
  }
  return rows;
}

/** Semicolons and tabs stand in no number; a comma may. */
function separatorOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  return ["\t", ";", "|", ","].find((sign) => bare.includes(sign)) ?? ",";
}

function readRow(text: string, start: number, separator: string, line: number) {
  const cells: string[] = [];
  let lines = 1;
  let at = start;
  for (;;) {
    if (cells.length === MAX_CELLS) throw new PointListError([{ code: "manyCells", line, most: MAX_CELLS }]);
    while (text[at] === " ") at++;
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1, line);
      cells.push(quoted.cell.trim());
      lines += quoted.lines;
      at = quoted.next;
      while (at < text.length && text[at] !== separator && !isEnd(text[at])) at++;
    } else {
      const from = at;
      while (at < text.length && text[at] !== separator && !isEnd(text[at])) at++;
      cells.push(text.slice(from, at).trim());
    }
    if (text[at] !== separator) break;
    at++;
  }
  return { cells, lines, next: afterEnd(text, at) };
}

function readQuoted(text: string, start: number, line: number) {
  let cell = "";
  let from = start;
  for (;;) {
    const close = text.indexOf('"', from);
    if (close < 0 || close - start > MAX_CELL) throw new PointListError([{ code: "openQuote", line }]);
    cell += text.slice(from, close);
    if (text[close + 1] !== '"') {
      return { cell, next: close + 1, lines: cell.split(/\r\n|\r|\n/).length - 1 };
    }
    cell += '"';
    from = close + 2;
  }
}

function isEnd(sign: string | undefined): boolean {
  return sign === "\n" || sign === "\r";
}

function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isEnd(text[at])) at++;
  return at;
}

function afterEnd(text: string, end: number): number {
  return end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
}
