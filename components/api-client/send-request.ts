import { createStore } from "#lib/store.ts";
import { firstSent } from "./first-request.ts";
import {
  canSave,
  forgetCount,
  SIGNED_FRAME,
  savedName,
  savedReply,
  saveReply,
  storeOf,
} from "./saved-replies.ts";

/** The service could not be reached, or the user no longer wanted to wait for it. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly cancelled: boolean;
  constructor(cancelled: boolean, cause: unknown) {
    super("No answer of the service", { cause });
    this.cancelled = cancelled;
  }
}

interface Owner {
  key: string | undefined;
  /** Store of the saved replies, for requests by signed paths. */
  store: string | undefined;
}

type Place = [store: string, name: string];

/**
 * Sends a request. What it is answered is saved on the device if it is of use later; where the service does not answer, a
 * saved reply takes the place of its answer.
 *
 * @param init With the text of the body, if there is one.
 * @throws NoAnswerError when there is neither; the reason of the signal when that aborts.
 */
export async function sendRequest(
  path: string,
  init: RequestInit & { signal?: AbortSignal; body?: string },
  owner: Owner,
): Promise<Response> {
  const { signal } = init;
  const sent = new AbortController();
  const leave = () => sent.abort(signal?.reason);
  if (signal?.aborted) leave();
  // Also while the body arrives.
  signal?.addEventListener("abort", leave, { once: true });
  let cancelled = false;
  const answered = watchRequest(() => {
    cancelled = true;
    sent.abort();
  });
  const place = placeOf(path, init, owner);
  const forgotten = forgetCount();
  // Frames never change. Of others a reply of the browser's cache would say, without a network too, that all is well.
  const cache = SIGNED_FRAME.test(path) ? "default" : "no-cache";
  try {
    const send = () => fetch(path, { ...init, cache, signal: sent.signal });
    // One that failed before the page was alive is sent again.
    const reply = await (firstSent(path, init)?.reply.catch(send) ?? send());
    publish({ savedAt: undefined });
    // 202 is no answer yet.
    if (place && reply.status === 200) void save(place, reply.clone(), () => forgetCount() === forgotten);
    return reply;
  } catch (error) {
    if (signal?.aborted) throw error;
    const found = await place?.catch(() => undefined);
    const saved = found && (await savedReply(...found).catch(() => undefined));
    if (!saved) throw new NoAnswerError(cancelled, error);
    publish({ savedAt: Math.min(saved.at, readConnection().savedAt ?? saved.at) });
    return saved.reply;
  } finally {
    answered();
  }
}

/** @param isWanted False when what was saved has been forgotten meanwhile. */
async function save(
  place: Promise<Place | undefined>,
  reply: Response,
  isWanted: () => boolean,
): Promise<void> {
  const found = await place.catch(() => undefined);
  if (found) await saveReply(...found, reply, Math.floor(Date.now() / 1000), isWanted);
  else await reply.body?.cancel();
}

/** Where the reply is saved; undefined where it is not. */
function placeOf(
  path: string,
  { method, body }: { method?: string; body?: string },
  { key, store }: Owner,
): Promise<Place | undefined> | undefined {
  const isRead = method === undefined || method === "GET" || body !== undefined;
  if (!canSave() || !isRead || (key === undefined && store === undefined)) return undefined;
  return Promise.all([store ?? storeOf(key ?? ""), savedName(path, body)]).then(([owner, name]) =>
    name === undefined ? undefined : [owner, name],
  );
}

interface Connection {
  /** The oldest saved reply that is shown in place of an answer, Unix seconds; undefined while the service answers. */
  savedAt: number | undefined;
  /** A request has waited for an answer for longer than `PATIENCE_MS`. */
  late: boolean;
}

/** How long a server may take to begin its answer before the page says so, milliseconds. */
export const PATIENCE_MS = 8000;

const connection = createStore<Connection>(() => ({ savedAt: undefined, late: false }));

export const readConnection = connection.read;
export const subscribeToConnection = connection.subscribe;

/** What ends requests that wait in this thread. */
const waiting = new Set<() => void>();
/** What ends late requests: in this thread, and in worker threads. */
const late = new Set<() => void>();

/**
 * Watches a request until its answer begins.
 *
 * @param cancel Ends it.
 * @returns Call it when the answer has begun, or the request has failed.
 */
function watchRequest(cancel: () => void): () => void {
  waiting.add(cancel);
  const timer = setTimeout(() => reportLate(cancel, true), PATIENCE_MS);
  return () => {
    clearTimeout(timer);
    waiting.delete(cancel);
    reportLate(cancel, false);
  };
}

/** @param isLate Whether what `cancel` ends is late. */
export function reportLate(cancel: () => void, isLate: boolean): void {
  if (isLate) late.add(cancel);
  else late.delete(cancel);
  publish({ late: late.size > 0 });
}

/**
 * Ends all late requests, and those that wait beside them, which would be late next: what is saved is shown in their place.
 */
export function cancelLate(): void {
  for (const cancel of new Set([...late, ...waiting])) cancel();
}

function publish(change: Partial<Connection>): void {
  const before = readConnection();
  const next = { ...before, ...change };
  if (next.savedAt !== before.savedAt || next.late !== before.late) connection.set(next);
}
