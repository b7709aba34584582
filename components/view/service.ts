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

export interface Call {
  /** API key; none for paths that need none. */
  key?: string;
  /** JSON body of a POST; a GET without. */
  body?: unknown;
  signal?: AbortSignal;
  priority?: RequestPriority;
}

/**
 * Calls the service.
 *
 * @param path Path on our own host.
 * @throws ServiceError for every reply but 2xx, and when the service cannot be reached.
 */
export async function call(path: string, { key, body, signal, priority }: Call): Promise<Response> {
  const headers = new Headers(key === undefined ? {} : { "x-api-key": key });
  const init: RequestInit = { headers, signal, priority };
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

async function wording(reply: Response): Promise<string> {
  if (reply.status === 429) return "Too many requests.";
  const text = await reply.text();
  const detail = text.startsWith("{") ? (JSON.parse(text) as { detail?: unknown; error?: unknown }) : {};
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
