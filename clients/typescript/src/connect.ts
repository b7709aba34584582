import { ConnectionError, errorOf, FailureError, refusalOf } from "./errors.ts";
import { fetchOptions, jsonOf, type Service, type ServiceRequest } from "./request.ts";

/** How to reach a service. */
export interface ClientOptions {
  /** Root of the service, `https://weather.example.org`; `""` in a page that the service itself serves. */
  url: string | URL;
  /** API key; without one only operations that need none, or that are open to visitors, succeed. */
  key?: string;
  /**
   * How often and how long requests are repeated; false for never. By default 5 attempts that wait 180 s in
   * total.
   */
  retry?: Partial<RetryPolicy> | false;
  /** Replaces the global `fetch`: another agent, a cache, a recording. */
  fetch?: typeof fetch;
  /** Replaces the timer that waits between attempts. */
  sleep?: Sleep;
  /** Replaces the clock, Unix milliseconds, which is used if `Retry-After` is a date. */
  now?: () => number;
}

/** Connects to a service over HTTP, with the repetitions of the options. */
export function connect(options: ClientOptions): Service {
  const { url, key, retry, fetch: send = fetch, sleep = pause, now = Date.now } = options;
  const root = String(url).replace(/\/+$/, "");
  const policy = retry === false ? { ...defaultRetry, attempts: 1 } : { ...defaultRetry, ...retry };
  return {
    send(path, request = {}) {
      const attempt = async () => {
        const reply = await send(root + path, fetchOptions(request, key)).catch((cause: unknown) => {
          request.signal?.throwIfAborted();
          throw new ConnectionError(`${root || "The service"} could not be reached`, { cause });
        });
        if (reply.ok) return reply;
        throw errorOf(await refusalOf(reply, now()));
      };
      return withRetries(attempt, {
        policy,
        isRepeatable: isRepeatable(request),
        sleep,
        signal: request.signal,
      });
    },
    json: readJson,
  };
}

function isRepeatable({ method, body, headers }: ServiceRequest): boolean {
  const isPost = (method ?? (body === undefined ? "GET" : "POST")) === "POST";
  return !isPost || headers?.["idempotency-key"] !== undefined;
}

async function readJson(reply: Response): Promise<unknown> {
  const body = await jsonOf(reply);
  const { status, error, task_id } = Object(body) as { status?: unknown; error?: unknown; task_id?: unknown };
  if (status === "FAILURE" && typeof error === "string") throw new FailureError(String(task_id), error);
  return body;
}

/** How often and how long a request is repeated. */
export interface RetryPolicy {
  /** Total number of attempts; 1 means no repetition. */
  attempts: number;
  /**
   * Total seconds that a request may wait between its attempts; if a wait would exceed it, the error is
   * thrown immediately.
   */
  maxWait: number;
}

export const defaultRetry: RetryPolicy = { attempts: 5, maxWait: 180 };

/** First wait if the service states none, seconds; each further wait is twice as long. */
const FIRST_WAIT_S = 1;

/** Fields of errors that decide whether a request is worth repeating. */
interface Refused {
  status?: number;
  retryAfter?: number;
}

interface Attempts {
  policy: RetryPolicy;
  /** Repeating the request has no further effect, so one that may have been received is repeated too. */
  isRepeatable: boolean;
  sleep: Sleep;
  signal: AbortSignal | undefined;
}

/**
 * Repeats a request that a rate limit (429) or an overload (503) refused, after the time that the service
 * states, and a request whose answer was lost, if repeating it is safe.
 *
 * @throws The error of the last attempt; the reason of the signal if it aborts.
 */
export async function withRetries<T>(attempt: () => Promise<T>, how: Attempts): Promise<T> {
  const { policy, sleep, signal } = how;
  let waited = 0;
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (count >= policy.attempts || !isWorthRepeating(error as Refused, how.isRepeatable)) throw error;
      const wait = (error as Refused).retryAfter ?? FIRST_WAIT_S * 2 ** (count - 1);
      waited += wait;
      if (waited > policy.maxWait) throw error;
      await sleep(1000 * wait, signal);
    }
  }
}

function isWorthRepeating({ status, retryAfter }: Refused, isRepeatable: boolean): boolean {
  // The service accepted nothing.
  if (status === 429 || status === 503) return true;
  // The first request with this Idempotency-Key is still being processed.
  if (status === 409) return isRepeatable && retryAfter !== undefined;
  // There was no answer, or none from the service.
  return isRepeatable && (status === undefined || status === 502 || status === 504);
}

/** Waits. @throws The reason of the signal if it aborts. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits by the system timer. */
export const pause: Sleep = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", leave, { once: true });
  });
