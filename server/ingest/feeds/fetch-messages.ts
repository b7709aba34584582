import { copyFile, type FileHandle, open } from "node:fs/promises";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { formatInstant } from "#lib/time.ts";
import { isOfPart, partOfField } from "#server/ingest/ensemble-part.ts";
import { fileSource } from "#server/ingest/file-source.ts";
import { matchesField } from "#server/ingest/sources/source.ts";
import type { Piece } from "#server/platform/fetching/partial-file.ts";
import { fetchIndex, fetchInto, forgetIndex, isUntrusted, synced } from "./fetch-files.ts";
import type { Part, PartObjects, WantedMessage } from "./field-feed.ts";
import { describeMessage, type FoundMessage, findMessages } from "./find-messages.ts";
import {
  DamagedMessagesError,
  type FetchWork,
  LackingError,
  type Ready,
  readyFile,
  UnsuitableDataError,
} from "./part-store.ts";

/**
 * Limit of the last message, whose end the index does not state, bytes. No message of 0.25° is as large, even unpacked.
 */
const MAX_MESSAGE = 32e6;

/** Most times that index and object are fetched again because they do not belong together. */
const MAX_RESTARTS = 2;
/** Limit where some messages are sound: the object is probably damaged, and the next mirror may have an intact copy. */
const MAX_RESTARTS_IF_SOME_SOUND = 1;

/**
 * Fetches the wanted messages of a GRIB2 object: first its index, then their ranges, written one after another.
 *
 * Index and object have no common version, so the framing of the messages shows whether they belong together. If a
 * message is not where the index says, both are fetched again.
 *
 * @param known The index, where it has just been fetched.
 * @throws FetchError; UnsuitableDataError; LackingError; the signal's reason.
 */
