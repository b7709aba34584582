import { UnexpectedReplyError } from "./errors.ts";
import { FlatTable } from "./flat-table.ts";

/** A column of an Arrow answer. */
export interface ArrowColumn {
  name: string;
  /** Unit and title of a quantity. */
  metadata: Readonly<Record<string, string>>;
  /** Numbers, or Unix seconds of instants; NaN where there is none. */
  values: Float64Array<ArrayBuffer>;
}

/** An answer as columns of equal length. */
export interface ArrowTable {
  rows: number;
  columns: readonly ArrowColumn[];
  /** Provenance and notice of the answer. */
  metadata: Readonly<Record<string, string>>;
  /** The values of a column. @throws RangeError where there is none of this name. */
  column(name: string): Float64Array<ArrayBuffer>;
}

type Kind = "float64" | "seconds";

const CONTINUATION = 0xffff_ffff;
/** Numbers of Message.fbs and Schema.fbs of Apache Arrow. */
const messageTypes = { schema: 1, recordBatch: 3 };
const types = { floatingPoint: 3, timestamp: 10 };
const DOUBLE = 2;
const SECOND = 0;
const BUFFERS_OF_COLUMN = 2;

/**
 * Reads an Arrow IPC stream as the service writes it: columns of float64 and of timestamps in seconds, neither nested, nor in
 * dictionaries, nor compressed.
 *
 * @throws UnexpectedReplyError for any other stream, and one that is cut off.
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
  const batches: { rows: number; columns: Float64Array[] }[] = [];
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
      if (buffers.length !== BUFFERS_OF_COLUMN * fields.length)
        throw damaged("it has other buffers than columns");
      const columns = fields.map(({ kind }, index) => {
        const [validity, values] = buffers.slice(BUFFERS_OF_COLUMN * index) as [Buffer, Buffer];
        return columnOf(view, bodyAt, rows, kind, validity, values);
      });
      batches.push({ rows, columns });
    } else throw damaged(`it has a message of type ${type}`);
    const bodyBytes = message.int64(3);
    if (length < 0 || bodyBytes < 0) throw damaged("a message has no length");
    at = bodyAt + bodyBytes;
  }
  if (!fields) throw damaged("it has no schema");
  const rows = batches.reduce((sum, batch) => sum + batch.rows, 0);
  const columns = fields.map(({ kind: _kind, ...field }, index) => ({
    ...field,
    values: joined(
      rows,
      batches.map((batch) => batch.columns[index]!),
    ),
  }));
  return { rows, columns, metadata, column: (name) => columnNamed(columns, name) };
}

type Buffer = readonly [at: number, length: number];

function kindOf(field: FlatTable): Kind {
  const type = field.uint8(2);
  const detail = field.table(3);
  if (type === types.floatingPoint && detail?.int16(0) === DOUBLE) return "float64";
  if (type === types.timestamp && (detail?.int16(0) ?? SECOND) === SECOND) return "seconds";
  throw damaged(`column ${field.text(0)} is neither float64 nor timestamps in seconds`);
}

function columnOf(
  view: DataView,
  bodyAt: number,
  rows: number,
  kind: Kind,
  [validityAt, validityBytes]: Buffer,
  [valuesAt, valuesBytes]: Buffer,
): Float64Array {
  if (valuesBytes < 8 * rows || (validityBytes > 0 && validityBytes < Math.ceil(rows / 8)))
    throw damaged("a buffer is too short");
  const start = view.byteOffset + bodyAt + valuesAt;
  if (start + 8 * rows > view.byteOffset + view.byteLength) throw damaged("it is cut off");
  // A copy begins where typed arrays may begin.
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
