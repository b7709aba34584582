import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { pageQuery } from "#lib/contract/page-query.ts";
import { LANGUAGE_COOKIE, type Language, requestedLanguage } from "#lib/messages/language.ts";
import { type Encoding, matchesEtag, preferredEncoding } from "#server/platform/negotiation.ts";
import { PAGE_CACHE_BYTES } from "#server/platform/process-share.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import { policyOfPage, strictPolicy } from "./page-headers.ts";

export interface MadePagesDeps {
  /** Paths of the pages; every other path is the page for unknown ones. */
  paths: ReadonlySet<string>;
  /** Makes a page. @param url Path and query. @param reader Whom it is for. */
  make(url: string, reader: Reader): Promise<Rendered>;
  /** Whom a request counts for: an address, or a group of them. */
  visitorOf(incoming: IncomingMessage): string;
  /** Monotonic clock, milliseconds. */
  elapsed(): number;
}

/** A page as Next makes it. */
export interface Rendered {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** What a page depends on beside its address. */
export interface Reader {
  language: Language;
  /** One of components/view-state/map-colours.ts, as the cookie says. */
  theme?: string;
}

/** A page as it is sent. */
interface Page {
  status: number;
  headers: Readonly<Record<string, string>>;
  bodies: Readonly<Record<Encoding | "identity", Buffer>>;
  /** When it is made again, by the monotonic clock. */
  until: number;
}

/** A path that no page has. */
const UNKNOWN = "/no-such-page";

/** They look the same whatever the query. */
const WITHOUT_QUERY: ReadonlySet<string> = new Set(["/docs", "/icon.svg", "/manifest.webmanifest", UNKNOWN]);

/** A page that reads its query may also show the time: it is made again after this long. */
const VALID_MS = 60_000;

/** The page of an operation has examples around now, to the hour; whatever the query. */
const isOperation = (path: string) => path.startsWith("/docs/");
const OPERATION_VALID_MS = 3_600_000;

/** What a page takes beside its bytes: headers and objects. */
const OBJECT_BYTES = 2048;

/** Pages that wait to be made, in all and of one visitor. Each takes the thread of the API for some milliseconds. */
const MAX_WAITING = 64;
const MAX_WAITING_OF_VISITOR = 8;

/** Longer queries, which no link of ours has, are left out. */
const MAX_QUERY = 4096;

/**
 * Serves pages that are made once, one after another, and then sent from memory: making one takes longer than answering a
 * request of the API, on the same thread. Where too many wait, a page is sent as it was made last, whatever its age.
 */
export function madePages({ paths, make, visitorOf, elapsed }: MadePagesDeps) {
  const made = new LRUCache<string, Page>({
    maxSize: PAGE_CACHE_BYTES,
    sizeCalculation: ({ bodies: { identity, br, gzip } }, key) =>
      identity.length + br.length + gzip.length + OBJECT_BYTES + 2 * key.length,
  });
  const waiting = new Map<string, Promise<Page>>();
  const waitingOf = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();

  /** @returns undefined where too many other pages wait. */
  function pageOf(url: string, reader: Reader, visitor: string): Page | Promise<Page> | undefined {
    const key = keyOf(url, reader);
    const known = made.get(key);
    if (known && known.until > elapsed()) return known;
    const coming = waiting.get(key);
    if (coming) return coming;
    const own = waitingOf.get(visitor) ?? 0;
    if (waiting.size >= MAX_WAITING || own >= MAX_WAITING_OF_VISITOR) return known;
    waitingOf.set(visitor, own + 1);
    const page = last
      .then(() => make(url, reader))
      .then(async (rendered) => {
        const page = await pageFrom(rendered, elapsed() + validMs(url));
        made.set(key, page);
        return page;
      })
      .finally(() => {
        waiting.delete(key);
        const left = waitingOf.get(visitor)! - 1;
        if (left > 0) waitingOf.set(visitor, left);
        else waitingOf.delete(visitor);
      });
    waiting.set(key, page);
    last = page.catch(() => undefined);
    return page;
  }

  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = urlOf(incoming.url ?? "/", paths);
    const reader = readerOf(incoming);
    const pending = pageOf(url, reader, visitorOf(incoming));
    if (!pending) {
      response.writeHead(503, { "content-type": "text/plain", "retry-after": "5" });
      response.end("Too many pages are being made. Please try again in a few seconds.\n");
      return;
    }
    const page = await pending;
    const { status, headers } = page;
    if (status === 200 && matchesEtag(incoming.headers["if-none-match"], headers.etag!)) {
      response.writeHead(304, headers).end();
      return;
    }
    const encoding = preferredEncoding(incoming.headers["accept-encoding"]?.toString());
    const body = page.bodies[encoding ?? "identity"];
    response.writeHead(status, {
      ...headers,
      ...(encoding && { "content-encoding": encoding }),
      "content-length": body.length,
    });
    response.end(incoming.method === "HEAD" ? undefined : body);
  };
}

function validMs(url: string): number {
  if (WITHOUT_QUERY.has(url)) return Number.POSITIVE_INFINITY;
  return isOperation(url) ? OPERATION_VALID_MS : VALID_MS;
}

function keyOf(url: string, { language, theme }: Reader): string {
  return `${url} ${language} ${theme ?? ""}`;
}

/** Whatever does not change the page is left out of the query. */
function urlOf(target: string, paths: ReadonlySet<string>): string {
  const { path, query } = parseTarget(target);
  if (!paths.has(path)) return UNKNOWN;
  if (WITHOUT_QUERY.has(path) || isOperation(path) || query === "" || query.length > MAX_QUERY) return path;
  const read = pageQuery(query);
  return read === "" ? path : `${path}?${read}`;
}

/** Only languages and themes that there are: any other text would be a page of its own in the cache. */
function readerOf({ headers }: IncomingMessage): Reader {
  const { cookie = "", "accept-language": accepted } = headers;
  const chosen = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=([a-z]{2})(?:;|$)`).exec(cookie)?.[1];
  const theme = /(?:^|; )theme=(light|dusk|night)(?:;|$)/.exec(cookie)?.[1];
  return { language: requestedLanguage(chosen, accepted), ...(theme && { theme }) };
}

async function pageFrom({ status, headers, body }: Rendered, until: number): Promise<Page> {
  if (status !== 200 && status !== 404) throw new Error(`A page was made with status ${status}`);
  const type = String(headers["content-type"] ?? "text/html; charset=utf-8");
  const isHtml = type.startsWith("text/html");
  const [br, gzipped] = await Promise.all([
    brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
    gzipAsync(body, { level: 6 }),
  ]);
  return {
    status,
    bodies: { identity: body, br, gzip: gzipped },
    until,
    headers: {
      "content-type": type,
      "content-security-policy": isHtml ? policyOfPage(body.toString()) : strictPolicy,
      // Browsers ask for the icon again with each address that the map writes, as for each step in time.
      "cache-control": type.startsWith("image/") ? "private, max-age=86400" : "private, no-cache",
      vary: "accept-encoding, accept-language, cookie",
      etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    },
  };
}

const brotliAsync = promisify<Buffer, object, Buffer>(brotliCompress);
const gzipAsync = promisify<Buffer, object, Buffer>(gzip);