export async function fetchMessages(
  base: string,
  objects: Extract<PartObjects, { kind: "messages" }>,
  part: Part,
  work: FetchWork,
  known?: string,
): Promise<Ready | "absent"> {
  const indexUrl = `${base}/${objects.index.object}`;
  for (let restarts = 0; ; restarts++) {
    const isKnown = restarts === 0 && known !== undefined;
    const index = isKnown ? known : await fetchIndex(indexUrl, work, restarts > 0);
    if (index === "absent") return "absent";
    try {
      return await fetchByIndex(`${base}/${objects.object}`, index, objects, part, work);
    } catch (error) {
      if (!isUntrusted(error)) throw error;
      await forgetIndex(indexUrl, work.folder);
      const most = error instanceof DamagedMessagesError ? MAX_RESTARTS_IF_SOME_SOUND : MAX_RESTARTS;
      // An object that lacks wanted content is not fetched a second time at this look.
      if (restarts >= most || work.takesIncomplete) throw error;
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
  const { messages: found, lacking: absent } = findMessages(index, form, wanted, { cycle: part.cycle, lead });
  const lacking = absent.map((message) => describeMessage(message));
  if (lacking.length > 0 && !work.takesIncomplete) throw new LackingError("the index", lacking);
  const pieces = place(found);
  let sound: { path: string; lacking: string[] } | undefined;
  const file = await fetchInto(
    url,
    JSON.stringify([url, pieces]),
    pieces,
    MAX_MESSAGE,
    work,
    async (whole) => {
      const messages = pieces.map(({ from, to, at }, index) => {
        const { fields, wanted } = found[index]!;
        return { number: index + 1, at, length: (to ?? whole.version?.total ?? from) - from, fields, wanted };
      });
      try {
        await check(whole.path, messages, part);
      } catch (error) {
        if (!work.takesIncomplete || !(error instanceof DamagedMessagesError)) throw error;
        sound = await soundMessages(whole.path, messages, part);
      }
    },
  );
  if (file === "absent") return file;
  const ready = readyFile(file, "messages.grib2");
  if (!sound) return { ...ready, lacking };
  await file[Symbol.asyncDispose]();
  const { path } = sound;
  return { ...ready, path, settle: () => synced(path), lacking: [...lacking, ...sound.lacking] };
}

/** Assigns the messages consecutive places in the file. */
function place(messages: readonly FoundMessage[]): Piece[] {
  let at = 0;
  return messages.map(({ offset, length }) => {
    const piece = { from: offset, to: length === undefined ? undefined : offset + length, at };
    at += length ?? 0;
    return piece;
  });
}

/**
 * Checks that each message of a file is sound and belongs to the part's cycle and time.
 *
 * @throws DamagedMessagesError where some are damaged and others not; UnsuitableDataError where none can be used.
 */
async function check(path: string, messages: readonly PlacedMessage[], part: Part): Promise<void> {
  const faults = await faultsOf(path, messages, part);
  const [first] = faults;
  if (!first) return;
  const [{ number }, fault] = first;
  const reason = `message ${number} of ${messages.length}: ${fault}`;
  if (faults.size === messages.length) throw new UnsuitableDataError(reason);
  throw new DamagedMessagesError(reason, wordsOf(faults));
}

const wordsOf = (faults: ReadonlyMap<PlacedMessage, string>) =>
  [...faults].flatMap(([{ wanted }, fault]) => wanted.map((message) => describeMessage(message, fault)));

/**
 * Copies the sound messages of a file into another one beside it.
 *
 * @throws UnsuitableDataError where no message is sound.
 */
async function soundMessages(
  path: string,
  messages: readonly PlacedMessage[],
  part: Part,
): Promise<{ path: string; lacking: string[] }> {
  const sound = `${path}.sound`;
  const lacking: string[] = [];
  await copyFile(path, sound);
  let placed = messages;
  for (;;) {
    const faults = await faultsOf(sound, placed, part);
    if (faults.size === 0) return { path: sound, lacking };
    if (faults.size === placed.length) throw new UnsuitableDataError("none of its messages is sound");
    lacking.push(...wordsOf(faults));
    placed = await movedUp(
      sound,
      placed.filter((message) => !faults.has(message)),
    );
  }
}

/** Moves messages to the beginning of their file, one after another, and cuts off the rest. */
async function movedUp(path: string, messages: readonly PlacedMessage[]): Promise<PlacedMessage[]> {
  await using file = await open(path, "r+");
  const placed: PlacedMessage[] = [];
  let end = 0;
  for (const message of messages) {
    const { buffer } = await file.read(Buffer.alloc(message.length), 0, message.length, message.at);
    await file.write(buffer, 0, message.length, end);
    placed.push({ ...message, at: end });
    end += message.length;
  }
  await file.truncate(end);
  return placed;
}

const HEAD = 16;

interface PlacedMessage {
  /** Position among the fetched messages, counted from 1. */
  number: number;
  at: number;
  length: number;
  /** Number of fields that the index lists in it. */
  fields: number;
  wanted: readonly WantedMessage[];
}

/**
 * Returns the messages that are damaged or do not match the index, with their faults. Badly framed messages are found
 * first, because they make it impossible to tell the fields of a file apart.
 *
 * A sound field of a kind that is not decoded passes; the ingest decides about it.
 *
 * @throws UnsuitableDataError where the messages are of another publication.
 */
async function faultsOf(
  path: string,
  messages: readonly PlacedMessage[],
  part: Part,
): Promise<Map<PlacedMessage, string>> {
  const badlyFramed = new Map<PlacedMessage, string>();
  await using file = await open(path);
  for (const message of messages) {
    const fault = await framingFault(file, message);
    if (fault) badlyFramed.set(message, fault);
  }
  return badlyFramed.size > 0 ? badlyFramed : damagedFields(path, messages, part);
}

/**
 * Checks that a message is framed as its index says: "GRIB", edition 2, its length, "7777".
 *
 * @returns The fault; undefined for a sound message.
 */
async function framingFault(file: FileHandle, { at, length }: PlacedMessage): Promise<string | undefined> {
  const read = async (from: number, bytes: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, from);
    return buffer.subarray(0, bytesRead);
  };
  const head = await read(at, HEAD);
  if (head.length < HEAD || head.toString("latin1", 0, 4) !== "GRIB" || head[7] !== 2)
    return "it does not begin as a GRIB2 message";
  const stated = Number(head.readBigUInt64BE(8));
  if (stated !== length) return `it is ${stated} octets long, ${length} by the index`;
  const end = (await read(at + length - 4, 4)).toString("latin1");
  return end === "7777" ? undefined : "it does not end with 7777";
}

function damagedFields(
  path: string,
  messages: readonly PlacedMessage[],
  { cycle, times }: Part,
): Map<PlacedMessage, string> {
  using source = fileSource(path);
  const { fields, rejected } = scanGrib2(source);
  const faults = new Map<PlacedMessage, string>();
  // An unreadable message may end early, so the numbers of later messages are unreliable and they are not judged.
  const damaged = rejected.find(({ parameter }) => parameter === undefined);
  if (damaged) {
    const message = messages[damaged.message - 1] ?? messages.at(-1)!;
    return faults.set(message, `it is damaged: ${damaged.reason}`);
  }
  for (const [index, message] of messages.entries()) {
    const isOfMessage = (one: { message: number }) => one.message === index + 1;
    const readable = fields.filter(isOfMessage);
    const found = readable.length + rejected.filter(isOfMessage).length;
    const other = message.wanted.find(
      ({ selectors, part }) =>
        selectors &&
        !readable.some(
          (field) =>
            isOfPart(partOfField(field), part) && selectors.some((selector) => matchesField(selector, field)),
        ),
    );
    if (found !== message.fields)
      faults.set(message, `it has ${found} fields, ${message.fields} by the index`);
    else if (other && found === readable.length)
      faults.set(message, `it is not ${describeMessage(other)}, as the index says`);
  }
  const stale = fields.find((field) => field.referenceTime !== cycle);
  if (stale)
    throw new UnsuitableDataError(
      `it is of the cycle ${formatInstant(stale.referenceTime)}, not ${formatInstant(cycle)}`,
    );
  const other = fields.find((field) => !times.includes(field.time.end));
  if (other) throw new UnsuitableDataError(`it is valid at ${formatInstant(other.time.end)}`);
  return faults;
}
