/** A request that the service did not answer with what was asked for. The message is shown to the user. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** HTTP status; 0 when the service could not be reached. */
  readonly status: number;
  /** Seconds until it is worth trying again, where the service says so. */
  readonly retryAfter: number | undefined;
  constructor(message: string, status: number, retryAfter?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface ApiRequest {
  /** API key; none for paths that need none. */
  key?: string;
  /** JSON body of a POST; a GET without. */
  body?: unknown;
  /** Another method than these. */
  method?: "POST" | "DELETE";
  headers?: Record<string, string>;
  signal?: AbortSignal;
  priority?: RequestPriority;
}

/**
 * Calls the service.
 *
 * @param path Path on our own host.
 * @throws ServiceError for every reply but 2xx, and when the service cannot be reached.
 */
export async function apiFetch(
  path: string,
  { key, body, method, headers: more, signal, priority }: ApiRequest,
): Promise<Response> {
  const headers = new Headers({ ...more, ...(key !== undefined && { "x-api-key": key }) });
  const init: RequestInit = { method, headers, signal, priority };
  if (body !== undefined) {
    headers.set("content-type", "application/json");
    init.method = "POST";
    init.body = JSON.stringify(body);
  }
  const reply = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ServiceError("The server could not be reached.", 0, undefined, { cause: error });
  });
  if (reply.ok) return reply;
  const seconds = Number(reply.headers.get("retry-after"));
  throw new ServiceError(await wording(reply), reply.status, seconds > 0 ? seconds : undefined);
}

/** An entry of the body of a 422. */
interface Complaint {
  loc?: unknown[];
  msg?: string;
}

/** What is wrong with a request, the first three of it. */
function complaints(all: readonly Complaint[]): string {
  const told = all.slice(0, 3).map(({ loc, msg }) => `${(loc ?? []).slice(1).join(" ")}: ${msg ?? ""}`);
  return `The server does not take this. ${told.join(" ")}`;
}

async function wording(reply: Response): Promise<string> {
  if (reply.status === 429) return "Too many requests.";
  const text = await reply.text();
  const detail = text.startsWith("{") ? (JSON.parse(text) as { detail?: unknown; error?: unknown }) : {};
  if (Array.isArray(detail.detail)) return complaints(detail.detail as Complaint[]);
  const said = typeof detail.detail === "string" ? detail.detail : detail.error;
  return typeof said === "string" ? said : `The server could not answer (${reply.status}).`;
}

/** How often and when React Query tries again: a full bucket once, when the service says so; an outage twice. */
export const retryPolicy = {
  retry: (failures: number, error: Error): boolean =>
    error instanceof ServiceError &&
    ((error.status === 429 && failures < 1) || ((error.status === 0 || error.status >= 500) && failures < 2)),
  retryDelay: (failures: number, error: Error): number =>
    1000 * (error instanceof ServiceError && error.retryAfter ? error.retryAfter : 2 ** failures),
};
