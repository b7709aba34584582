import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Parsed, Provider } from "@open-metocean/storms/bulletin";
import { parseText } from "@open-metocean/storms/text";
import { isOver } from "#server/platform/clock.ts";
import { FetchError, printable } from "#server/platform/fetching/errors.ts";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import { ifMissing, makeFolder, replaceFile } from "#server/platform/files.ts";
import type { Logger } from "#server/platform/log.ts";
import type { LiveFeed, LiveRound, TextPlace } from "./feeds.ts";

interface LiveRoundDeps {
  fetcher: Fetcher;
  /** Folder of all storm feeds. */
  folder: string;
  /** Unix seconds. */
  now: number;
  signal: AbortSignal;
  log?: Pick<Logger, "warn"> | undefined;
}

/** Result of a look at a feed. */
export interface RoundResult {
  /** Whether a text has changed or was removed. */
  hasChanged: boolean;
  /** Whether the feed has no text, from any look so far. */
  isEmpty: boolean;
  /** Number of places that were requested, and of those that an address gave. */
  wanted: number;
  there: number;
  /** The reason why the feed does not work, for the operator. */
  problem?: string;
  /** Host of the text that gave the newest news. */
  mirror?: string;
  /** Time of the newest text, Unix seconds. */
  newest?: number;
  bytes: number;
  /** Time of the next look, Unix seconds. */
  next: number;
}

/** No text of a storm feed is this long. */
const MAX_BYTES = 20_000_000;

/** An address that fails is asked at growing intervals, seconds. */
const FIRST_RETRY_S = 300;
const LAST_RETRY_S = 3600;

/** A feed without any text is retried sooner: a router may start after the service. */
const FIRST_EMPTY_RETRY_S = 60;
const LAST_EMPTY_RETRY_S = 600;

/** The time of a list may go back by this much: what was newest in it is over. */
const LIST_BACK_S = 12 * 3600;

/** A text that no list names any more stays for this long: other texts may still be merged with it. */
const UNWANTED_S = 10 * 86_400;

/** Shortest time between two looks, seconds. */
const STEP_S = 60;

/** Folder of the texts of a provider, as `storms refresh --from` reads it. */
export function textFolder(folder: string, provider: Provider): string {
  return path.join(folder, "texts", provider);
}

export function indexFile(folder: string, name: string): string {
  return path.join(folder, "index", `${name}.json`);
}

