import { createHash } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type EnsemblePart, partName } from "#server/ingest/ensemble-part.ts";
import { ifMissing, makeFolder, syncFolder } from "#server/platform/files.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import { fetchIndex, storedIndex } from "./fetch-files.ts";
import { fetchMessages } from "./fetch-messages.ts";
import { LEAST_SHARE, type Part, type PartObjects } from "./field-feed.ts";
import { describeMessage, findMessages } from "./find-messages.ts";
import {
  type FetchWork,
  isForbidden,
  isOfMirror,
  LackingError,
  type Ready,
  UnsuitableDataError,
} from "./part-store.ts";

type MessageObject = Extract<PartObjects, { kind: "messages" }>;

/** Objects that are fetched at the same time. */
const AT_ONCE = 4;

/** Ending of the name of a file without some of the wanted messages. */
const INCOMPLETE = "incomplete.grib2";
/** Names of the folder while it is filled and when the part is complete. */
const [GROWING, WHOLE] = ["members.growing", "members"];

/**
 * Fetches the members of an ensemble at one step, or statistics over them, into a folder with a file for each object.
 * All indices come first, so that no bytes are spent on a host that lacks members which the next one may have. A file of an
 * earlier attempt is not fetched again, and neither is its index. While the host lacks members, it is asked for their indices
 * alone: a stored index that lacks nothing is confirmed only before its messages are fetched.
 *
 * @returns "absent" where the host has none of them.
 * @throws LackingError where it lacks some and the work does not take an incomplete part; FetchError; UnsuitableDataError;
 *   the signal's reason.
 */
export async function fetchMembers(
  base: string,
  { objects }: Extract<PartObjects, { kind: "members" }>,
  part: Part,
  work: FetchWork,
): Promise<Ready | "absent"> {
  const folder = join(work.folder, GROWING);
  await takeUp(work.folder, folder);
  /** Parts of the ensemble that the host does not provide, each with its error; undefined where it does not have one. */
  const failed = new Map<EnsemblePart, Error | undefined>();
  const lose = (object: MessageObject, error: Error | undefined) => {
    for (const one of partsOf(object)) failed.set(one, error);
  };
  /** Set where a published index lacks wanted messages, which is a fault: a member that is only late has no index yet. */
  let cut: LackingError | undefined;
  const all = new Set(objects.flatMap((object) => partsOf(object)));
  const guarded = async (object: MessageObject, fetch: () => Promise<void>) => {
    // A host that fails for most members is not asked for the rest.
    if (failed.size > (1 - LEAST_SHARE) * all.size) return;
    try {
      await fetch();
    } catch (error) {
      work.signal.throwIfAborted();
      if (!isOfMirror(error)) throw error;
      lose(object, error);
    }
  };

  const lead = (part.times[0]! - part.cycle) / 3600;
  const lackingIn = (index: string, { index: { form }, wanted }: MessageObject) =>
    findMessages(index, form, wanted, { cycle: part.cycle, lead }).lacking;
  const indices = new Map<MessageObject, string>();
  const askFor = (asked: readonly MessageObject[], again: boolean) =>
    inParallel(AT_ONCE, asked, (object) =>
      guarded(object, async () => {
        const index = await fetchIndex(`${base}/${object.index.object}`, work, again);
        if (index === "absent") return lose(object, undefined);
        const lacking = lackingIn(index, object);
        for (const message of lacking) failed.set(message.part!, undefined);
        const [first] = lacking;
        if (first) cut ??= new LackingError("the index", [describeMessage(first)]);
        indices.set(object, index);
      }),
    );
  const isComplete = async (object: MessageObject): Promise<boolean> => {
    const index = await storedIndex(`${base}/${object.index.object}`, work.folder);
    try {
      return index !== undefined && lackingIn(index.text, object).length === 0;
    } catch (error) {
      if (error instanceof UnsuitableDataError) return false;
      throw error;
    }
  };

  const complete: MessageObject[] = [];
  const others: MessageObject[] = [];
  const fileOf = ({ object }: MessageObject, wanted: MessageObject["wanted"]) =>
    join(folder, `${keyOf(object, wanted)}.grib2`);
  for (const object of objects) {
    if (await stat(fileOf(object, object.wanted)).catch(ifMissing(undefined))) continue;
    ((await isComplete(object)) ? complete : others).push(object);
  }
  // A stored index that lacks something may have been damaged or cut on the way, and its host would say that it is unchanged.
  await askFor(others, true);
  if (failed.size === all.size && errors().length === 0) return "absent";
  checkFailed();
  // The host may have replaced these files while it was asked for others.
  await askFor(complete, false);
  checkFailed();

  const damaged: string[] = [];
  await inParallel(AT_ONCE, [...indices], ([object, index]) =>
    guarded(object, async () => {
      const wanted = object.wanted.filter(({ part }) => !failed.has(part!));
      if (wanted.length === 0) return;
      const file = fileOf(object, wanted);
      if (await stat(file).catch(ifMissing(undefined))) return;
      const fetched = await fetchMessages(base, { ...object, wanted }, part, work, index);
      if (fetched === "absent") return lose(object, undefined);
      await fetched.settle();
      const { lacking = [] } = fetched;
      damaged.push(...lacking);
      // A file without some of its messages is not taken for a whole one by a later attempt.
      await rename(fetched.path, lacking.length > 0 ? file.replace(/grib2$/, INCOMPLETE) : file);
    }),
  );
  checkFailed();
  return {
    name: WHOLE,
    path: folder,
    lacking: [...namesOf(failed), ...damaged],
    settle: () => syncFolder(folder),
  };

  function errors(): Error[] {
    return [...failed.values()].filter((error) => error !== undefined);
  }

  function checkFailed(): void {
    if (failed.size === 0) return;
    const [error] = errors();
    const tooMany = all.size - failed.size < LEAST_SHARE * all.size;
    if (tooMany && error) throw error;
    const names = namesOf(failed);
    if (!work.takesIncomplete)
      throw new LackingError("the host", names, errors().find((one) => !isForbidden(one)) ?? cut);
    if (tooMany) throw new UnsuitableDataError(`it lacks ${names.length} of ${all.size} members`);
  }
}

/** Takes the whole files of an earlier attempt, even of one that was complete but for some members. */
async function takeUp(parts: string, folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(ifMissing([] as string[])))
    if (name.endsWith(INCOMPLETE)) await rm(join(folder, name));
  const earlier = join(parts, WHOLE);
  if (await stat(earlier).catch(ifMissing(undefined))) {
    await makeFolder(folder);
    for (const name of await readdir(earlier))
      if (!name.endsWith(INCOMPLETE)) await rename(join(earlier, name), join(folder, name));
    await rm(earlier, { recursive: true });
  }
  await makeFolder(folder);
}

function partsOf({ wanted }: MessageObject): EnsemblePart[] {
  return [...new Set(wanted.map(({ part }) => part!))];
}

function namesOf(failed: ReadonlyMap<EnsemblePart, unknown>): string[] {
  return [...failed.keys()].map(partName);
}

/** Name of the file of some messages, whichever host they came from: what is there is not asked for at another one. */
function keyOf(object: string, wanted: MessageObject["wanted"]): string {
  const key = JSON.stringify([object, wanted.map(({ element, part }) => [element, part])]);
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}
