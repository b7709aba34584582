import type { ByteRange, ByteSource } from "./byte-source.ts";
import { componentsAreGridRelative, readGrid } from "./grid.ts";
import { Octets, UnreadableError } from "./octets.ts";
import type { NodeGrid } from "./regrid/regrid.ts";
import {
  describeGap,
  findMessage,
  type Grib2Field,
  type GribMessage,
  readInstant,
  readPacking,
  readProduct,
  readSectionHead,
  type Section,
} from "./sections.ts";

/** A message, or a field of it, that cannot be read, and the reason for the operator. */
interface MessageRejection {
  file: string;
  /** Number of the message in the file, from 1; for bytes between messages, that of the previous one. */
  message: number;
  reason: string;
  /** Parameter of an undamaged field of an unsupported kind; undefined for damaged bytes, which cannot be trusted. */
  parameter?: [discipline: number, category: number, number: number];
}

/** Limits that no real file reaches. They bound the work on a file that consists only of heads. */
const MAX_MESSAGES = 100_000;
const MAX_SECTIONS = 1_000_000;
/** Longest section other than bitmap and values, octets. */
const LONGEST_DESCRIPTION = 1 << 16;

/** Sections that may follow each section. A message may repeat 2…7, 3…7 or 4…7 for each field. */
const successors: readonly (readonly number[])[] = [[1], [2, 3], [3], [4], [5], [6], [7], [2, 3, 4]];

interface Listing {
  fields: Grib2Field[];
  rejected: MessageRejection[];
  sections: number;
}

/**
 * Lists the fields of a GRIB2 file without reading their values.
 *
 * A message that cannot be read is rejected with the reason, and the search continues at the next message. It never throws
 * for the content of the file; a file that is not GRIB at all has no messages.
 */
export function scanGrib2(source: ByteSource): {
  fields: Grib2Field[];
  rejected: MessageRejection[];
  messages: number;
} {
  const listing: Listing = { fields: [], rejected: [], sections: 0 };
  const { fields, rejected } = listing;
  let messages = 0;
  let next = 0;
  // After damage, skipped bytes belong to the damaged message and are not reported again.
  let searching = false;
  const reject = (reason: string) => rejected.push({ file: source.name, message: messages, reason });
  for (;;) {
    const message = findMessage(source, next);
    const gap = searching ? undefined : describeGap(source, next, message?.offset ?? source.size);
    if (message === undefined && messages === 0) break;
    if (gap !== undefined) reject(gap);
    if (message === undefined) break;
    messages++;
    searching = false;
    if (messages > MAX_MESSAGES || listing.sections > MAX_SECTIONS) {
      reject(`the rest of the file is not read: more than ${MAX_MESSAGES} messages`);
      break;
    }
    if (message.damage !== undefined) {
      reject(message.damage);
      next = message.offset + 4;
      searching = true;
      continue;
    }
    next = message.offset + message.length;
    if (message.edition === 1) {
      reject("GRIB edition 1 is not read, only edition 2");
      continue;
    }
    try {
      listMessage(source, message, messages, listing);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      reject(error.message);
      // The length of the message may be wrong too: an intact message may begin before its end.
      next = message.offset + 4;
      searching = true;
    }
  }
  return { fields, rejected, messages };
}

/** The sections read so far that describe the next field. */
interface Context {
  referenceTime: number;
  grid?: Section;
  product?: Section;
  representation?: Section;
  bitmap?: Section;
  /** The last bitmap of this message, for fields that reuse it. */
  lastBitmap?: ByteRange;
}

