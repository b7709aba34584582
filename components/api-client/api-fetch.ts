import { issueText, type Refusal, refusalOf } from "@open-metocean/client/errors";
import { fetchOptions, type ServiceRequest } from "@open-metocean/client/request";
import { onlineManager } from "@tanstack/react-query";
import { type Fault, faultText } from "#lib/messages/fault.ts";
import { isRefused, noteKeyWorks, refuseGuest, refuseKey, renewGuestSession } from "./key-store.ts";
import { GUEST } from "./saved-replies.ts";
import { NoAnswerError, sendRequest } from "./send-request.ts";

/** A request failed. `errorText` gives the text shown to the user. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /**
   * The failure in a form that the page words in its language; undefined if the service's own text is shown.
   */
  readonly fault: Fault | undefined;
  /** HTTP status; 0 if the service could not be reached. */
  readonly status: number;
  /** Seconds until a retry makes sense, if the service states it. */
  readonly retryAfter: number | undefined;
  /** @param said Text of the service, or a fault that the page words itself. */
  constructor(said: string | Fault, status: number, retryAfter?: number, options?: ErrorOptions) {
    super(typeof said === "string" ? said : faultText(said), options);
    this.fault = typeof said === "string" ? undefined : said;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface ApiRequest extends ServiceRequest {
  /** API key, or `GUEST`; absent for paths that need neither. */
  key?: string;
  priority?: RequestPriority;
  /** Store of saved replies, for requests by signed paths. */
  store?: string;
  /** The request is sent even if the page closes in the meantime. */
  keepalive?: boolean;
}

/**
 * Status of the error when a server accepted a request but did not answer. Such a request is not retried
 * automatically.
 */
const NO_ANSWER = 408;

/** Whether a request may succeed once the service is available again. */
export function isOutage({ status }: ServiceError): boolean {
  return status === 0 || status === NO_ANSWER || status >= 500;
}

/** Whether the service did not answer at all, so that what is saved takes its place. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 0 || error.status === NO_ANSWER);
}

/**
 * Sends a request to the service. A key that the service rejects is marked as refused and no longer sent, and
 * the page asks for another one. A visitor whose session has expired gets a new one, once.
 *
 * @param path Path on this page's own host.
 * @throws ServiceError for every reply other than 2xx, and if the service cannot be reached.
 */
export async function apiFetch(
  path: string,
  { key, priority, store, keepalive, ...request }: ApiRequest,
): Promise<Response> {
  const isGuest = key === GUEST;
  const init = { ...fetchOptions(request, isGuest ? undefined : key), priority, keepalive };
  if (key !== undefined && isRefused(key)) throw new ServiceError({ is: "keyRefused" }, 401);
  const send = () =>
    sendRequest(path, init, { key, store }).catch((error: unknown) => {
      if (!(error instanceof NoAnswerError)) throw error;
      throw error.cancelled
        ? new ServiceError({ is: "silent" }, NO_ANSWER, undefined, { cause: error })
        : new ServiceError({ is: "unreachable" }, 0, undefined, { cause: error });
    });
  let reply = await send();
  if (isGuest && reply.status === 403) {
    const renewal = await renewGuestSession();
    if (renewal === "done") reply = await send();
    else if (renewal === "refused") refuseGuest();
  }
  if (key !== undefined && !isGuest) {
    if (reply.ok) noteKeyWorks(key);
    else if (reply.status === 401 || reply.status === 403) refuseKey(key);
  }
  if (reply.ok) return reply;
  const refusal = await refusalOf(reply);
  throw new ServiceError(saidOf(refusal), refusal.status, refusal.retryAfter);
}

/** Seconds until the rate limit allows another request; undefined for any other error. */
export function rateLimitSeconds(error: unknown): number | undefined {
  return error instanceof ServiceError && error.status === 429 ? (error.retryAfter ?? 1) : undefined;
}

/**
 * When React Query retries: once after a rate limit, twice after an outage. Without a network an outage is told at once,
 * because requests are sent again when the network is back.
 */
export const retryPolicy = {
  retry: (failures: number, error: Error): boolean =>
    error instanceof ServiceError &&
    ((error.status === 429 && failures < 1) ||
      (error.status === 0 && failures < 2 && onlineManager.isOnline()) ||
      (error.status >= 500 && failures < 2)),
  retryDelay: (failures: number, error: Error): number =>
    1000 * (error instanceof ServiceError && error.retryAfter ? error.retryAfter : 2 ** failures),
};

const MAX_PROBLEMS = 3;

function saidOf({ status, text, issues }: Refusal): string | Fault {
  if (status === 429) return { is: "limited" };
  if (issues.length > 0) {
    const problems = issues.slice(0, MAX_PROBLEMS).map(issueText).join(" ");
    return { is: "rejected", problems, issues };
  }
  return text ?? { is: "failed", status };
}
