import { issueText, type Refusal, refusalOf } from "#clients/typescript/src/errors.ts";
import { fetchOptions, type ServiceRequest } from "#clients/typescript/src/request.ts";
import { type Fault, faultText } from "#lib/messages/fault.ts";
import { GUEST, isRefused, noteKeyWorks, refuseGuest, refuseKey, renewGuestSession } from "./key-store.ts";
import { NoAnswerError, sendRequest } from "./send-request.ts";

/** A request that failed. What the user is shown of it: `errorText`. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** What the page says of it in its language; undefined where the service says it. */
  readonly fault: Fault | undefined;
  /** HTTP status; 0 when the service could not be reached. */
  readonly status: number;
  /** Seconds until it is worth trying again, where the service says so. */
  readonly retryAfter: number | undefined;
  /** @param said By the service, or what the page says in place of it. */
  constructor(said: string | Fault, status: number, retryAfter?: number, options?: ErrorOptions) {
    super(typeof said === "string" ? said : faultText(said), options);
    this.fault = typeof said === "string" ? undefined : said;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface ApiRequest extends ServiceRequest {
  /** API key, or `GUEST`; none for paths that need none. */
  key?: string;
  priority?: RequestPriority;
  /** Store of the saved replies, for requests by signed paths. */
  store?: string;
  /** It is sent even if the page ends meanwhile. */
  keepalive?: boolean;
}

/** Status of an error where a server accepted a request and did not answer. It is not tried again by itself. */
const NO_ANSWER = 408;

/** Whether a later answer of the service means that a request is worth repeating. */
export function isOutage({ status }: ServiceError): boolean {
  return status === 0 || status === NO_ANSWER || status >= 500;
}

/**
 * Sends a request to the service. A key that the service does not accept is marked as refused, and is sent no more: the
 * page asks for another one. A visitor whose session has ended gets another one, once.
 *
 * @param path Path on our own host.
 * @throws ServiceError for every reply but 2xx, and when the service cannot be reached.
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

/** Seconds until the rate limit admits a request again; undefined for any other error. */
export function rateLimitSeconds(error: unknown): number | undefined {
  return error instanceof ServiceError && error.status === 429 ? (error.retryAfter ?? 1) : undefined;
}

/** How often and when React Query tries again: once after a rate limit, twice after an outage. */
export const retryPolicy = {
  retry: (failures: number, error: Error): boolean =>
    error instanceof ServiceError &&
    ((error.status === 429 && failures < 1) || ((error.status === 0 || error.status >= 500) && failures < 2)),
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
