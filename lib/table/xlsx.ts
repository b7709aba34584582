import { strToU8, Zip, ZipDeflate } from "fflate";
import { escapeMarkup } from "#lib/markup.ts";
import { DAY_S } from "#lib/time.ts";
import type { Column, Table } from "./table.ts";
import { headerOf } from "./text.ts";

/** Most rows of a sheet, including its header. */
const MAX_ROWS = 1_048_576;

/** 1970-01-01 as a day number of workbooks. */
const EPOCH_DAYS = 25_569;

/** Rows per piece of text. */
const ROWS_A_PIECE = 1024;

const FIRST_DAY = new Date(1980, 0, 1);

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * Writes a workbook (ECMA-376, Office Open XML): the sheet Data with a header of names and units, times as
 * dates in UTC, missing values empty; and the sheet About with notice and provenance.
 *
 * @throws RangeError if there are more rows than a sheet can have.
 */
export function* xlsxPieces(table: Table): Generator<Uint8Array, void, undefined> {
  if (table.rows >= MAX_ROWS) throw new RangeError(`A sheet has at most ${MAX_ROWS} rows`);
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const part = (name: string, kind: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${type}.${kind}+xml"/>`;
  const link = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
  const links = (inside: string) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${inside}</Relationships>`;
  const files: [name: string, text: Iterable<string>][] = [
    [
      "[Content_Types].xml",
      [
        `${HEAD}<Types xmlns="${PACKAGE}/content-types">`,
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        part("workbook", "sheet.main"),
        part("styles", "styles"),
        part("worksheets/sheet1", "worksheet"),
        part("worksheets/sheet2", "worksheet"),
        "</Types>",
      ],
    ],
    ["_rels/.rels", [links(link(1, "officeDocument", "xl/workbook.xml"))]],
    [
      "xl/_rels/workbook.xml.rels",
      [
        links(
          link(1, "worksheet", "worksheets/sheet1.xml") +
            link(2, "worksheet", "worksheets/sheet2.xml") +
            link(3, "styles", "styles.xml"),
        ),
      ],
    ],
    [
      "xl/workbook.xml",
      [
        `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>`,
        '<sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" r:id="rId2"/></sheets></workbook>',
      ],
    ],
    [
      "xl/styles.xml",
      [
        `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>`,
        "<fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs>",
        '<cellXfs><xf/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>',
      ],
    ],
    ["xl/worksheets/sheet1.xml", dataSheet(table)],
    [
      "xl/worksheets/sheet2.xml",
      sheet([[table.about.notice], [table.about.provenance]].map((row) => rowOf(row.map(textCell)))),
    ],
  ];
  yield* zipPieces(files);
}

function* sheet(rows: Iterable<string>): Generator<string> {
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`;
  yield* rows;
  yield "</sheetData></worksheet>";
}

const rowOf = (cells: readonly string[]) => `<row>${cells.join("")}</row>`;
const textCell = (text: string) => `<c t="inlineStr"><is><t>${escapeMarkup(text)}</t></is></c>`;

function* dataSheet({ rows, columns }: Table): Generator<string> {
  const titles = columns.map((column) =>
    textCell(column.kind === "instant" ? `${column.name} [UTC]` : headerOf(column)),
  );
  const cells = columns.map(cellOf);
  function* lines() {
    yield rowOf(titles);
    for (let from = 0; from < rows; from += ROWS_A_PIECE) {
      let text = "";
      for (let row = from; row < Math.min(rows, from + ROWS_A_PIECE); row++) {
        text += "<row>";
        for (const cell of cells) text += cell(row);
        text += "</row>";
      }
      yield text;
    }
  }
  yield* sheet(lines());
}

function cellOf({ kind, value, text }: Column): (row: number) => string {
  if (kind === "text") return (row) => textCell(text!(row));
  if (kind === "instant") return (row) => `<c s="1"><v>${value(row) / DAY_S + EPOCH_DAYS}</v></c>`;
  return (row) => {
    const number = value(row);
    return Number.isNaN(number) ? "<c/>" : `<c><v>${number}</v></c>`;
  };
}

/**
 * Files are dated 1 January 1980, the earliest date of the ZIP format, so that the archive depends on its
 * content only.
 */
function* zipPieces(
  files: readonly (readonly [name: string, text: Iterable<string>])[],
): Generator<Uint8Array, void, undefined> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    ready.push(piece);
  });
  for (const [name, text] of files) {
    const file = new ZipDeflate(name);
    file.mtime = FIRST_DAY;
    zip.add(file);
    for (const piece of text) {
      file.push(strToU8(piece));
      yield* ready.splice(0);
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  yield* ready;
}
