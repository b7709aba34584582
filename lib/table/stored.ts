import { type MapField, type MapOutput, MIN_STORED, NULL_ENTRY } from "#lib/field/map-field.ts";
import { componentOf, mapOutputs, type Origin, type PointEntry, pointTable, type Table } from "./table.ts";

/** An envelope was not written by this service. */
export class StoredAnswerError extends Error {
  override readonly name = "StoredAnswerError";
  constructor(missing: string) {
    super(`The stored answer has no ${missing}`);
  }
}

const BEGIN = '"result":{"results":[';
const BETWEEN_POINTS = '}},{"coordinates":';
const AFTER_POINTS = '}}],"';

/**
 * Reads the points of a stored SUCCESS envelope piece by piece, so that the whole text is never in memory and
 * no piece blocks the thread for long.
 *
 * @param json Bytes of the envelope.
 * @param rows Number of points, if it is known.
 */
export async function storedPoints(
  json: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  rows: number | undefined,
  synthetic: boolean,
): Promise<Table> {
  const utf8 = new TextDecoder();
  const points = new PointColumns(rows);
  let text = "";
  let state: "before" | "within" | "after" = "before";
  for await (const piece of json) {
    text += utf8.decode(piece, { stream: true });
    if (state === "before") {
      const begin = text.indexOf(BEGIN);
      if (begin < 0) continue;
      text = text.slice(begin + BEGIN.length);
      state = "within";
    }
    if (state === "after") continue;
    const end = text.indexOf(AFTER_POINTS);
    const cut = end < 0 ? text.lastIndexOf(BETWEEN_POINTS) : end;
    if (cut < 0) continue;
    points.add(JSON.parse(`[${text.slice(0, cut + 2)}]`) as PointEntry[]);
    text = text.slice(cut + 3);
    if (end >= 0) state = "after";
  }
  if (state !== "after") throw new StoredAnswerError("end of its points");
  return points.table(originOf(text, synthetic));
}

/** Initial capacity if the number of points is unknown. */
const FIRST_ROWS = 1024;

/** Columns that are filled row by row. */
class PointColumns {
  readonly #expected: number | undefined;
  #latitude: Float64Array;
  #longitude: Float64Array;
  readonly #timestamps: string[] = [];
  /** Position of each row's model among the names; empty if the request named none. */
  readonly #models: number[] = [];
  readonly #modelNames: string[] = [];
  #values = new Map<string, Float64Array>();

  constructor(rows: number | undefined) {
    this.#expected = rows;
    this.#latitude = new Float64Array(rows ?? FIRST_ROWS);
    this.#longitude = new Float64Array(rows ?? FIRST_ROWS);
  }