/** Looks at a feed once: texts that are due are fetched, and only a good text replaces one in the folder. */
export async function lookAt(feed: LiveFeed, deps: LiveRoundDeps): Promise<RoundResult> {
  const { fetcher, folder, now, signal, log } = deps;
  const texts = path.join(textFolder(folder, feed.provider), feed.name);
  const pages = path.join(folder, "pages", feed.name);
  const file = indexFile(folder, feed.name);
  const index: TextIndex = await readIndex(file);
  await forgetLost(texts, index);
  const wanted = new Map<string, TextPlace>();
  const missing: string[] = [];
  const due: number[] = [];
  let [there, bytes, hasChanged, hasAsked] = [0, 0, false, false];

  /** Asks one address, if it is due. */
  async function ask(url: string, everyS: number, take: Take): Promise<Address> {
    const address = index.addresses[url] ?? { due: 0, outcome: "failed", failures: 0 };
    index.addresses[url] = address;
    // An address that is due within a minute is asked now, so that the addresses of a feed stay in step.
    if (!isOver(address.due - STEP_S, now, Math.max(everyS, LAST_RETRY_S))) return address;
    hasAsked = true;
    try {
      const answer = await fetcher.get(url, { ...versionOf(address), maxBytes: MAX_BYTES, signal });
      if (answer.kind === "absent") address.outcome = "absent";
      if (answer.kind === "ok") {
        bytes += answer.length;
        const { etag, lastModified } = answer;
        Object.assign(address, { etag, lastModified, newest: undefined });
        address.outcome = await take(url, Buffer.from(answer.bytes!).toString("utf8"), address);
      }
      address.failures = 0;
      delete address.reason;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FetchError || error instanceof UnusableTextError)) throw error;
      address.outcome = error instanceof UnusableTextError ? "bad" : "failed";
      address.failures++;
      address.reason = error.message;
      log?.warn({ feed: feed.name, url, reason: error.message }, "storm text not fetched");
    }
    address.due = now + waitOf(address, everyS, Object.keys(index.texts).length === 0);
    return address;
  }

  /** Puts a text into the folder, if it is good and newer than the one there. */
  async function takeText({ file: name, urls }: TextPlace, url: string, text: string, address: Address) {
    const judged = judgeText(`${feed.name}/${name}`, text, now);
    if (judged.kind === "void") return "void";
    if (judged.kind === "bad") throw new UnusableTextError(url, judged.reason);
    const { newest, isList } = judged;
    if (newest !== undefined) address.newest = newest;
    const record = index.texts[name];
    const at = path.join(texts, name);
    const before = record && (await readFile(at, "utf8").catch(ifMissing(undefined)));
    if (record && before !== undefined && before !== text) {
      // A list may lose its newest entry; any other text never says less than it did before.
      if (isOlder(newest, record.newest, isList ? LIST_BACK_S : 0)) return "same";
      const isBehind = urls.indexOf(record.url) < urls.indexOf(url) && urls.includes(record.url);
      if (isBehind && newest === record.newest) return "same";
    }
    if (before !== text) {
      await makeFolder(path.dirname(at));
      await replaceFile(at, text);
      hasChanged = true;
    }
    index.texts[name] = { url, ...(newest !== undefined && { newest }), confirmed: now };
    return "good";
  }

  async function bring(place: TextPlace, root: string, take: Take) {
    wanted.set(place.file, place);
    let isOk = false;
    for (const url of place.urls) {
      signal.throwIfAborted();
      const address = await ask(url, place.everyS, take);
      due.push(address.due);
      if (!answered.has(address.outcome)) continue;
      isOk = true;
      const record = index.texts[place.file];
      if (record?.url === url) record.confirmed = now;
      if (place.freshS === undefined || now - (address.newest ?? now) <= place.freshS) break;
    }
    if (isOk) there++;
    const text = await readFile(path.join(root, place.file), "utf8").catch(ifMissing(undefined));
    return { text, isOk };
  }

  const round: LiveRound = {
    now,
    text: (place) => bring(place, texts, (url, text, address) => takeText(place, url, text, address)),
    page: (place, isWhole) =>
      bring(place, pages, async (url, text) => {
        if (!isWhole(text)) throw new UnusableTextError(url, "no whole list");
        await makeFolder(pages);
        await replaceFile(path.join(pages, place.file), text);
        return "good";
      }),
    lacks: (...files) => void missing.push(...files),
    async remove(name) {
      await rm(path.join(texts, name), { force: true });
      delete index.texts[name];
      hasChanged = true;
    },
    files: async () => Object.keys(index.texts).sort(),
  };

  try {
    await feed.collect(round);
    for (const [name, { confirmed }] of Object.entries(index.texts))
      if (!wanted.has(name) && now - confirmed > UNWANTED_S) await round.remove(name);
    await removeStrays(texts, index);
  } finally {
    if (hasAsked || hasChanged) {
      await makeFolder(path.dirname(file));
      await writeIndex(file, index);
    }
  }
  const records = Object.values(index.texts).filter(({ newest }) => newest !== undefined);
  const best = records.toSorted((one, other) => other.newest! - one.newest!)[0];
  const reasons = missing.flatMap((name) =>
    (wanted.get(name)?.urls ?? []).flatMap((url) => index.addresses[url]?.reason ?? []),
  );
  return {
    hasChanged,
    isEmpty: Object.keys(index.texts).length === 0,
    wanted: wanted.size,
    there,
    ...(missing.length > 0 && { problem: reasons.join("; ") || `no host has ${missing.join(" or ")}` }),
    ...(best && { newest: best.newest!, mirror: new URL(best.url).hostname }),
    bytes,
    next: Math.max(now + STEP_S, Math.min(...due)),
  };
}

/** The text that arrived cannot be used. */
class UnusableTextError extends Error {
  constructor(url: string, reason: string) {
    const { hostname, pathname } = new URL(url);
    // The reason may quote what the host sent.
    super(printable(`${hostname} sent ${pathname} unusable: ${reason}`));
  }
}

/** Decides what to do with a text that an address gave. @throws UnusableTextError */
type Take = (url: string, text: string, address: Address) => Promise<Address["outcome"]>;

/** The address has a text, which need not be the one in the folder. */
const answered: ReadonlySet<Address["outcome"]> = new Set(["good", "same", "void"]);

/** Validators for a conditional request; none after an unusable text, so that the whole text is sent again. */
function versionOf({ outcome, etag, lastModified }: Address): { etag?: string; modifiedSince?: number } {
  if (!answered.has(outcome)) return {};
  if (etag !== undefined) return { etag };
  return lastModified === undefined ? {} : { modifiedSince: lastModified };
}

