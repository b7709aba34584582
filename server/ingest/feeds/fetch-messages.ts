import { formatInstant } from "#lib/time.ts";
import { fileSource } from "#server/ingest/byte-source.ts";
import { scanGrib2 } from "#server/ingest/grib2/scan.ts";
import { matchesField } from "#server/ingest/sources/source.ts";
import type { PartialFile, Piece } from "#server/platform/fetching/partial-file.ts";
import { fetchIndex, fetchInto, forgetIndex, isUntrusted } from "./fetch-files.ts";
import type { Part, PartObjects, WantedMessage } from "./field-feed.ts";
import { type FoundMessage, findMessages } from "./find-messages.ts";
import { type FetchWork, LackingError, type Ready, readyFile, UnsuitableDataError } from "./part-store.ts";

/** Larger than a message of 0.25° that is not packed at all. Bounds the last message, whose end the index does not say. */
const MAX_MESSAGE = 32e6;

/** How often index and object are fetched again because they do not belong together. */
const MAX_RESTARTS = 2;

/**
 * Fetches the wanted messages of a GRIB2 object: its index, then their ranges, written one after the other.
 *
 * Index and object have no common version. So that they belong together is seen by the framing of the messages: if one
 * is not where the index says, both are fetched again.
 *
 * @throws FetchError; UnsuitableDataError; LackingError; the signal's reason.
 */
export async function fetchMessages(
  base: string,
  objects: Extract<PartObjects, { kind: "messages" }>,
  part: Part,
  work: FetchWork,
): Promise<Ready | "absent"> {
  const indexUrl = `${base}/${objects.index.object}`;
  for (let restarts = 0; ; restarts++) {
    const index = await fetchIndex(indexUrl, work, restarts > 0);
    if (index === "absent") return "absent";
    try {
      return await fetchByIndex(`${base}/${objects.object}`, index, objects, part, work);
    } catch (error) {
      if (!isUntrusted(error)) throw error;
      await forgetIndex(indexUrl, work.folder);
      // An object that lacks some of what is wanted is not worth a second attempt at this look.
      if (restarts === MAX_RESTARTS || work.takesIncomplete) throw error;
    }
  }
}

async function fetchByIndex(
  url: string,
  index: string,
  { index: { form }, wanted }: Extract<PartObjects, { kind: "messages" }>,
  part: Part,
  work: FetchWork,
): Promise<Ready | "absent"> {
  const lead = (part.times[0]! - part.cycle) / 3600;
  const { messages: found, lacking } = findMessages(index, form, wanted, { cycle: part.cycle, lead });
  if (lacking.length > 0 && !work.takesIncomplete) throw new LackingError("the index", lacking);
  const pieces = place(found);
  const file = await fetchInto(url, JSON.stringify([url, pieces]), pieces, MAX_MESSAGE, work, (whole) =>
    check(whole, pieces, found, part),
  );
  return file === "absent" ? file : { ...readyFile(file, "messages.grib2"), lacking };
}

/** Messages follow one another in the file. */
function place(messages: readonly FoundMessage[]): Piece[] {
  let at = 0;
  return messages.map(({ offset, length }) => {
    const piece = { from: offset, to: length === undefined ? undefined : offset + length, at };
    at += length ?? 0;
    return piece;
  });
}

async function check(
  file: PartialFile,
  pieces: readonly Piece[],
  found: readonly FoundMessage[],
  part: Part,
): Promise<void> {
  const placed: PlacedMessage[] = pieces.map(({ from, to, at }, index) => ({
    at,
    length: (to ?? file.version?.total ?? from) - from,
    fields: found[index]!.fields,
    wanted: found[index]!.wanted,
  }));
  for (const [index, message] of placed.entries()) {
    const fault = await framingFault(file, message);
    if (fault) throw new UnsuitableDataError(`message ${index + 1} of ${placed.length}: ${fault}`);
  }
  checkFields(file.path, placed, part);
}

/** A message in the fetched file. */
interface PlacedMessage {
  at: number;
  length: number;
  /** Fields that the index lists in it. */
  fields: number;
  wanted: readonly WantedMessage[];
}

const HEAD = 16;

/**
 * Whether a message is framed as its index says: "GRIB", edition 2, its length, "7777".
 *
 * @returns What is wrong; undefined for a sound message.
 */
async function framingFault(
  file: PartialFile,
  { at, length }: Pick<PlacedMessage, "at" | "length">,
): Promise<string | undefined> {
  const head = Buffer.from(await file.read(at, HEAD));
  if (head.length < HEAD || head.toString("latin1", 0, 4) !== "GRIB" || head[7] !== 2)
    return "it does not begin as a GRIB2 message";
  const stated = Number(head.readBigUInt64BE(8));
  if (stated !== length) return `it is ${stated} octets long, ${length} by the index`;
  const end = Buffer.from(await file.read(at + length - 4, 4)).toString("latin1");
  return end === "7777" ? undefined : "it does not end with 7777";
}

/**
 * Checks a file of messages: each has the wanted fields, as many in all as its index lists, and all are of the part's cycle
 * and time.
 *
 * A field that is sound but of a kind that is not decoded passes: that is for the ingest to say.
 *
 * @throws UnsuitableDataError
 */
function checkFields(path: string, messages: readonly PlacedMessage[], { cycle, times }: Part): void {
  using source = fileSource(path);
  const { fields, rejected } = scanGrib2(source);
  const damaged = rejected.find(({ parameter }) => parameter === undefined);
  if (damaged) throw new UnsuitableDataError(`message ${damaged.message} is damaged: ${damaged.reason}`);
  for (const [index, { fields: listed, wanted }] of messages.entries()) {
    const isOfMessage = ({ message }: { message: number }) => message === index + 1;
    const readable = fields.filter(isOfMessage);
    const found = readable.length + rejected.filter(isOfMessage).length;
    if (found !== listed)
      throw new UnsuitableDataError(`message ${index + 1} has ${found} fields, ${listed} by the index`);
    const other = wanted.find(
      ({ selectors }) =>
        selectors && !readable.some((field) => selectors.some((selector) => matchesField(selector, field))),
    );
    if (other && found === readable.length)
      throw new UnsuitableDataError(
        `message ${index + 1} is not ${other.element} (${other.level}), as the index says`,
      );
  }
  const stale = fields.find((field) => field.referenceTime !== cycle);
  if (stale)
    throw new UnsuitableDataError(
      `it is of the cycle ${formatInstant(stale.referenceTime)}, not ${formatInstant(cycle)}`,
    );
  const other = fields.find((field) => !times.includes(field.time.end));
  if (other) throw new UnsuitableDataError(`it is valid at ${formatInstant(other.time.end)}`);
}
