import { UnexpectedReplyError } from "./errors.ts";

/** A column of an Arrow answer. */
export interface ArrowColumn {
  name: string;
  /** Unit and title of a quantity. */
  metadata: Readonly<Record<string, string>>;
  /** Numbers, or Unix seconds for instants; NaN if missing. */
  values: Float64Array<ArrayBuffer>;
}

/** An answer as columns of equal length. */
export interface ArrowTable {
  rows: number;
  /** The columns of numbers and instants. */
  columns: readonly ArrowColumn[];
  /** The columns of texts, by their names, such as `model`: a text for each row. */
  texts: Readonly<Record<string, readonly string[]>>;
  /** Provenance and notice of the answer. */
  metadata: Readonly<Record<string, string>>;
  /** The values of a column. @throws RangeError if there is no column of this name. */
  column(name: string): Float64Array<ArrayBuffer>;
}

type Kind = "float64" | "seconds" | "text";

const CONTINUATION = 0xffff_ffff;
/** Constants from Message.fbs and Schema.fbs of Apache Arrow. */
const messageTypes = { schema: 1, recordBatch: 3 };
const types = { floatingPoint: 3, utf8: 5, timestamp: 10 };
const DOUBLE = 2;
const SECOND = 0;
/** Validity and values; a column of texts has the ends of its texts between them. */
const buffersOf: Readonly<Record<Kind, number>> = { float64: 2, seconds: 2, text: 3 };

/**
 * Reads an Arrow IPC stream as the service writes it: columns of float64, of timestamps in seconds and of texts
 * that are never missing, without nesting, dictionaries or compression.
 *
 * @throws UnexpectedReplyError for any other stream, and for a truncated one.
 */
export function decodeArrow(bytes: Uint8Array): ArrowTable {
  try {
    return decode(bytes);
  } catch (cause) {
    if (cause instanceof UnexpectedReplyError) throw cause;
    throw new UnexpectedReplyError("The Arrow stream is damaged", { cause });
  }
}

function decode(bytes: Uint8Array): ArrowTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let fields: { name: string; metadata: Record<string, string>; kind: Kind }[] | undefined;
  let metadata: Record<string, string> = {};
  const batches: { rows: number; columns: (Float64Array | string[])[] }[] = [];
  let at = 0;
  for (;;) {
    if (at >= bytes.length) throw damaged("it is cut off");
    if (view.getUint32(at, true) === CONTINUATION) at += 4;
    const length = view.getInt32(at, true);
    at += 4;
    if (length === 0) break;
    const message = FlatTable.root(view, at);
    const bodyAt = at + length;
    const header = message.table(2);
    const type = message.uint8(1);
    if (!header) throw damaged("a message has no header");
    if (type === messageTypes.schema) {
      metadata = header.texts(2);
      fields = header.tables(1).map((field) => ({
        name: field.text(0),
        metadata: field.texts(6),
        kind: kindOf(field),
      }));
    } else if (type === messageTypes.recordBatch && fields) {
      if (header.table(3)) throw damaged("it is compressed");
      const rows = header.int64(0);
      const buffers = header.pairs(2);
      if (buffers.length !== fields.reduce((sum, { kind }) => sum + buffersOf[kind], 0))
        throw damaged("it has other buffers than columns");
      const columns = fields.map(({ kind }) => {
        const [validity, first, second] = buffers.splice(0, buffersOf[kind]) as [Buffer, Buffer, Buffer];
        return kind === "text"
          ? textsOf(view, bodyAt, rows, first, second)
          : columnOf(view, bodyAt, rows, kind, validity, first);
      });
      batches.push({ rows, columns });
    } else throw damaged(`it has a message of type ${type}`);
    const bodyBytes = message.int64(3);
    if (length < 0 || bodyBytes < 0) throw damaged("a message has no length");
    at = bodyAt + bodyBytes;
  }
  if (!fields) throw damaged("it has no schema");
  const rows = batches.reduce((sum, batch) => sum + batch.rows, 0);
  const columns: ArrowColumn[] = [];
  const texts: Record<string, string[]> = {};
  for (const [index, { kind, ...field }] of fields.entries()) {
    const parts = batches.map((batch) => batch.columns[index]!);
    if (kind === "text") texts[field.name] = (parts as string[][]).flat();
    else columns.push({ ...field, values: joined(rows, parts as Float64Array[]) });
  }
  return { rows, columns, texts, metadata, column: (name) => columnNamed(columns, name) };
}

type Buffer = readonly [at: number, length: number];

function kindOf(field: FlatTable): Kind {
  const type = field.uint8(2);
  const detail = field.table(3);
  if (type === types.floatingPoint && detail?.int16(0) === DOUBLE) return "float64";
  if (type === types.timestamp && (detail?.int16(0) ?? SECOND) === SECOND) return "seconds";
  if (type === types.utf8) return "text";
  throw damaged(`column ${field.text(0)} is neither float64, timestamps in seconds nor texts`);
}

