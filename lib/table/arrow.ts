import {
  AsyncByteQueue,
  Field,
  Float64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampSecond,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import type { Column, Table } from "./table.ts";

const ROWS_A_BATCH = 16_384;

const types = { number: new Float64(), instant: new TimestampSecond("UTC"), text: new Utf8() } as const;

/** Collects what the writer writes until it is taken. */
class Pieces extends AsyncByteQueue<Uint8Array> {
  private pieces: Uint8Array[] = [];
  override write(piece: Uint8Array): void {
    this.pieces.push(piece);
  }
  take(): Uint8Array[] {
    const taken = this.pieces;
    this.pieces = [];
    return taken;
  }
}

/**
 * Writes an Arrow IPC stream: float64 columns, texts, and UTC timestamps in seconds; units, titles and heights are
 * metadata of the columns.
 */
export function* arrowPieces({ rows, columns, about }: Table): Generator<Uint8Array, void, undefined> {
  const fields = columns.map(
    ({ name, unit, title, height, kind }) =>
      new Field(
        name,
        types[kind],
        true,
        new Map([
          ...(unit ? [["unit", unit] as const] : []),
          ["title", title] as const,
          ...(height === undefined ? [] : [["height", `${height} m`] as const]),
        ]),
      ),
  );
  const schema = new Schema(fields, new Map(Object.entries(about)));
  const queue = new Pieces();
  const writer = new RecordBatchStreamWriter({ autoDestroy: false });
  writer.reset(queue, schema);
  for (let from = 0; from < Math.max(rows, 1); from += ROWS_A_BATCH) {
    const length = Math.min(ROWS_A_BATCH, rows - from);
    const children = columns.map((column) => columnData(column, from, length));
    writer.write(
      new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children })),
    );
    for (const piece of queue.take()) yield piece;
  }
  writer.finish();
  for (const piece of queue.take()) yield piece;
}

function columnData({ kind, value, text }: Column, from: number, length: number) {
  if (kind === "text") {
    const texts = Array.from({ length }, (_, i) => text!(from + i));
    return vectorFromArray(texts, types.text).data[0]!;
  }
  const values = new Float64Array(length);
  const valid = new Uint8Array(Math.ceil(length / 8));
  let nullCount = 0;
  for (let i = 0; i < length; i++) {
    const number = value(from + i);
    if (Number.isNaN(number)) nullCount++;
    else {
      values[i] = number;
      valid[i >> 3]! |= 1 << (i & 7);
    }
  }
  const common = { length, nullCount, nullBitmap: nullCount > 0 ? valid : null };
  return kind === "number"
    ? makeData({ type: types.number, ...common, data: values })
    : makeData({ type: types.instant, ...common, data: BigInt64Array.from(values, BigInt) });
}
