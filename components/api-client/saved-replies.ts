import { createStore } from "#lib/store.ts";
import { parseInstant } from "#lib/time.ts";

/**
 * Replies of the service that are saved on the device for times when it cannot be reached.
 *
 * Each key has its own store, named by a hash: the key itself is never stored, and replies to one key are
 * never shown with another. Stores exist in secure contexts only (HTTPS, or localhost).
 */

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
const FRAMES = "/saved/frames";
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
  const [, frame] = SIGNED_FRAME.exec(path) ?? [];
  if (frame) return FRAMES + frame;
  const tide = tideName(path);
  if (tide) return tide;
  return savedPaths.some((saved) => saved.test(path)) ? path : undefined;
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
    const headers = new Headers({ [SAVED_AT]: String(at) });
    for (const kept of keptHeaders) {
      const value = reply.headers.get(kept);
      if (value !== null) headers.set(kept, value);
    }
    const copy = new Response(await reply.arrayBuffer(), { headers });
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

/** Unix seconds of the end of a prediction, if it covers `time`; 0 for any other reply. */
async function endOf(reply: Response | undefined, time: number): Promise<number> {
  const { from, to }: { from?: string; to?: string } = reply ? await reply.clone().json() : {};
  const end = parseInstant(to ?? "");
  return parseInstant(from ?? "") <= time && time < end ? end : 0;
}

export async function savedReply(store: string, name: string): Promise<SavedReply | undefined> {
  const cache = (await caches.has(store)) ? await caches.open(store) : undefined;
  const reply = await cache?.match(name);
  return reply && { reply, at: Number(reply.headers.get(SAVED_AT)) };
}

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

/** Deletes saved replies. @param key Replies to this key are retained. */
export async function forgetReplies(key?: string): Promise<void> {
  stopSaving();
  if (!canSave()) return;
  const kept = key === undefined ? undefined : await storeOf(key);
  try {
    const stores = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== kept);
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
