import { detailReply, HttpError } from "./reply.ts";

/** Maximum number of values, lists and objects in a body: beyond it a parser may need more memory than a thread has. */
const MAX_VALUES = 3_000_000;
const MAX_CONTAINERS = 500_000;

/**
 * Maximum number of different member names: a parser takes microseconds for each new one. Every valid request has fewer
 * than a hundred.
 */
const MAX_NAMES = 5000;
const NAME_SLOTS = 2 ** 16;

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, OPEN_OBJECT, COLON] = [0x22, 0x2c, 0x5c, 0x5b, 0x7b, 0x3a];

const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Counts the values of a large body before it is parsed, because a byte of text can become thirty of memory.
 *
 * @throws HttpError of 413.
 */
export function ensureParsable(bytes: Uint8Array): void {
  let values = 0;
  let containers = 0;
  let names = 0;
  const seen = new Uint8Array(NAME_SLOTS);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      let hash = 0;
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) {
        if (bytes[at] === BACKSLASH) at++;
        hash = Math.imul(hash ^ bytes[at]!, 0x01000193) + 1;
      }
      let next = at + 1;
      while (SPACES.has(bytes[next]!)) next++;
      const slot = (hash ^ (hash >>> 16)) & (NAME_SLOTS - 1);
      if (bytes[next] === COLON && seen[slot] === 0) {
        seen[slot] = 1;
        names++;
      }
    } else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) containers++;
  }
  if (values > MAX_VALUES || containers > MAX_CONTAINERS || names > MAX_NAMES)
    throw new HttpError(detailReply(413, "The request body has too many values, lists and objects"));
}
