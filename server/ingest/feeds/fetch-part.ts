import { createHash } from "node:crypto";
import path from "node:path";
import type { Clock } from "#server/platform/clock.ts";
import { OutOfBudgetError } from "#server/platform/fetching/errors.ts";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import { makeFolder } from "#server/platform/files.ts";
import { fetchAll, fetchFile } from "./fetch-files.ts";
import { fetchMembers } from "./fetch-members.ts";
import { fetchMessages } from "./fetch-messages.ts";
import { fetchZarr } from "./fetch-zarr.ts";
import {
  type FieldFeed,
  type Mirror,
  membersDue,
  type Part,
  type PartObjects,
  type Profile,
} from "./field-feed.ts";
import type { FetchWork, Ready } from "./part-store.ts";
import {
  AwaitedMembersError,
  claimedNames,
  claimNames,
  completedPart,
  DamagedMessagesError,
  isForbidden,
  isOfMirror,
  LackingError,
  type MirrorFailure,
  markComplete,
  PartFailedError,
} from "./part-store.ts";

export interface FetchedPart {
  /** Path of a complete and checked GRIB2 or NetCDF file, or of a folder with a Zarr v2 store, in the part's folder. */
  file: string;
  bytesFetched: number;
  /** Name of the mirror that it came from. */
  mirror: string;
  /** Wanted content that the mirror lacked. */
  lacking?: readonly string[];
}

interface FetchPartOptions {
  fetcher: Fetcher;
  /** Folder of this part alone; created if absent. Pieces of an earlier attempt are used. */
  folder: string;
  clock: Clock;
  signal: AbortSignal;
  /** Whether a part that lacks some of what is wanted counts as a failure. */
  mustBeWhole?: boolean;
}

/**
 * Fetches a part from the first mirror that has all wanted content undamaged. If no mirror has all of it, the part
 * comes from the one that lacks least.
 *
 * After a kill or a failure the next call fetches what is missing. A complete part is returned without a request.
 *
 * @returns "absent" where no mirror has it yet.
 * @throws PartFailedError where mirrors failed and none provided it; AwaitedMembersError; OutOfBudgetError; errors of this
 *   machine's disk; the signal's reason.
 */
export async function fetchPart(
  feed: FieldFeed,
  part: Part,
  profile: Profile,
  { fetcher, folder, clock, signal, mustBeWhole = false }: FetchPartOptions,
): Promise<FetchedPart | "absent"> {
  await makeFolder(folder);
  const key = keyOf(feed, part, profile);
  const before = await completedPart(folder, key);
  if (before && !(mustBeWhole && before.lacking?.length)) {
    const { file, mirror, lacking } = before;
    return { file, bytesFetched: 0, mirror, lacking };
  }
  const count = { fetched: 0 };
  const failures: MirrorFailure[] = [];
  const absentAt: string[] = [];
  const incomplete: { from: PartSource; lacking: number }[] = [];
  const isOfCycle = async ({ names }: PartSource) =>
    !feed.otherNames || (await claimNames(folder, names)) === names;
  const attempt = async (from: PartSource, takesIncomplete: boolean): Promise<FetchedPart | undefined> => {
    const { mirror, objects } = from;
    try {
      const work = { fetcher: lettingIn(fetcher, mirror), folder, signal, count, takesIncomplete };
      const ready = await fetchFrom(mirror, objects, part, work);
      if (ready !== "absent" && (await isOfCycle(from))) {
        await markComplete(folder, key, mirror.name, ready);
        const file = path.join(folder, ready.name);
        return { file, bytesFetched: count.fetched, mirror: mirror.name, lacking: ready.lacking };
      }
      if (ready !== "absent") await ready.settle();
      absentAt.push(mirror.name);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof OutOfBudgetError || !isOfMirror(error)) throw error;
      failures.push({ mirror: mirror.name, error });
      if (error instanceof LackingError || error instanceof DamagedMessagesError)
        incomplete.push({ from, lacking: error.lacking.length });
    }
    return undefined;
  };
  const names = feed.otherNames && (await claimedNames(folder));
  for (const from of sourcesOf(feed, part, profile, clock.now())) {
    if (names !== undefined && from.names !== names) continue;
    const fetched = await attempt(from, false);
    if (fetched) return fetched;
  }
  if (incomplete.length > 0 && !mustBeWhole && isAwaited(feed, part, profile, clock.now())) {
    const isLate = ({ error }: MirrorFailure) =>
      isForbidden(error) || (error instanceof LackingError && error.cause === undefined);
    if (failures.every(isLate)) return "absent";
    throw new AwaitedMembersError(failures, absentAt, count.fetched);
  }
  for (const { from } of mustBeWhole ? [] : incomplete.toSorted((a, b) => a.lacking - b.lacking)) {
    const fetched = await attempt(from, true);
    if (fetched) return fetched;
  }
  const refused = failures.every(({ error }) => isForbidden(error));
  if (refused && (absentAt.length > 0 || failures.length === 0)) return "absent";
  throw new PartFailedError(failures, absentAt, count.fetched);
}

