import { refuseKey } from "./key-store.ts";

/** A request that failed. The message is shown to the user. */
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
  /** JSON body; makes the request a POST. */
  body?: unknown;
  /** Overrides GET and POST. */
  method?: "POST" | "DELETE";
  headers?: Record<string, string>;
  signal?: AbortSignal;
  priority?: RequestPriority;
  /** It is sent even if the page ends meanwhile. */
  keepalive?: boolean;
}

/**
 * Sends a request to the service. A key that the service does not accept is marked as refused, and the page asks for
 * another one.
 *
 * @param path Path on our own host.
 * @throws ServiceError for every reply but 2xx, and when the service cannot be reached.
 */
export async function apiFetch(
  path: string,
  { key, body, method, headers: extra, signal, priority, keepalive }: ApiRequest,
): Promise<Response> {
  const headers = new Headers({ ...extra, ...(key !== undefined && { "x-api-key": key }) });
  const init: RequestInit = { method, headers, signal, priority, keepalive };
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
  if (key !== undefined && (reply.status === 401 || reply.status === 403)) refuseKey(key);
  const seconds = Number(reply.headers.get("retry-after"));
  throw new ServiceError(await errorMessage(reply), reply.status, seconds > 0 ? seconds : undefined);
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

/** An entry of the body of a 422. */
interface ValidationIssue {
  loc?: unknown[];
  msg?: string;
}

async function errorMessage(reply: Response): Promise<string> {
  if (reply.status === 429) return "Too many requests.";
  const { detail, error } = parseErrorBody(await reply.text());
  if (Array.isArray(detail)) return formatIssues(detail as ValidationIssue[]);
  const message = typeof detail === "string" ? detail : error;
  return typeof message === "string" ? message : `The server could not answer (${reply.status}).`;
}

/** Empty for a body that is not JSON: a proxy in between may answer with anything. */
function parseErrorBody(text: string): { detail?: unknown; error?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The first three problems of a request. */
function formatIssues(issues: readonly ValidationIssue[]): string {
  const texts = issues.slice(0, 3).map(({ loc, msg }) => `${(loc ?? []).slice(1).join(" ")}: ${msg ?? ""}`);
  return `The server does not take this. ${texts.join(" ")}`;
}