function listMessage(source: ByteSource, message: GribMessage, number: number, listing: Listing): void {
  const end = message.offset + message.length - 4;
  const context: Context = { referenceTime: 0 };
  let previous = 0;
  let part = 0;
  let offset = message.offset + 16;
  while (offset < end) {
    const section = readSectionHead(source, offset, end);
    if (++listing.sections > MAX_SECTIONS) throw new UnreadableError("it has too many sections");
    if (!successors[previous]?.includes(section.number)) {
      throw new UnreadableError(`damaged: section ${section.number} follows section ${previous}`);
    }
    previous = section.number;
    offset += section.length;
    if (section.number === 1) {
      context.referenceTime = readInstant(describe(source, section), 13);
    } else if (section.number === 3) context.grid = section;
    else if (section.number === 4) context.product = section;
    else if (section.number === 5) context.representation = section;
    else if (section.number === 6) {
      context.bitmap = section;
      if (section.length > 6 && source.read(section.offset + 5, 1)[0] === 0) {
        context.lastBitmap = { offset: section.offset + 6, length: section.length - 6 };
      }
    } else if (section.number === 7) {
      part++;
      try {
        listing.fields.push(readField(source, message, context, section, { message: number, part }));
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        listing.rejected.push({
          file: source.name,
          message: number,
          reason: part === 1 ? error.message : `field ${part}: ${error.message}`,
          parameter: error.message.startsWith("damaged")
            ? undefined
            : parameterOf(source, message, context.product),
        });
      }
    }
  }
  if (previous !== 7) throw new UnreadableError("damaged: it ends before its values");
}

/** Category and number are in the same octets of every product template. */
function parameterOf(
  source: ByteSource,
  { discipline }: GribMessage,
  product: Section | undefined,
): MessageRejection["parameter"] {
  if (product === undefined || product.length < 11) return undefined;
  const section = describe(source, product);
  return [discipline, section.unsigned8(10), section.unsigned8(11)];
}

function readField(
  source: ByteSource,
  { offset, length, discipline }: GribMessage,
  context: Context,
  values: Section,
  place: { message: number; part: number },
): Grib2Field {
  const gridSection = describe(source, context.grid);
  const { grid, scan, points, nodes } = readGrid(gridSection);
  const product = readProduct(describe(source, context.product), context.referenceTime);
  const representation = describe(source, context.representation);
  const packing = readPacking(representation);
  const coded = representation.unsigned32(6);
  const bitmap = readBitmap(source, context, points);
  if (bitmap === undefined ? coded !== points : coded > points) {
    throw new UnreadableError(`damaged: ${coded} values are coded for ${points} points`);
  }
  return {
    ...place,
    offset,
    length,
    discipline,
    referenceTime: context.referenceTime,
    ...product,
    grid,
    projected: nodes && {
      section: { offset: context.grid!.offset, length: context.grid!.length },
      isGridRelative: componentsAreGridRelative(gridSection),
    },
    scan,
    packing,
    coded,
    bitmap,
    data: { offset: values.offset + 5, length: values.length - 5 },
  };
}

/** Places of the points of a field whose grid is not regular. */
export function readNodes(source: ByteSource, { projected }: Grib2Field): NodeGrid | undefined {
  return projected && readGrid(describe(source, { number: 3, ...projected.section })).nodes;
}

function readBitmap(source: ByteSource, context: Context, points: number): ByteRange | undefined {
  const indicator = describe(source, context.bitmap && { ...context.bitmap, length: 6 }).unsigned8(6);
  if (indicator === 255) return undefined;
  if (indicator !== 0 && indicator !== 254) {
    throw new UnreadableError(`its bitmap is not in the message (predefined bitmap ${indicator})`);
  }
  const bitmap = context.lastBitmap;
  if (bitmap === undefined || bitmap.length * 8 < points) {
    throw new UnreadableError("damaged: it lacks the bitmap it refers to");
  }
  return bitmap;
}

function describe(source: ByteSource, section: Section | undefined): Octets {
  if (section === undefined) throw new UnreadableError("damaged: a section is lacking");
  const what = `section ${section.number}`;
  return new Octets(source.read(section.offset, Math.min(section.length, LONGEST_DESCRIPTION)), what);
}
