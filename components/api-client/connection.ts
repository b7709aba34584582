/** How the service answers this page. */
export interface Connection {
  /** The oldest saved reply that is shown in place of an answer, Unix seconds; undefined while the service answers. */
  savedAt: number | undefined;
  /** A request has waited for an answer for longer than `PATIENCE_MS`. */
  late: boolean;
}

/** How long a server may take to begin its answer before the page says so, milliseconds. */
export const PATIENCE_MS = 8000;

const listeners = new Set<() => void>();
const answering: Connection = { savedAt: undefined, late: false };
let current = answering;

/** What ends requests that wait in this thread. */
const waiting = new Set<() => void>();
/** What ends late requests: in this thread, and in worker threads. */
const late = new Set<() => void>();

/** The state of the connection: a new object when it changed. */
export const readConnection = (): Connection => current;

export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The service answered. */
export function reportAnswer(): void {
  publish({ savedAt: undefined });
}

/** The service did not answer, and a saved reply is shown. @param at When it was saved, Unix seconds. */
export function reportSaved(at: number): void {
  publish({ savedAt: Math.min(at, current.savedAt ?? at) });
}

/**
 * Watches a request until its answer begins.
 *
 * @param cancel Ends it.
 * @returns Call it when the answer has begun, or the request has failed.
 */
export function watchRequest(cancel: () => void): () => void {
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
  const next = { ...current, ...change };
  if (next.savedAt === current.savedAt && next.late === current.late) return;
  current = next;
  for (const listener of listeners) listener();
}
