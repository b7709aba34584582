import type { Axis } from "@open-metocean/geo/grid";
import { FILL } from "#lib/catalog/fill.ts";
import { encodeFrame } from "#lib/field/frame.ts";
import { type MapField, MIN_STORED, NULL_ENTRY } from "#lib/field/map-field.ts";
import { parseInstant } from "#lib/time.ts";
import { ascending } from "./netcdf.ts";
import type { Column, Table } from "./table.ts";

const ROWS_A_PIECE = 2048;

const utf8 = new TextEncoder();

/**
 * Writes CSV (RFC 4180): a header of names with their units (`Winds_10m_Intensity [m/s at 80 m]`), CRLF, an
 * empty cell for null. The last column, `notice`, states the source of the numbers in the first row, because
 * CSV has no comments.
 */
export function* csvPieces({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const header = columns.map(headerOf);
  yield utf8.encode(`${[...header, "notice"].map(quoted).join(",")}\r\n`);
  const cells = columns.map((column) => cellOf(column, "", quoted));
  const notice = quoted(`${about.notice}. ${about.provenance}`);
  yield* linesOf(rows, (row) => {
    let line = "";
    for (const cell of cells) line += `${cell(row)},`;
    return `${line}${row === 0 ? notice : ""}\r\n`;
  });
}

/** A name with its unit, and with its height if that differs from the one in the name. */
export function headerOf(column: Column): string {
  const inBrackets = [column.unit, otherHeight(column)].filter(Boolean).join(" ");
  return inBrackets ? `${column.name} [${inBrackets}]` : column.name;
}

/**
 * The height of a column, if it differs from the one in its name: names are those of the wind at 10 m,
 * whatever height was requested.
 */
function otherHeight({ name, height }: Column): string | undefined {
  return height === undefined || name.includes(`_${height}m`) ? undefined : `at ${height} m`;
}

/** Writes one flat JSON object per line, null for missing; the first also has `notice` and `provenance`. */
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

/** @param missing Text for NaN. */
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

/** Consecutive rows mostly have the same instant, whose text is reused. */
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

/** Cache of recently written numbers, by their last bits in hundredths; most numbers are found in it. */
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

const FEATURES_A_PIECE = 1024;
/**
 * Writes a GeoJSON FeatureCollection (RFC 7946) of Points, each with its time and its values as properties,
 * null for missing. The members `notice`, `provenance` and the units of the properties come first.
 */
export function* geojsonPieces({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const [latitude, longitude] = ["latitude", "longitude"].map(
    (name) => columns.find((column) => column.name === name)!,
  );
  const others = columns.filter((column) => column !== latitude && column !== longitude);
  const units = Object.fromEntries(others.flatMap(({ name, unit }) => (unit ? [[name, unit]] : [])));
  const head = JSON.stringify({ type: "FeatureCollection", ...about, units });
  yield utf8.encode(`${head.slice(0, -1)},"features":[`);
  for (let from = 0; from < rows; from += FEATURES_A_PIECE) {
    let text = "";
    for (let row = from; row < Math.min(rows, from + FEATURES_A_PIECE); row++) {
      const properties = Object.fromEntries(
        others.map(({ name, text: written, value }) => [name, written ? written(row) : value(row)]),
      );
      // JSON has no NaN; missing values become null.
      text += `${row === 0 ? "\n" : ",\n"}${JSON.stringify({
        type: "Feature",
        geometry: { type: "Point", coordinates: [longitude!.value(row), latitude!.value(row)] },
        properties,
      })}`;
    }
    yield utf8.encode(text);
  }
  yield utf8.encode("\n]}\n");
}

const LENGTH_BYTES = 4;
const LARGEST = 32_767;

/**
 * Writes a 2D answer as frames of `lib/field/frame.ts`, one per step: four bytes of length (uint32,
 * little-endian), then the frame.
 *
 * Bands are the public fields, rounded to their last decimal: value = stored · scale. If a regional grid
 * leaves a gap in the box, it is filled with missing columns.
 */
export function* fieldFrames(field: MapField): Generator<Uint8Array, void, undefined> {
  const { latitude, times, models = [], outputs } = field;
  if (models.length > 1) throw new RangeError("Frames do not name models");
  const longitude = ascending(field.longitude);
  const across = axisOf(longitude);
  const grid = { latitude: axisOf(latitude), longitude: across };
  const columns = Int32Array.from(longitude, (value) => Math.round((value - across.start) / across.step));
  const bands = outputs.map(({ name, decimals }) => ({ name, scale: 1 / 10 ** decimals, offset: 0 }));
  const nodes = latitude.length * longitude.length;
  for (const [time, timestamp] of times.entries()) {
    const values = outputs.map(({ entries }) => {
      const band = new Int16Array(latitude.length * across.count).fill(FILL);
      for (let row = 0; row < latitude.length; row++)
        for (let column = 0; column < columns.length; column++) {
          const entry = entries[time * nodes + row * columns.length + column]!;
          const stored = entry === NULL_ENTRY ? FILL : entry + MIN_STORED;
          band[row * across.count + columns[column]!] = stored > LARGEST ? FILL : stored;
        }
      return band;
    });
    const frame = encodeFrame(grid, parseInstant(timestamp), bands, values);
    const length = new DataView(new ArrayBuffer(LENGTH_BYTES));
    length.setUint32(0, frame.length, true);
    yield new Uint8Array(length.buffer);
    yield frame;
  }
}

function axisOf(values: Float64Array): Axis {
  let step = Number.POSITIVE_INFINITY;
  for (let i = 1; i < values.length; i++) step = Math.min(step, values[i]! - values[i - 1]!);
  if (values.length < 2) return { start: values[0]!, step: 1, count: 1 };
  const count = Math.round((values.at(-1)! - values[0]!) / step) + 1;
  return { start: values[0]!, step: (values.at(-1)! - values[0]!) / (count - 1), count };
}
