import { escapeMarkup } from "#lib/markup.ts";
import { DAY_S } from "#lib/time.ts";
import type { Column, Table } from "./table.ts";
import { headerOf } from "./text.ts";

/** Rows of a sheet, its header among them. */
const MAX_ROWS = 1_048_576;

/** 1970-01-01 in days of a workbook. */
const EPOCH_DAYS = 25_569;

/** Rows per piece of text. */
const ROWS_A_PIECE = 1024;

const utf8 = new TextEncoder();

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * A workbook (ECMA-376, Office Open XML): the sheet Data with a header of names and units, times as dates in UTC, missing values
 * empty; and the sheet About with notice and provenance.
 *
 * @throws RangeError for more rows than a sheet has.
 */
export async function* xlsxPieces(table: Table): AsyncGenerator<Uint8Array, void, undefined> {
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

/** Sizes of a file in an archive are written before its bytes: compressed, a whole file is in memory. */
async function* zipPieces(
  files: readonly (readonly [name: string, text: Iterable<string>])[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, text] of files) {
    const packed = await deflated(text);
    const title = utf8.encode(name);
    // Version 2.0, deflate, 1980-01-01: a file depends on its numbers alone.
    const common = [
      [2, 20],
      [2, 0],
      [2, 8],
      [2, 0],
      [2, 0x21],
      [4, packed.crc],
      [4, packed.length],
      [4, packed.plainLength],
      [2, title.length],
      [2, 0],
    ] as const;
    const head = joined(record([[4, 0x04034b50], ...common]), title);
    directory.push(
      joined(
        record([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]),
        title,
      ),
    );
    yield head;
    yield* packed.parts;
    offset += head.length + packed.length;
  }
  yield* directory;
  const length = directory.reduce((sum, entry) => sum + entry.length, 0);
  yield record([
    [4, 0x06054b50],
    [4, 0],
    [2, files.length],
    [2, files.length],
    [4, length],
    [4, offset],
    [2, 0],
  ]);
}

/** Little-endian numbers of 2 or 4 bytes. */
function record(fields: readonly (readonly [bytes: number, value: number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

async function deflated(text: Iterable<string>) {
  let [crc, plainLength] = [0xffffffff, 0];
  const pieces = text[Symbol.iterator]();
  const plain = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done) return controller.close();
      const bytes = utf8.encode(value);
      for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 0xff]!;
      plainLength += bytes.length;
      controller.enqueue(bytes);
    },
  });
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of plain.pipeThrough(new CompressionStream("deflate-raw"))) {
    parts.push(part);
    length += part.length;
  }
  return { parts, length, plainLength, crc: ~crc >>> 0 };
}

/** CRC-32 of each byte (ISO 3309), reflected. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
