import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { nextTurn } from "#server/platform/next-turn.ts";
import { withoutByteOrderMark } from "./validation.ts";

const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Entries that are parsed together. */
const PART_ENTRIES = 4096;

/** Stands for the list while the rest is parsed; no request has this text. */
const PLACEHOLDER = randomUUID();

/**
 * Parses a JSON object with one long list, of which never more than a part exists as text and as objects: a body of 32 MiB
 * would take three times as much.
 *
 * @param name Key of the list.
 * @param take Gets the entries in order. Returns false where the body has to be read as a whole.
 * @returns What else the object has; undefined where `take` returned false and for all that this function does not know how
 *   to read, such as a body that is not JSON: whoever reads it as a whole finds out.
 */
export async function parseInParts(
  bytes: Uint8Array,
  name: string,
  take: (entries: unknown[]) => boolean,
): Promise<Record<string, unknown> | undefined> {
  const text = withoutByteOrderMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (!isUtf8(text)) return undefined;
  await nextTurn();
  const begin = beginOf(text, name);
  if (begin === undefined) return undefined;
  try {
    let end = begin;
    for (const part of partsOf(text, begin)) {
      const entries: unknown[] = JSON.parse(`[${text.toString("utf8", part.from, part.to)}]`);
      // A list may not end with a comma.
      if (entries.length !== part.entries || !take(entries)) return undefined;
      end = part.to;
      await nextTurn();
    }
    if (text[end] !== CLOSE_LIST) return undefined;
    const before = text.toString("utf8", 0, begin - 1);
    const after = text.toString("utf8", end + 1, endOf(text));
    const { [name]: list, ...rest } = JSON.parse(`${before}"${PLACEHOLDER}"${after}`);
    // Of two lists of one name the second one counts.
    return list === PLACEHOLDER ? rest : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Where the first entry of the list begins; undefined where the outermost object has no list of this name. */
function beginOf(text: Buffer, name: string): number | undefined {
  const key = Buffer.from(JSON.stringify(name));
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === QUOTE) {
      const isKey = depth === 1 && text.subarray(at, at + key.length).equals(key);
      at = stringEnd(text, at);
      if (!isKey) continue;
      const colon = skipSpace(text, at + 1);
      const list = skipSpace(text, colon + 1);
      if (text[colon] === COLON && text[list] === OPEN_LIST) return list + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
  }
  return undefined;
}

/** Parts of a list, between commas. @param begin Of its first entry. */
function* partsOf(text: Buffer, begin: number): Generator<{ from: number; to: number; entries: number }> {
  let from = begin;
  let entries = 1;
  let depth = 0;
  for (let at = begin; at < text.length; at++) {
    const byte = text[at]!;
    if (byte === QUOTE) at = stringEnd(text, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && depth-- === 0) {
      yield { from, to: at, entries };
      return;
    } else if (byte === COMMA && depth === 0) {
      if (entries === PART_ENTRIES) {
        yield { from, to: at, entries };
        from = at + 1;
        entries = 0;
      }
      entries++;
    }
  }
}

/** Position of the quotation mark that ends a string. @param at Of the one that begins it. */
function stringEnd(text: Buffer, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== QUOTE) end += text[end] === BACKSLASH ? 2 : 1;
  return end;
}

function skipSpace(text: Buffer, from: number): number {
  let at = from;
  while (isSpace(text[at])) at++;
  return at;
}

/** Where white space at the end begins. */
function endOf(text: Buffer): number {
  let end = text.length;
  while (isSpace(text[end - 1])) end--;
  return end;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB;
}
