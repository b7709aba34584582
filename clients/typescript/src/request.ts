import { ConnectionError, UnexpectedReplyError } from "./errors.ts";

/** A request that an operation sends. */
export interface ServiceRequest {
  /** Defaults to GET, or POST with a body. */
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * The transport of the operations. `createClient` makes one; a page may provide its own, with a cache or
 * another source of the key.
 */
export interface Service {
  /**
   * @param path Path and query. @throws An error for every reply other than 2xx, and if there is no reply.
   */
  send(path: string, request?: ServiceRequest): Promise<Response>;
  /** The JSON of a reply. @throws An error for a body that is not JSON, and for a failure envelope. */
  json(reply: Response): Promise<unknown>;
}

/** Options of `fetch` for a request. @param key API key; absent for operations that need none. */
export function fetchOptions({ method, body, headers: extra, signal }: ServiceRequest, key?: string) {
  const headers = new Headers(extra);
  if (key !== undefined) headers.set("x-api-key", key);
  if (body === undefined) return { method, headers, signal };
  headers.set("content-type", "application/json");
  return { method: method ?? "POST", headers, signal, body: JSON.stringify(body) };
}

/** Sends a request and reads the JSON of its reply. */
export async function read<T>(service: Service, path: string, request?: ServiceRequest): Promise<T> {
  return (await service.json(await service.send(path, request))) as T;
}

/** A path with a query of all values that are not undefined. */
export function withQuery(path: string, query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? path
    : `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** Options that every operation accepts. */
export interface CallOptions {
  signal?: AbortSignal;
  /**
   * For 24 hours, repeating the same body with this key returns the same answer or task. With it a request
   * whose answer was lost is repeated.
   */
  idempotencyKey?: string;
}

/** Options of an operation that only reads. */
export type ReadOptions = Pick<CallOptions, "signal">;

/** A POST of JSON. */
export function posted(body: unknown, { signal, idempotencyKey }: CallOptions = {}): ServiceRequest {
  return {
    body,
    signal,
    ...(idempotencyKey !== undefined && { headers: { "idempotency-key": idempotencyKey } }),
  };
}

/**
 * The bytes of an answer in another format than JSON.
 *
 * @throws As `checkedFile` does.
 */
export async function readFile(
  service: Service,
  path: string,
  type: string,
  request: ServiceRequest = {},
): Promise<Response> {
  const headers = { ...request.headers, accept: type };
  return checkedFile(service, await service.send(path, { ...request, headers }), type);
}

/**
 * Returns a reply if its media type begins with `type`.
 *
 * @throws As `json` does for a failure envelope or a page of something in between, neither of which may be
 * saved as a file.
 */
export async function checkedFile(service: Service, reply: Response, type: string): Promise<Response> {
  if (reply.headers.get("content-type")?.startsWith(type)) return reply;
  await service.json(reply);
  throw new UnexpectedReplyError(`The service answered JSON in place of ${type}`);
}

/**
 * The text of a reply. @throws ConnectionError if the connection is interrupted; the reason of the signal if
 * it aborts
 */
export const textOf = (reply: Response): Promise<string> => reply.text().catch(rethrow);

/** The bytes of a reply. @throws As `textOf`. */
export const bytesOf = async (reply: Response): Promise<Uint8Array> =>
  new Uint8Array(await reply.arrayBuffer().catch(rethrow));

/** The JSON of a reply. @throws As `textOf`; UnexpectedReplyError for a body that is not JSON */
export async function jsonOf(reply: Response): Promise<unknown> {
  const text = await textOf(reply);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedReplyError("The reply is not JSON: something in between has answered", { cause });
  }
}

/** `fetch` reports a broken connection as a TypeError, and an abort as the reason of the signal. */
function rethrow(cause: unknown): never {
  if (!(cause instanceof TypeError)) throw cause;
  throw new ConnectionError("The connection broke while the reply arrived", { cause });
}

/** Selects a page of a list. */
export interface PageQuery {
  /** 1..100 */
  limit?: number;
  /** `next` of the previous page. */
  cursor?: string;
}

/** A page of a list. */
export interface ResultPage {
  /** Cursor of the next page; absent on the last one. */
  next?: string;
}

/** Reads a page, and the cursor of the next one from its `Link` header. */
export async function pageOf<T extends object>(
  service: Service,
  path: string,
  query: PageQuery,
  options?: Pick<CallOptions, "signal">,
): Promise<T & ResultPage> {
  const reply = await service.send(withQuery(path, query), options);
  const [, link = ""] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(reply.headers.get("link") ?? "") ?? [];
  const next = new URLSearchParams(link.slice(link.indexOf("?") + 1)).get("cursor");
  return { ...((await service.json(reply)) as T), ...(next !== null && { next }) };
}

/** 128 random bits. `crypto.randomUUID` exists in secure contexts only. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