function textsOf(
  view: DataView,
  bodyAt: number,
  rows: number,
  [endsAt, endsBytes]: Buffer,
  [textAt, textBytes]: Buffer,
): string[] {
  if (rows > 0 && endsBytes < 4 * (rows + 1)) throw damaged("a buffer is too short");
  const place = (row: number) => view.getInt32(bodyAt + endsAt + 4 * row, true);
  const decoder = new TextDecoder();
  return Array.from({ length: rows }, (_, row) => {
    const [from, to] = [place(row), place(row + 1)];
    if (from < 0 || to < from || to > textBytes) throw damaged("a text lies outside its column");
    return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + bodyAt + textAt + from, to - from));
  });
}

function columnOf(
  view: DataView,
  bodyAt: number,
  rows: number,
  kind: Exclude<Kind, "text">,
  [validityAt, validityBytes]: Buffer,
  [valuesAt, valuesBytes]: Buffer,
): Float64Array {
  if (valuesBytes < 8 * rows || (validityBytes > 0 && validityBytes < Math.ceil(rows / 8)))
    throw damaged("a buffer is too short");
  const start = view.byteOffset + bodyAt + valuesAt;
  if (start + 8 * rows > view.byteOffset + view.byteLength) throw damaged("it is cut off");
  // The copy has the alignment that typed arrays require.
  const copy = view.buffer.slice(start, start + 8 * rows) as ArrayBuffer;
  const values =
    kind === "float64" ? new Float64Array(copy) : Float64Array.from(new BigInt64Array(copy), Number);
  for (let row = 0; validityBytes > 0 && row < rows; row++) {
    const isValid = (view.getUint8(bodyAt + validityAt + (row >> 3)) >> (row & 7)) & 1;
    if (!isValid) values[row] = Number.NaN;
  }
  return values;
}

function joined(rows: number, parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(rows);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function columnNamed(columns: readonly ArrowColumn[], name: string): Float64Array<ArrayBuffer> {
  const found = columns.find((column) => column.name === name);
  if (found) return found.values;
  throw new RangeError(
    `There is no column ${name}; there are ${columns.map((column) => column.name).join(", ")}`,
  );
}

const damaged = (why: string) => new UnexpectedReplyError(`The Arrow stream cannot be read: ${why}`);

/**
 * A FlatBuffer table, the format of Arrow metadata. Fields are numbered by their position in the schema; an
 * absent field has its default, 0 or nothing.
 *
 * All offsets are read through a DataView, which throws RangeError out of bounds.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #fields: number;
  readonly #fieldsEnd: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#fields = at - view.getInt32(at, true);
    this.#fieldsEnd = view.getUint16(this.#fields, true);
  }

  /** The root table of a buffer. */
  static root(view: DataView, at: number): FlatTable {
    return new FlatTable(view, at + view.getUint32(at, true));
  }

  /** Offset of a field; undefined if it is absent. */
  #place(field: number): number | undefined {
    const slot = 4 + 2 * field;
    const offset = slot < this.#fieldsEnd ? this.#view.getUint16(this.#fields + slot, true) : 0;
    return offset === 0 ? undefined : this.#at + offset;
  }

  uint8(field: number): number {
    const at = this.#place(field);
    return at === undefined ? 0 : this.#view.getUint8(at);
  }

  int16(field: number): number {
    const at = this.#place(field);
    return at === undefined ? 0 : this.#view.getInt16(at, true);
  }

  /** A number below 2⁵³. */
  int64(field: number): number {
    const at = this.#place(field);
    return at === undefined ? 0 : Number(this.#view.getBigInt64(at, true));
  }

  table(field: number): FlatTable | undefined {
    const at = this.#place(field);
    return at === undefined ? undefined : FlatTable.root(this.#view, at);
  }

  tables(field: number): FlatTable[] {
    return this.#entries(field, 4).map((at) => FlatTable.root(this.#view, at));
  }

  text(field: number): string {
    const at = this.#place(field);
    if (at === undefined) return "";
    const start = at + this.#view.getUint32(at, true);
    const length = this.#view.getUint32(start, true);
    const { buffer, byteOffset } = this.#view;
    return new TextDecoder().decode(new Uint8Array(buffer, byteOffset + start + 4, length));
  }

  /** Reads a list of key/value tables. */
  texts(field: number): Record<string, string> {
    return Object.fromEntries(this.tables(field).map((entry) => [entry.text(0), entry.text(1)]));
  }

  /** Reads a list of structs of two 64-bit numbers. */
  pairs(field: number): (readonly [number, number])[] {
    const number = (at: number) => Number(this.#view.getBigInt64(at, true));
    return this.#entries(field, 16).map((at) => [number(at), number(at + 8)] as const);
  }

  /** Offsets of the entries of a list. */
  #entries(field: number, bytes: number): number[] {
    const at = this.#place(field);
    if (at === undefined) return [];
    const start = at + this.#view.getUint32(at, true);
    const count = this.#view.getUint32(start, true);
    if (start + 4 + count * bytes > this.#view.byteLength)
      throw new RangeError("A list ends outside the message");
    return Array.from({ length: count }, (_, index) => start + 4 + bytes * index);
  }
}
