import { createStore } from "#lib/store.ts";
import {
  canSave,
  forgetCount,
  SIGNED_FRAME,
  savedName,
  savedReply,
  saveReply,
  storeOf,
} from "./saved-replies.ts";

/** The service could not be reached, or the user stopped waiting. */
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
  /** Store of saved replies, for requests by signed paths. */
  store: string | undefined;
}

type Place = [store: string, name: string];

/**
 * Sends a request. The reply is saved on the device if it is useful later; if the service does not answer, a
 * saved reply is returned instead.
 *
 * @param init Includes the text of the body, if there is one.
 * @throws NoAnswerError if there is neither; the reason of the signal if it aborts.
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
  // The signal also aborts while the body arrives.
  signal?.addEventListener("abort", leave, { once: true });
  let cancelled = false;
  const answered = watchRequest(() => {
    cancelled = true;
    sent.abort();
  });
  const place = placeOf(path, init, owner);
  const forgotten = forgetCount();
  // Frames never change. For other replies the browser's cache could pretend, even without a network, that
  // the service answers.
  const cache = SIGNED_FRAME.test(path) ? "default" : "no-cache";
  try {
    const reply = await fetch(path, { ...init, cache, signal: sent.signal });
    publish({ savedAt: undefined });
    // A 202 is not a final answer.
    if (place && reply.status === 200) void save(place, reply.clone(), () => forgetCount() === forgotten);
    return reply;
  } catch (error) {
    if (signal?.aborted) throw error;
    const found = await place?.catch(() => undefined);
    const saved = found && (await savedReply(...found).catch(() => undefined));
    if (!saved) throw new NoAnswerError(cancelled, error);
    noteSaved(saved.at);
    return saved.reply;
  } finally {
    answered();
  }
}

/** @param isWanted Returns false if saved replies were forgotten in the meantime. */
async function save(
  place: Promise<Place | undefined>,
  reply: Response,
  isWanted: () => boolean,
): Promise<void> {
  const found = await place.catch(() => undefined);
  if (found) await saveReply(...found, reply, Math.floor(Date.now() / 1000), isWanted);
  else await reply.body?.cancel();
}

/** Where to save the reply; undefined if it is not saved. */
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
  /**
   * Age of the oldest saved reply that is shown in place of an answer, as Unix seconds of saving; undefined
   * while the service answers.
   */
  savedAt: number | undefined;
  /** A request has been waiting for an answer for longer than `PATIENCE_MS`. */
  late: boolean;
}

/**
 * Notes that the page shows something saved in place of an answer. @param at When it was saved, Unix seconds.
 */
export function noteSaved(at: number): void {
  publish({ savedAt: Math.min(at, readConnection().savedAt ?? at) });
}

/** How long a server may take to begin its answer before the page reports it, milliseconds. */
export const PATIENCE_MS = 8000;

const connection = createStore<Connection>(() => ({ savedAt: undefined, late: false }));

export const readConnection = connection.read;
export const subscribeToConnection = connection.subscribe;

/** Functions that cancel pending requests of this thread. */
const waiting = new Set<() => void>();
/** Functions that cancel late requests, in this thread and in worker threads. */
const late = new Set<() => void>();

/**
 * Watches a request until its answer begins.
 *
 * @param cancel Cancels the request.
 * @returns Must be called when the answer has begun or the request has failed.
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

/** @param isLate Whether the requests that `cancel` cancels are late. */
export function reportLate(cancel: () => void, isLate: boolean): void {
  if (isLate) late.add(cancel);
  else late.delete(cancel);
  publish({ late: late.size > 0 });
}

/**
 * Cancels all late requests, and other pending ones, which would soon be late, so that saved replies are
 * shown instead.
 */
export function cancelLate(): void {
  for (const cancel of new Set([...late, ...waiting])) cancel();
}

function publish(change: Partial<Connection>): void {
  const before = readConnection();
  const next = { ...before, ...change };
  if (next.savedAt !== before.savedAt || next.late !== before.late) connection.set(next);
}
