import { createStore } from "#lib/store.ts";
import { parseInstant } from "#lib/time.ts";

/**
 * Replies of the service that are saved on the device for times when it cannot be reached.
 *
 * Each key has its own store, named by a hash: the key itself is never stored, and replies to one key are
 * never shown with another. Stores exist in secure contexts only (HTTPS, or localhost).
 */

/** Stands for a visitor without a key. No real key contains a space. */
export const GUEST = " guest";

export interface SavedReply {
  reply: Response;
  at: number;
}

const PREFIX = "metocean-replies-";
const SAVED_AT = "x-saved-at";

const keptHeaders = ["content-type", "x-data-age"];

/**
 * Most frames and other replies in a store; the oldest are removed first. Frames are stored decoded, about
 * 0.3 MB per chunk.
 */
const MAX_FRAMES = 90;
const MAX_OTHERS = 60;

/** Other replies with which a page is useful without the service. */
const savedPaths = [
  /^\/2DMetOcean\/manifest\?/,
  /^\/storms(?:\/outlooks)?\?/,
  /^\/storms\/[A-Z0-9]+\/history\?/,
  /^\/user\/tasks\?/,
  /^\/feeds$/,
];

/** Requests whose answers are saved under the whole request body. */
const savedQuestions = ["/MetOcean", "/passages/evaluate"];

export const SIGNED_FRAME = /^\/2DMetOcean\/signed-frames\/[^/]+(\/.+)$/;
export const FRAMES = "/saved/frames";
const TIDES = "/saved/tides";

/**
 * Name of a reply in a store; undefined if it is not saved. Signed paths change every two hours, but the
 * frames they lead to do not.
 *
 * @param body JSON text of the request.
 */
export async function savedName(path: string, body: string | undefined): Promise<string | undefined> {
  if (body !== undefined)
    return savedQuestions.includes(path) ? `/saved${path}/${await digest(body)}` : undefined;
  const frame = frameName(path);
  if (frame) return frame;
  const tide = tideName(path);
  if (tide) return tide;
  return savedPaths.some((saved) => saved.test(path)) ? path : undefined;
}

/** Name of a frame in a store, by its signed path; undefined for any other path. */
export function frameName(path: string): string | undefined {
  const [, frame] = SIGNED_FRAME.exec(path) ?? [];
  return frame && FRAMES + frame;
}

/**
 * Name of a station's prediction above a datum, independent of its span, so that a card opened days later
 * finds it.
 */
function tideName(path: string): string | undefined {
  const [, station, query] = /^\/tides\/([^/?]+)\?(.+)$/.exec(path) ?? [];
  if (!station || station === "now" || station === "stations") return undefined;
  const asked = new URLSearchParams(query);
  if (Number.isNaN(parseInstant(asked.get("from") ?? ""))) return undefined;
  asked.delete("from");
  asked.delete("to");
  return `${TIDES}/${station}?${asked}`;
}

export async function storeOf(key: string): Promise<string> {
  return PREFIX + (await digest(`metocean replies of ${key}`));
}

/**
 * The prefixes of the names of the stores of areas that the user has saved (`saved-areas.ts`) and that a key shows: the first for
 * those that were saved with it, the second for those saved without a key, which hold nothing that a visitor may not read.
 */
export async function areaPrefixes(key: string): Promise<[string, string]> {
  return [areaPrefix(await storeOf(key)), areaPrefix(await storeOf(GUEST))];
}

const areaPrefix = (store: string): string => `${store}-area-`;