/** Seconds until an address is asked again. */
function waitOf({ failures, outcome }: Address, everyS: number, isEmpty: boolean): number {
  if (failures > 0 && isEmpty) return Math.min(LAST_EMPTY_RETRY_S, FIRST_EMPTY_RETRY_S * 2 ** (failures - 1));
  const usual = Math.min(everyS, LAST_RETRY_S);
  if (failures > 0) return Math.max(usual, Math.min(LAST_RETRY_S, FIRST_RETRY_S * 2 ** (failures - 1)));
  return outcome === "absent" ? usual : everyS;
}

function isOlder(time: number | undefined, other: number | undefined, byS: number): boolean {
  return time !== undefined && other !== undefined && time < other - byS;
}

/** Forgets texts whose file is gone: their address is asked for the whole text again. */
async function forgetLost(texts: string, index: TextIndex): Promise<void> {
  for (const [name, { url }] of Object.entries(index.texts)) {
    if (existsSync(path.join(texts, name))) continue;
    delete index.texts[name];
    delete index.addresses[url];
  }
}

/**
 * Removes texts that the index does not have: a process died before it wrote the index, or someone put them there by hand.
 */
async function removeStrays(texts: string, index: TextIndex): Promise<void> {
  const entries = await readdir(texts, { recursive: true, withFileTypes: true }).catch(ifMissing([]));
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const at = path.join(entry.parentPath, entry.name);
    const name = path.relative(texts, at).split(path.sep).join("/");
    if (!index.texts[name]) await rm(at, { force: true });
  }
}

/** State of one address. */
interface Address {
  /** Validator from its last answer, for a conditional request. */
  etag?: string;
  lastModified?: number;
  /** The address is not asked before this time, Unix seconds. */
  due: number;
  /** Outcome of the last request; `same` is a text no newer than the one in the folder. */
  outcome: "good" | "same" | "bad" | "absent" | "void" | "failed";
  /** Time of the newest statement in its text, Unix seconds. */
  newest?: number;
  /** Failures in a row, and what the last one was, for the operator. */
  failures: number;
  reason?: string;
}

/** A text in the folder. */
interface TextRecord {
  url: string;
  newest?: number;
  /** Last time at which an address confirmed the text as the newest, Unix seconds. */
  confirmed: number;
}

/** State of the texts of a feed, stored beside them. */
interface TextIndex {
  addresses: Record<string, Address>;
  texts: Record<string, TextRecord>;
}

/** An index that is missing or damaged costs one unconditional request for each text. */
export async function readIndex(path: string): Promise<TextIndex> {
  const text = await readFile(path, "utf8").catch(ifMissing(""));
  try {
    const { addresses, texts } = JSON.parse(text) as Partial<TextIndex>;
    if (isRecord(addresses) && isRecord(texts)) return { addresses, texts };
  } catch {
    // A damaged index counts as a missing one.
  }
  return { addresses: {}, texts: {} };
}

async function writeIndex(path: string, index: TextIndex): Promise<void> {
  await replaceFile(path, JSON.stringify(index, null, 1));
}

function isRecord(value: unknown): value is Record<string, never> {
  return typeof value === "object" && value !== null;
}

/** Verdict on a text that was fetched. */
type Judgement =
  | { kind: "good"; newest: number | undefined; isList: boolean }
  /** The text is cut, unreadable or of another kind. */
  | { kind: "bad"; reason: string }
  /** The text is a test, or the last one of a slot and left there long ago. */
  | { kind: "void" };

/**
 * Whether a text may replace the one before.
 *
 * @param now Weather clock, Unix seconds.
 */
export function judgeText(file: string, text: string, now: number): Judgement {
  const parsed = parseText(file, text, now);
  const [problem] = parsed.problems;
  if (parsed.isCut) return { kind: "bad", reason: problem?.reason ?? "it ends in its middle" };
  if (parsed.isVoid) return { kind: "void" };
  if (problem && isEmpty(parsed)) return { kind: "bad", reason: problem.reason };
  const newest = newestTime(parsed);
  // A text with a stamp ahead of the clock does not keep out later texts.
  return {
    kind: "good",
    newest: newest === undefined ? undefined : Math.min(newest, now),
    isList: parsed.listed !== undefined,
  };
}

function isEmpty({ reports, listed, outlook, alert, cancels }: Parsed): boolean {
  return reports.length === 0 && !listed && !outlook && !alert && !cancels;
}

/** Time of the newest statement of a text, Unix seconds. */
function newestTime({ reports, listed, outlook, alert }: Parsed): number | undefined {
  const times = [
    ...reports.flatMap(({ issued, observed, forecast }) => [issued, observed.at(-1)?.time, forecast?.base]),
    listed?.updated,
    outlook?.issued_at,
    alert?.issued,
  ].filter((time) => time !== undefined);
  return times.length > 0 ? Math.max(...times) : undefined;
}
