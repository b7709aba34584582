import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { type Encoding, matchesEtag, preferredEncoding } from "#server/platform/negotiation.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import { policyOfPage, strictPolicy } from "./page-headers.ts";
import type { Rendered } from "./render.ts";

export interface MadePagesDeps {
  /** Paths of the pages; every other path is the page for unknown ones. */
  paths: ReadonlySet<string>;
  /** Makes a page. @param url Path and query. @param theme As the cookie says. */
  make(url: string, theme: string | undefined): Promise<Rendered>;
  /** Monotonic clock, milliseconds. */
  elapsed(): number;
}

/** A page as it is sent. */
interface Page {
  status: number;
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
  /** Compressed forms, made at first use. */
  compressed: Partial<Record<Encoding, Promise<Buffer>>>;
}

/** A path that no page has. */
const UNKNOWN = "/no-such-page";

/** They look the same whatever the query. */
const WITHOUT_QUERY: ReadonlySet<string> = new Set(["/docs", "/icon.svg", UNKNOWN]);

/** A page that reads its query may also show the time: it is made again after this long. */
const VALID_MS = 60_000;

/** Memory for pages; one of the map takes 30 KiB with its compressed forms. */
const CACHE_BYTES = 8 * 2 ** 20;

/** Pages that wait to be made. Each takes the thread of the API for some milliseconds. */
const MAX_WAITING = 64;

/** Longer queries, which no link of ours has, are left out. */
const MAX_QUERY = 4096;

/**
 * Serves pages that are made once, one after another, and then sent from memory: making one takes longer than answering a
 * request of the API, on the same thread.
 */
export function madePages({ paths, make, elapsed }: MadePagesDeps) {
  const cached = new LRUCache<string, { page: Promise<Page>; until: number }>({
    maxSize: CACHE_BYTES,
    // The page and its compressed forms; its size is not known yet.
    sizeCalculation: (_entry, key) => (key.startsWith("/docs") ? 512 * 1024 : 48 * 1024) + key.length,
  });
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** @returns undefined where too many other pages wait. */
  function pageOf(url: string, theme: string | undefined): Promise<Page> | undefined {
    const key = `${url} ${theme ?? ""}`;
    const known = cached.get(key);
    if (known && known.until > elapsed()) return known.page;
    if (waiting >= MAX_WAITING) return undefined;
    waiting++;
    const page = last.then(() => make(url, theme)).then(pageFrom);
    last = page.then(
      () => void waiting--,
      () => {
        waiting--;
        cached.delete(key);
      },
    );
    cached.set(key, {
      page,
      until: WITHOUT_QUERY.has(url) ? Number.POSITIVE_INFINITY : elapsed() + VALID_MS,
    });
    return page;
  }

  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pending = pageOf(urlOf(incoming.url ?? "/", paths), themeOf(incoming.headers.cookie));
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
    const body = encoding ? await compressedForm(page, encoding) : page.bytes;
    response.writeHead(status, {
      ...headers,
      ...(encoding && { "content-encoding": encoding }),
      "content-length": body.length,
    });
    response.end(incoming.method === "HEAD" ? undefined : body);
  };
}

/** The query is left out where it does not change the page. */
function urlOf(target: string, paths: ReadonlySet<string>): string {
  const { path, query } = parseTarget(target);
  if (!paths.has(path)) return UNKNOWN;
  if (WITHOUT_QUERY.has(path) || query === "" || query.length > MAX_QUERY) return path;
  return `${path}?${query}`;
}

/** Of the themes in components/view-state/themes.ts: any other text would be a page of its own in the cache. */
function themeOf(cookies: string | undefined): string | undefined {
  return /(?:^|; )theme=(light|dusk|night)(?:;|$)/.exec(cookies ?? "")?.[1];
}

function pageFrom({ status, headers, body }: Rendered): Page {
  if (status !== 200 && status !== 404) throw new Error(`A page was made with status ${status}`);
  const type = String(headers["content-type"] ?? "text/html; charset=utf-8");
  const isHtml = type.startsWith("text/html");
  return {
    status,
    bytes: body,
    compressed: {},
    headers: {
      "content-type": type,
      "content-security-policy": isHtml ? policyOfPage(body.toString()) : strictPolicy,
      "cache-control": "private, no-cache",
      vary: "accept-encoding, cookie",
      etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    },
  };
}

const packed: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
  gzip: (bytes) => gzipAsync(bytes, { level: 6 }),
};

const brotliAsync = promisify<Buffer, object, Buffer>(brotliCompress);
const gzipAsync = promisify<Buffer, object, Buffer>(gzip);

function compressedForm(page: Page, encoding: Encoding): Promise<Buffer> {
  page.compressed[encoding] ??= packed[encoding](page.bytes);
  return page.compressed[encoding];
}