/** Whether members that a part lacks may still come in time. */
function isAwaited(feed: FieldFeed, part: Part, profile: Profile, now: number): boolean {
  return feed.ensemble !== undefined && now < membersDue(feed, part, feed.parts(part.cycle, profile).length);
}

interface PartSource {
  mirror: Mirror;
  objects: PartObjects;
  /** Which of the feed's names these are, 0 for those of `objects`. */
  names: number;
}

function sourcesOf(feed: FieldFeed, part: Part, profile: Profile, now: number): PartSource[] {
  return feed.mirrors.flatMap((mirror) => {
    if (now - part.cycle > (mirror.youngerThan ?? Number.POSITIVE_INFINITY)) return [];
    if (part.cycle < (mirror.since ?? Number.NEGATIVE_INFINITY)) return [];
    const objects = feed.objects(part, profile, mirror);
    if (!objects) return [];
    const all = [objects, ...(feed.otherNames?.(part, profile, mirror) ?? [])];
    return all.map((objects, names) => ({ mirror, objects, names }));
  });
}

/** The addresses at which a part is looked for, for the operator: hosts, and the names of objects. */
export function describeAddresses(feed: FieldFeed, part: Part, profile: Profile, now: number): string {
  const sources = sourcesOf(feed, part, profile, now);
  if (sources.length === 0) return "no host has cycles of that age";
  // The folders and addresses of the operator's own sources are not for everyone who may read the status.
  const hosts = sources.map(({ mirror }) =>
    feed.isOwn ? mirror.name : mirror.base.replace(/^https?:\/\//, ""),
  );
  const names = sources.map(({ objects }) => firstNameOf(objects));
  return `asked ${[...new Set(hosts)].join(", ")} for ${[...new Set(names)].join(" and ")}`;
}

/** Name of the object of a part that is asked for first. */
function firstNameOf(objects: PartObjects): string {
  if (objects.kind === "members") return objects.objects[0]!.index.object;
  if (objects.kind === "messages") return objects.index.object;
  return objects.kind === "zarr" ? objects.store : objects.objects[0]!;
}

/** Adds the headers of a mirror, because other mirrors on the same host may have other headers or none. */
function lettingIn(fetcher: Fetcher, { headers }: Mirror): Fetcher {
  if (!headers) return fetcher;
  return {
    get: (url, options) => fetcher.get(url, { ...options, headers }),
    close: () => fetcher.close(),
  };
}

function fetchFrom(
  { base }: Mirror,
  objects: PartObjects,
  part: Part,
  work: FetchWork,
): Promise<Ready | "absent"> {
  switch (objects.kind) {
    case "messages":
      return fetchMessages(base, objects, part, work);
    case "members":
      return fetchMembers(base, objects, part, work);
    case "file":
      return fetchFile(base, objects, work);
    case "all":
      return fetchAll(base, objects, work);
    case "zarr":
      return fetchZarr(base, objects, part, work);
  }
}

/**
 * Key of the wanted content. It changes with the wanted content, so that earlier data is not taken for it. It does not
 * depend on the order of the mirrors, because a quarantine changes the order and a part that is being published must
 * stay.
 */
function keyOf(feed: FieldFeed, part: Part, profile: Profile): string {
  const objects = feed.mirrors
    .map((mirror) => {
      const others = feed.otherNames?.(part, profile, mirror);
      return JSON.stringify([feed.objects(part, profile, mirror), ...(others ?? [])]);
    })
    .sort();
  return createHash("sha256")
    .update(JSON.stringify([feed.name, part, objects]))
    .digest("hex");
}
