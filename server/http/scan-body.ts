import { randomBytes } from "node:crypto";
import {
  type BodyBounds,
  type BodyShape,
  CONTAINER_WEIGHT,
  type Field,
  MAX_DEPTH,
  NEW_KEY_WEIGHT,
} from "#lib/contract/body-shape.ts";

/** Why a body is not parsed. */
export type Excess =
  | { kind: "depth"; position: number }
  /** Too much that the schema does not name. */
  | { kind: "extras" }
  /** A list is longer than the schema allows. */
  | { kind: "list"; path: (string | number)[]; length: number };

const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = 0xef;

/** Bytes between two pauses: a few milliseconds. */
const SLICE_BYTES = 512 * 1024;

/** One list or object that is open. */
interface Level {
  isObject: boolean;
  shape: BodyShape | undefined;
  /** Entries before this one. */
  count: number;
  /** Hash of the keys so far, in their order. */
  keys: number;
  /** Position of the last known key in the fields of the shape; -1 for an unknown one. */
  field: number;
}

/** An object whose keys come in a new order is a new class of objects to the engine: slow to make, and kept. */
const SEEN_BITS = 18;
const seed = randomBytes(4).readInt32LE();

/**
 * Counts what a JSON body would become, without making it: a byte of text can become thirty of memory.
 *
 * Text that is not JSON is counted as far as it is JSON, which is as far as a parser makes anything of it.
 *
 * Yields now and then, so that other events of the thread can come between.
 *
 * @returns undefined for a body within its bounds.
 */
export function* scanBody(
  bytes: Uint8Array,
  { shape, most, extras }: BodyBounds,
): Generator<void, Excess | undefined, void> {
  const counts = new Uint32Array(most.length);
  const seen = new Uint8Array(1 << SEEN_BITS);
  const levels = Array.from(
    { length: MAX_DEPTH },
    (): Level => ({ isObject: false, shape: undefined, count: 0, keys: 0, field: -1 }),
  );
  let depth = 0;
  let level: Level | undefined;
  let extra = 0;
  let expected: BodyShape | undefined = shape;
  let isKey = false;
  let long: { at: BodyShape; path: (string | number)[] } | undefined;

  /** Counts a value where it begins. */
  const count = (weight: number, fits: boolean) => {
    if (!expected) {
      extra += weight;
      return;
    }
    const { id } = expected;
    if (++counts[id]! <= most[id]!) {
      if (!fits) extra += weight;
    } else if (level?.isObject === false && most[id]! > 0) {
      long ??= { at: expected, path: pathOf(levels, depth) };
      // The rest is counted for the message alone, and nothing of it is made.
    } else extra += weight;
  };

  let at = bytes[0] === BYTE_ORDER_MARK ? 3 : 0;
  let pauseAt = SLICE_BYTES;
  while (at < bytes.length) {
    if (at > pauseAt) {
      pauseAt = at + SLICE_BYTES;
      yield;
    }
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const start = ++at;
      let escaped = false;
      for (let next = bytes[at]; next !== QUOTE && at < bytes.length; next = bytes[++at]) {
        if (next !== BACKSLASH) continue;
        escaped = true;
        at++;
      }
      if (isKey) {
        isKey = false;
        const inside = level!;
        inside.keys = mixed(inside.keys, bytes, start, at);
        const place = inside.keys >>> (32 - SEEN_BITS);
        if (seen[place] === 0) extra += NEW_KEY_WEIGHT;
        seen[place] = 1;
        const fields = inside.shape?.fields;
        inside.field = fields ? fieldAt(fields, inside.field + 1, bytes, start, at, escaped) : -1;
        expected = fields?.[inside.field]?.shape;
      } else count(1, true);
      at++;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      const isObject = byte === OPEN_OBJECT;
      const fits = (isObject ? expected?.fields : expected?.entries) !== undefined;
      count(CONTAINER_WEIGHT, fits);
      if (depth === MAX_DEPTH) return { kind: "depth", position: at };
      level = levels[depth++]!;
      level.isObject = isObject;
      level.shape = fits ? expected : undefined;
      level.count = 0;
      level.keys = seed;
      level.field = -1;
      isKey = isObject;
      expected = isObject ? undefined : level.shape?.entries;
      at++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      isKey = false;
      depth = Math.max(0, depth - 1);
      level = levels[depth - 1];
      at++;
    } else if (byte === COMMA) {
      isKey = level?.isObject === true;
      if (level && !isKey) level.count++;
      expected = isKey ? undefined : level?.shape?.entries;
      at++;
    } else if (byte === COLON || byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) {
      at++;
    } else {
      count(1, true);
      at++;
      while (at < bytes.length && !endsScalar(bytes[at]!)) at++;
    }
    if (extra > extras) return { kind: "extras" };
  }
  return long && { kind: "list", path: long.path, length: counts[long.at.id]! };
}

function endsScalar(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte <= SPACE;
}

/** FNV-1a, going on from the keys before. */
function mixed(hash: number, bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  // A mark between two keys; and the high bits, which are used, depend on all others.
  hash = Math.imul(hash ^ QUOTE, 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
}

/** Position of the field that a key names; -1 for another key. Keys mostly come in the order of the schema. */
function fieldAt(
  fields: readonly Field[],
  first: number,
  bytes: Uint8Array,
  start: number,
  end: number,
  escaped: boolean,
): number {
  for (let tried = 0; tried < fields.length; tried++) {
    const index = (first + tried) % fields.length;
    const { key } = fields[index]!;
    if (escaped ? decoded(bytes, start, end) === key : isAt(key, bytes, start, end)) return index;
  }
  return -1;
}

/** Keys of the contract are ASCII. */
function isAt(key: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let index = 0; index < key.length; index++) {
    if (key.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}

/** No key of the contract is longer than this, with every letter escaped. */
const MAX_KEY_BYTES = 200;

function decoded(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > MAX_KEY_BYTES) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start - 1, end - start + 2).toString());
  } catch {
    // Not JSON: the parser says where.
    return undefined;
  }
}

/** Where the list is whose entry is read. */
function pathOf(levels: readonly Level[], depth: number): (string | number)[] {
  return levels
    .slice(0, depth - 1)
    .map(({ isObject, shape, field, count }) => (isObject ? shape!.fields![field]!.key : count));
}