export function canSave(): boolean {
  try {
    return typeof caches !== "undefined" && crypto.subtle !== undefined;
  } catch (error) {
    // A browser that blocks site data may throw when its caches are accessed.
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/**
 * Saves a copy of a reply. On a device without space nothing is saved and no error occurs. The tide of
 * another month does not replace the current one, which reaches weeks ahead, nor does a current one that
 * reaches less far.
 *
 * @param isWanted Called when the reply has arrived.
 */
export async function saveReply(
  store: string,
  name: string,
  reply: Response,
  at: number,
  isWanted = () => true,
): Promise<void> {
  try {
    const copy = savedCopy(await reply.arrayBuffer(), reply.headers, at);
    if (!isWanted()) return;
    const cache = await caches.open(store);
    if (name.startsWith(TIDES)) {
      const [end, savedEnd] = [await endOf(copy, at), await endOf(await cache.match(name), at)];
      if (savedEnd > end) return;
    }
    // Deleting first makes a replaced entry the newest.
    await cache.delete(name);
    await cache.put(name, copy);
    const isFrame = name.startsWith(FRAMES);
    const isAlike = ({ url }: Request) => new URL(url).pathname.startsWith(FRAMES) === isFrame;
    const alike = (await cache.keys()).filter(isAlike);
    const excess = alike.slice(0, Math.max(0, alike.length - (isFrame ? MAX_FRAMES : MAX_OTHERS)));
    await Promise.all(excess.map((request) => cache.delete(request)));
  } catch {
    // The reply was interrupted or the disk is full; the entry saved before stays.
  }
}

/** A reply in the form in which it is saved. @param at When it was received, Unix seconds. */
export function savedCopy(body: BodyInit, from: Headers, at: number): Response {
  const headers = new Headers({ [SAVED_AT]: String(at) });
  for (const kept of keptHeaders) {
    const value = from.get(kept);
    if (value !== null) headers.set(kept, value);
  }
  return new Response(body, { headers });
}

/** Unix seconds of the end of a prediction, if it covers `time`; 0 for any other reply. */
async function endOf(reply: Response | undefined, time: number): Promise<number> {
  const { from, to }: { from?: string; to?: string } = reply ? await reply.clone().json() : {};
  const end = parseInstant(to ?? "");
  return parseInstant(from ?? "") <= time && time < end ? end : 0;
}

/** A saved reply; frames are also looked for in the areas that the user has saved. */
export async function savedReply(store: string, name: string): Promise<SavedReply | undefined> {
  const areas = name.startsWith(FRAMES) ? [areaPrefix(store), areaPrefix(await storeOf(GUEST))] : [];
  for (const each of await caches.keys()) {
    if (each !== store && !areas.some((prefix) => each.startsWith(prefix))) continue;
    const reply = await (await caches.open(each)).match(name);
    if (reply) return { reply, at: Number(reply.headers.get(SAVED_AT)) };
  }
  return undefined;
}

/** Whether a reply was saved earlier, and the service has not just sent it. */
export const isSaved = (reply: Response): boolean => reply.headers.has(SAVED_AT);

const forgotten = createStore(() => 0);

/** Number of times that replies were forgotten; a reply requested before is not saved afterwards. */
export const forgetCount = forgotten.read;

/** Prevents pending requests from being saved, because the page has forgotten its key or changed it. */
export function stopSaving(): void {
  forgotten.set(forgotten.read() + 1);
}

/**
 * How long ago a reply was saved, seconds; 0 for a reply that the service has just sent. @param now Unix
 * seconds.
 */
export function secondsSaved(reply: Response, now: number): number {
  const at = reply.headers.get(SAVED_AT);
  return at === null ? 0 : Math.max(0, Math.round(now - Number(at)));
}

/** Deletes saved replies, and saved areas. @param key Those of this key are retained, and areas that were saved without a key. */
export async function forgetReplies(key?: string): Promise<void> {
  stopSaving();
  if (!canSave()) return;
  const kept = key === undefined ? [] : [await storeOf(key), ...(await areaPrefixes(key))];
  try {
    const isKept = (name: string) => kept.some((one, at) => (at === 0 ? name === one : name.startsWith(one)));
    const stores = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && !isKept(name));
    await Promise.all(stores.map((name) => caches.delete(name)));
  } catch (error) {
    // A browser that blocks site data has saved nothing.
    if (!(error instanceof DOMException)) throw error;
  }
}

async function digest(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