  add(entries: readonly PointEntry[]): void {
    for (const { coordinates, conditions } of entries) {
      const row = this.#timestamps.length;
      if (row === 0) {
        const column = (name: string) => [name, new Float64Array(this.#latitude.length)] as const;
        this.#values = new Map(Object.keys(conditions).map(column));
      }
      if (row === this.#latitude.length) this.#grow();
      this.#latitude[row] = coordinates.latitude;
      this.#longitude[row] = coordinates.longitude;
      this.#timestamps.push(coordinates.timestamp);
      if (coordinates.model !== undefined) this.#models.push(this.#positionOf(coordinates.model));
      for (const [name, values] of this.#values) values[row] = conditions[name] ?? Number.NaN;
    }
  }

  #positionOf(model: string): number {
    const known = this.#modelNames.indexOf(model);
    return known < 0 ? this.#modelNames.push(model) - 1 : known;
  }

  #grow(): void {
    const twice = (values: Float64Array) => {
      const larger = new Float64Array(2 * values.length);
      larger.set(values);
      return larger;
    };
    this.#latitude = twice(this.#latitude);
    this.#longitude = twice(this.#longitude);
    for (const [name, values] of this.#values) this.#values.set(name, twice(values));
  }

  table(origin: Origin): Table {
    const found = this.#timestamps.length;
    if (this.#expected !== undefined && found !== this.#expected)
      throw new StoredAnswerError(`${this.#expected} points, but ${found}`);
    return pointTable(
      {
        rows: found,
        latitude: (row) => this.#latitude[row]!,
        longitude: (row) => this.#longitude[row]!,
        timestamp: (row) => this.#timestamps[row]!,
        ...(this.#models.length > 0 && {
          models: { names: this.#modelNames, at: (row: number) => this.#models[row]! },
        }),
        names: [...this.#values.keys()],
        value: (name) => {
          const values = this.#values.get(name)!;
          return (row) => values[row]!;
        },
      },
      origin,
    );
  }
}

/** The part of a 2D result before its fields. */
interface MapHead {
  coordinates: { latitude: number[]; longitude: number[]; timestamp: string | string[]; model?: string };
}

const CONDITIONS = '"conditions":{';
const NEXT_RESULT = "},{";

/**
 * Reads the field of a stored SUCCESS envelope of a 2D answer. Numbers are converted to entries while they
 * are read.
 */
export async function storedMap(
  json: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  synthetic: boolean,
): Promise<{ field: MapField; origin: Origin }> {
  const utf8 = new TextDecoder();
  let text = "";
  /** The results so far: one for each model. */
  const results: { head: MapHead["coordinates"]; reader: GridReader }[] = [];
  for await (const piece of json) {
    let rest = piece;
    do {
      const reader = results.at(-1)?.reader;
      rest = rest.subarray(reader?.read(rest) ?? 0);
      text += utf8.decode(rest, { stream: true });
      rest = NOTHING;
      // The result before this one has ended, or there is none yet.
      const begin = results.length === 0 ? beginOf(text) : text.startsWith(NEXT_RESULT) ? 2 : -1;
      const end = begin < 0 ? -1 : text.indexOf(CONDITIONS);
      if (end < 0) break;
      const head = (JSON.parse(`${text.slice(begin, end - 1)}}`) as MapHead).coordinates;
      const { latitude, longitude, timestamp } = head;
      const size = latitude.length * longitude.length * [timestamp].flat().length;
      results.push({ head, reader: new GridReader(size) });
      rest = new TextEncoder().encode(text.slice(end + CONDITIONS.length));
      text = "";
    } while (rest.length > 0);
  }
  // The results are followed by `}],"execution_time":…`.
  if (results.length === 0 || !text.startsWith("}],")) throw new StoredAnswerError("end of its fields");
  const { latitude, longitude, timestamp } = results[0]!.head;
  const parts = results.map(({ reader }) => reader.outputs());
  const models = results.flatMap(({ head }) => head.model ?? []);
  const field: MapField = {
    latitude: Float64Array.from(latitude),
    longitude: Float64Array.from(longitude),
    times: [timestamp].flat(),
    isRange: Array.isArray(timestamp),
    ...(models.length > 0 && { models }),
    outputs: parts[0]!.map((output, at) => ({
      ...output,
      entries: joinedEntries(parts.map((part) => part[at]!.entries)),
    })),
  };
  return { field, origin: originOf(text.slice(2), synthetic) };
}

const NOTHING = new Uint8Array(0);

/** Position of the first result in the text of an envelope; −1 if it has not been read yet. */
function beginOf(text: string): number {
  const begin = text.indexOf(BEGIN);
  return begin < 0 ? -1 : begin + BEGIN.length;
}

function joinedEntries(parts: readonly Uint16Array[]): Uint16Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const sign = (text: string) => text.charCodeAt(0);
const [QUOTE, COMMA, OPEN, CLOSE, END, MINUS, POINT, ZERO, NINE, NULL] = [
  sign('"'),
  sign(","),
  sign("["),
  sign("]"),
  sign("}"),
  sign("-"),
  sign("."),
  sign("0"),
  sign("9"),
  sign("n"),
];

/** Reads `"name":[[1.2,null],…],"name":[…]}` byte by byte, wherever the pieces are cut. */
class GridReader {
  readonly #size: number;
  readonly #outputs: (MapOutput & { filled: number })[] = [];
  /** The name that is being read. */
  #name: string | undefined;
  #digits = 0;
  /** Digits after the point; −1 before it. */
  #decimals = -1;
  #negative = false;
  #isNull = false;
  #hasNumber = false;
  #ended = false;

  constructor(size: number) {
    this.#size = size;
  }

  /** @returns Number of bytes that belong to the fields. */
  read(bytes: Uint8Array): number {
    if (this.#ended) return 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#name !== undefined) {
        if (byte === QUOTE) this.#begin();
        else this.#name += String.fromCharCode(byte);
      } else if (byte >= ZERO && byte <= NINE) {
        this.#digits = 10 * this.#digits + byte - ZERO;
        this.#hasNumber = true;
        if (this.#decimals >= 0) this.#decimals++;
      } else if (byte === COMMA || byte === CLOSE) this.#put();
      else if (byte === POINT) this.#decimals = 0;
      else if (byte === MINUS) this.#negative = true;
      else if (byte === NULL) this.#isNull = true;
      else if (byte === QUOTE) this.#name = "";
      else if (byte === END) {
        this.#ended = true;
        return at + 1;
      } else if (byte !== OPEN) continue;
    }
    return bytes.length;
  }

  outputs(): MapOutput[] {
    for (const { name, filled } of this.#outputs) {
      if (filled !== this.#size)
        throw new StoredAnswerError(`${this.#size} values of ${name}, but ${filled}`);
    }
    return this.#outputs;
  }

  #begin(): void {
    const name = this.#name ?? "";
    const { unit, title, decimals } = mapOutputs.get(name) ??
      componentOf(name) ?? { unit: "", title: name, decimals: 2 };
    this.#outputs.push({ name, unit, title, decimals, entries: new Uint16Array(this.#size), filled: 0 });
    this.#name = undefined;
  }

  #put(): void {
    if (!this.#hasNumber && !this.#isNull) return;
    const output = this.#outputs.at(-1)!;
    const scaled = this.#digits * 10 ** (output.decimals - Math.max(0, this.#decimals));
    output.entries[output.filled++] = this.#isNull
      ? NULL_ENTRY
      : (this.#negative ? -scaled : scaled) - MIN_STORED;
    this.#digits = 0;
    this.#decimals = -1;
    this.#negative = this.#isNull = this.#hasNumber = false;
  }
}

/**
 * @param tail Text after the list of results, from its `]` or the comma after it; a line of provenance may
 * follow.
 */
function originOf(tail: string, synthetic: boolean): Origin {
  const [envelope = "", provenance] = tail.split("\n");
  if (provenance) return { provenance: JSON.parse(provenance) as Origin["provenance"], synthetic };
  const members = envelope.slice(envelope.indexOf('"'));
  const { result } = JSON.parse(`{"result":{${members}`) as { result: { meta?: Origin } };
  return { provenance: result.meta?.provenance, synthetic };
}
