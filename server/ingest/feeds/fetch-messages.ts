import { BrokenError, CutError, ReplacedError } from "#server/platform/fetching/errors.ts";
import { fetchPieces, type Piece } from "#server/platform/fetching/fetch-pieces.ts";
import { PartialFile } from "#server/platform/fetching/partial-file.ts";
import { checkFields, framingFault, type PlacedMessage, UnsuitableDataError } from "./check-messages.ts";
import { fetchIndex, forgetIndex } from "./fetch-index.ts";
import { type FetchWork, nameOf, type Ready, readyFile } from "./fetch-work.ts";
import type { Part, PartObjects } from "./field-feed.ts";
import { type FoundMessage, findMessages } from "./find-messages.ts";
import { isUnsuitable, LackingError } from "./part-errors.ts";

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
 * @throws FetchError; IndexError, UnsuitableIndexError, UnsuitableDataError; LackingError; the signal's reason.
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
      if (!isMismatch(error)) throw error;
      await forgetIndex(indexUrl, work.folder);
      // An object that lacks some of what is wanted is not worth a second attempt at this look.
      if (restarts === MAX_RESTARTS || work.takesIncomplete) throw error;
    }
  }
}

/** Whether index and object may be of different publications. */
function isMismatch(error: unknown): boolean {
  const broken = error instanceof BrokenError && !(error instanceof CutError);
  return broken || error instanceof ReplacedError || isUnsuitable(error);
}

async function fetchByIndex(
  url: string,
  index: string,
  { index: { form }, wanted }: Extract<PartObjects, { kind: "messages" }>,
  part: Part,
  { fetcher, folder, signal, takesIncomplete, count }: FetchWork,
): Promise<Ready | "absent"> {
  const lead = (part.times[0]! - part.cycle) / 3600;
  const { messages: found, lacking } = findMessages(index, form, wanted, { cycle: part.cycle, lead });
  if (lacking.length > 0 && !takesIncomplete) throw new LackingError("the index", lacking);
  const pieces = place(found);
  const file = await PartialFile.open(nameOf(url, folder, "part"), JSON.stringify([url, pieces]));
  // On a restart, what is there arrived a moment ago.
  const foundBefore = Math.max(0, file.found - count.fetched);
  try {
    const arrived = (bytes: number) => {
      count.fetched += bytes;
    };
    const outcome = await fetchPieces(fetcher, url, pieces, file, { maxBytes: MAX_MESSAGE, arrived, signal });
    if (outcome === "absent") {
      await file.discard();
      return "absent";
    }
    await check(file, pieces, found, part);
    count.reused += foundBefore;
    return { ...readyFile(file, "messages.grib2"), lacking };
  } catch (error) {
    // What cannot be trusted is fetched again; what was merely interrupted stays.
    if (error instanceof ReplacedError || isUnsuitable(error)) await file.discard();
    else await file[Symbol.asyncDispose]();
    throw error;
  }
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
