import type { ByteSource } from "#server/ingest/byte-source.ts";
import { UnreadableError } from "./grib-error.ts";

/** What the indicator section of a GRIB message says. */
export interface GribMessage {
  offset: number;
  edition: number;
  discipline: number;
  /** Total length that the message states, bytes. */
  length: number;
  /** Why the bytes up to `length` are not one message: the file ends before, or the end mark is missing. */
  damage: string | undefined;
}

const END_MARK = 0x37373737;
const SEARCH_WINDOW = 1 << 20;

/** A bulletin heading between two messages is shorter than this, a message longer. */
const LONGEST_HEADING = 100;

/**
 * Finds the next message at or after `from`.
 *
 * @returns undefined if there is none before the end of the file.
 */
export function findMessage(source: ByteSource, from: number): GribMessage | undefined {
  let offset = from;
  while (offset + 8 <= source.size) {
    const bytes = source.read(offset, offset === from ? 16 : SEARCH_WINDOW);
    let last = bytes.length - 8;
    for (let at = 0; at <= last; at++) {
      if (bytes[at] !== 0x47 || bytes[at + 1] !== 0x52 || bytes[at + 2] !== 0x49 || bytes[at + 3] !== 0x42) {
        continue;
      }
      const edition = bytes[at + 7]!;
      // With any other edition the four letters are a coincidence, unless a message must begin here.
      if (edition === 1 || edition === 2 || offset + at === from) return readIndicator(source, offset + at);
    }
    last = Math.max(last, 0);
    offset += last + 1;
  }
  return undefined;
}

function readIndicator(source: ByteSource, offset: number): GribMessage {
  const head = source.read(offset, 16);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const edition = view.getUint8(7);
  const message: GribMessage = {
    offset,
    edition,
    discipline: view.getUint8(6),
    length: 0,
    damage: undefined,
  };
  if (edition === 1) message.length = view.getUint32(4) >>> 8;
  else if (edition === 2 && head.length === 16) {
    message.length = view.getUint32(8) * 2 ** 32 + view.getUint32(12);
  }
  message.damage = damageOf(source, message);
  return message;
}

function damageOf(source: ByteSource, { offset, edition, length }: GribMessage): string | undefined {
  const left = source.size - offset;
  if (edition !== 1 && edition !== 2) return `GRIB edition ${edition} does not exist`;
  if (left < 16) return "truncated: the file ends in its first section";
  if (length < 20) return `its length of ${length} octets is not possible`;
  if (length > left) return `truncated: it is ${length} octets long, of which the file has ${left}`;
  const end = source.read(offset + length - 4, 4);
  const mark = new DataView(end.buffer, end.byteOffset, end.byteLength);
  if (end.length < 4 || mark.getUint32(0) !== END_MARK) return "damaged: it does not end with 7777";
  return undefined;
}

/** Describes bytes between messages if they are more than a heading or padding; else undefined. */
export function describeGap(source: ByteSource, from: number, to: number): string | undefined {
  if (to - from >= LONGEST_HEADING) return `${to - from} octets from ${from} on are not GRIB`;
  // A download may stop in the first letters of a message.
  const tail = String.fromCharCode(...source.read(Math.max(from, to - 7), Math.min(7, to - from)));
  if (to === source.size && /G(R(I(B.{0,3})?)?)?$/s.test(tail))
    return "truncated: the file ends in its first section";
  return undefined;
}

/** One section of a GRIB2 message. */
export interface Section {
  number: number;
  offset: number;
  /** Octets, including the five of its head. */
  length: number;
}

/**
 * Reads the head of the section at `offset`.
 *
 * @param end First octet after the message's last section: that of the end mark.
 */
export function readSectionHead(source: ByteSource, offset: number, end: number): Section {
  if (offset + 5 > end) throw new UnreadableError("its sections do not add up to its length");
  const bytes = source.read(offset, 5);
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const number = bytes[4]!;
  if (length < 5 || offset + length > end) {
    throw new UnreadableError(`damaged: section ${number} is said to be ${length} octets long`);
  }
  return { number, offset, length };
}
