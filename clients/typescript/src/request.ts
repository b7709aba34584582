import { ConnectionError, UnexpectedReplyError } from "./errors.ts";

/** What an operation sends. */
export interface ServiceRequest {
  /** GET where left out, POST with a body. */
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** What operations send by. `createClient` makes one; a page may give its own, with a cache or another way to a key. */
export interface Service {
  /** @param path Path and query. @throws For every reply but 2xx, and where there is none. */
  send(path: string, request?: ServiceRequest): Promise<Response>;
  /** The JSON of a reply. @throws For a body that is not JSON, and for a failure envelope. */
  json(reply: Response): Promise<unknown>;
}

/** What a request is for `fetch`. @param key API key; none for operations that need none. */
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

/** A path with a query of what is not undefined. */
export function withQuery(path: string, query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? path
    : `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** What every operation takes beside its own arguments. */
export interface CallOptions {
  signal?: AbortSignal;
  /**
   * For 24 hours the same body under this key gets the same answer or task again. With it a request whose answer was lost
   * is sent again.
   */
  idempotencyKey?: string;
}

/** Of a call that only reads. */
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
 * A reply, if it is of a media type, or of one that begins so.
 *
 * @throws As `json` does where it is a failure envelope, or the page of something in between: neither may be saved as a file.
 */
export async function checkedFile(service: Service, reply: Response, type: string): Promise<Response> {
  if (reply.headers.get("content-type")?.startsWith(type)) return reply;
  await service.json(reply);
  throw new UnexpectedReplyError(`The service answered JSON in place of ${type}`);
}

/** The text of a reply. @throws ConnectionError where the connection breaks; the reason of the signal when that aborts */
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

/** Which part of a list. */
export interface PageQuery {
  /** 1..100 */
  limit?: number;
  /** `next` of the page before. */
  cursor?: string;
}

/** A part of a list. */
export interface ResultPage {
  /** Cursor of the next page; absent on the last one. */
  next?: string;
}

/** Reads a page, and the cursor of the next from its `Link` header. */
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
