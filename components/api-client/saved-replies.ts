import { parseInstant } from "#lib/time.ts";

/**
 * Replies of the service that are kept on the device, for when it cannot be reached.
 *
 * Each key has a store of its own, named by a hash: the key itself is never stored, and what one key was answered is never
 * shown with another one. Stores exist in secure contexts only (HTTPS, or this machine).
 */

export interface SavedReply {
  reply: Response;
  at: number;
}

const PREFIX = "metocean-replies-";
const SAVED_AT = "x-saved-at";

const keptHeaders = ["content-type", "x-data-age"];

/** What a store holds at most; the oldest go first. Frames are stored as they are decoded: about 0.3 MB a chunk. */
const MAX_FRAMES = 90;
const MAX_OTHERS = 60;

/** Other replies that a page is of use without the service. */
const savedPaths = [
  /^\/2DMetOcean\/manifest\?/,
  /^\/storms(?:\/outlooks)?\?/,
  /^\/storms\/[A-Z0-9]+\/history\?/,
  /^\/user\/tasks\?/,
  /^\/feeds$/,
];

/** Questions whose answers are saved, by the whole question. */
const savedQuestions = ["/MetOcean", "/passages/evaluate"];

export const SIGNED_FRAME = /^\/2DMetOcean\/signed-frames\/[^/]+(\/.+)$/;
const FRAMES = "/saved/frames";
const TIDES = "/saved/tides";

/**
 * Name of a reply in a store; undefined for those that are not saved. Paths that are signed differ every two hours, the
 * frames that they lead to do not.
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

/** Name of the prediction of a station above a datum, whatever its span: a card that is opened days later finds it. */
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
    // A browser that blocks the data of sites may throw when its caches are named.
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/**
 * Saves a copy of a reply. A device without room saves nothing, and goes on. The tide of another month does not take the
 * place of that of now, which reaches weeks ahead, nor one of now that reaches less far.
 *
 * @param isWanted Asked when the reply has arrived.
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
    // The newest are last, also those that replace an older one.
    await cache.delete(name);
    await cache.put(name, copy);
    const isFrame = name.startsWith(FRAMES);
    const isAlike = ({ url }: Request) => new URL(url).pathname.startsWith(FRAMES) === isFrame;
    const alike = (await cache.keys()).filter(isAlike);
    const excess = alike.slice(0, Math.max(0, alike.length - (isFrame ? MAX_FRAMES : MAX_OTHERS)));
    await Promise.all(excess.map((request) => cache.delete(request)));
  } catch {
    // A reply that was interrupted, or a full disk: what was saved before stays.
  }
}

/** The end of a prediction that covers a time, Unix seconds; 0 of any other. */
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

let forgotten = 0;

/** How often replies were forgotten: what was requested before is not saved after it. */
export const forgetCount = (): number => forgotten;

/** What was requested before is not saved: the page has forgotten its key, or uses another one. */
export function stopSaving(): void {
  forgotten++;
}

/** How long ago a reply was saved, seconds; 0 for one that the service has just sent. @param now Unix seconds. */
export function secondsSaved(reply: Response, now: number): number {
  const at = reply.headers.get(SAVED_AT);
  return at === null ? 0 : Math.max(0, Math.round(now - Number(at)));
}

/** Deletes what is saved. @param key What this key was answered stays. */
export async function forgetReplies(key?: string): Promise<void> {
  stopSaving();
  if (!canSave()) return;
  const kept = key === undefined ? undefined : await storeOf(key);
  try {
    const stores = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== kept);
    await Promise.all(stores.map((name) => caches.delete(name)));
  } catch (error) {
    // A browser that blocks the data of sites has saved nothing.
    if (!(error instanceof DOMException)) throw error;
  }
}

async function digest(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
