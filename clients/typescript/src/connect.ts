import { errorOf } from "./error-of.ts";
import { ConnectionError, FailureError } from "./errors.ts";
import { pause, type Sleep } from "./pause.ts";
import { refusalOf } from "./refusal.ts";
import { jsonOf } from "./reply-body.ts";
import { fetchOptions, type Service, type ServiceRequest } from "./request.ts";
import { defaultRetry, type RetryPolicy, withRetries } from "./retry.ts";

/** How a service is reached. */
export interface ClientOptions {
  /** Root of the service, `https://weather.example.org`; in a page that it serves itself, `""`. */
  url: string | URL;
  /** API key; without it only what needs none, or what is open to visitors. */
  key?: string;
  /** How often and how long requests are repeated; false: never. By default 5 attempts that wait 180 s in all. */
  retry?: Partial<RetryPolicy> | false;
  /** Replaces the global `fetch`: another agent, a cache, a recording. */
  fetch?: typeof fetch;
  /** Replaces the timer that waits between attempts. */
  sleep?: Sleep;
  /** Replaces the clock, Unix milliseconds; it is read where `Retry-After` is a date. */
  now?: () => number;
}

/** A way to a service over HTTP, with the repetitions of the options. */
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
