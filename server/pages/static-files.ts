import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { finished, pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import { matchesEtag, preferredEncoding } from "#server/platform/negotiation.ts";
import { FILE_CACHE_BYTES } from "#server/platform/process-share.ts";
import { parseTarget } from "#server/platform/request-target.ts";

/** Media types by extension. A file of another extension is not served, because pages load none. */
const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".pmtiles": "application/vnd.pmtiles",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const suffixes = { br: ".br", gzip: ".gz" } as const;

/** Archives of tiles are read in parts, and are too large to be read as a whole for one of them. */
const PARTED = ".pmtiles";

interface ServedFile {
  file: string;
  size: number;
  headers: Readonly<Record<string, string>>;
  etag: string;
  compressed: boolean;
}

/**
 * Serves the files that `scripts/served-files.mjs` has laid out, compressed at build time. Next would compress them for
 * every visitor and with gzip only, and the first visit of a phone would exceed its transfer limit.
 *
 * @param folder Folder of the files; nothing is served where it is missing.
 * @returns Whether it answered: false for other paths, and for files that a newer build has removed.
 */
export function servedFiles(
  folder: string,
): (incoming: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const files = existsSync(folder) ? filesIn(folder) : new Map<string, ServedFile>();
  // Slow readers of a file share the same buffer.
  const cached = new LRUCache<string, Buffer>({
    maxSize: FILE_CACHE_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  const bytesOf = async (file: string): Promise<Buffer | undefined> => {
    const known = cached.get(file);
    if (known) return known;
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes) cached.set(file, bytes);
    return bytes;
  };
  return async (incoming, response) => {
    const found = files.get(parseTarget(incoming.url ?? "/").path);
    // A path with a trailing slash would be a folder.
    if (!found || /\/(?:$|\?)/.test(incoming.url ?? "")) return false;
    const { file, size, headers, etag, compressed } = found;
    if (matchesEtag(incoming.headers["if-none-match"], etag)) {
      response.writeHead(304, { ...headers, etag }).end();
      return true;
    }
    if (file.endsWith(PARTED) && incoming.headers.range !== undefined) {
      const sent = partOf(incoming.headers.range, size);
      if (!sent) {
        response.writeHead(416, { ...headers, "content-range": `bytes */${size}` }).end();
        return true;
      }
      const { first, last } = sent;
      response.writeHead(206, {
        ...headers,
        etag,
        "content-range": `bytes ${first}-${last}/${size}`,
        "content-length": last - first + 1,
      });
      if (incoming.method === "HEAD") response.end();
      // A client that disconnects before the end counts as answered.
      else
        await pipeline(createReadStream(file, { start: first, end: last }), response).catch(() => undefined);
      return true;
    }
    const accepted = incoming.headers["accept-encoding"]?.toString();
    const encoding = compressed ? preferredEncoding(accepted) : undefined;
    const body = await bytesOf(encoding ? file + suffixes[encoding] : file);
    if (!body) return false;
    response.writeHead(200, {
      ...headers,
      etag,
      "content-length": body.length,
      ...(encoding && { "content-encoding": encoding }),
    });
    response.end(incoming.method === "HEAD" ? undefined : body);
    // A client that disconnects before the end counts as answered.
    await finished(response).catch(() => undefined);
    return true;
  };
}

/** Finds the files by URL path. */
/**
 * The part of a file that a Range header asks for; undefined if it lies outside, or is not a single range of bytes with a start
 * (RFC 9110, 14.1): pages ask for no other.
 */
function partOf(range: string, size: number): { first: number; last: number } | undefined {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range) ?? [];
  const part = { first: Number(first), last: Math.min(size - 1, last ? Number(last) : size - 1) };
  return part.first <= part.last ? part : undefined;
}

function filesIn(folder: string): Map<string, ServedFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const all = new Set(names);
  const files = new Map<string, ServedFile>();
  for (const file of names) {
    const urlPath = `/${path.relative(folder, file).split(path.sep).join("/")}`;
    const compressed = all.has(file + suffixes.br) && all.has(file + suffixes.gzip);
    const type = types[path.extname(urlPath)];
    if (type === undefined) continue;
    // Names of built files and of archives contain a hash of their content.
    const isBuilt = urlPath.startsWith("/_next/static/") || urlPath.endsWith(PARTED);
    const headers = {
      "content-type": type,
      "cache-control": isBuilt ? "public, max-age=31536000, immutable" : "public, max-age=0",
      ...(compressed && { vary: "accept-encoding" }),
      ...(urlPath.endsWith(PARTED) && { "accept-ranges": "bytes" }),
    };
    // Browsers store parts of a file that has a strong tag.
    const etag = urlPath.endsWith(PARTED) ? `"${path.basename(file)}"` : etagOf(file);
    files.set(urlPath, { file, size: statSync(file).size, headers, etag, compressed });
  }
  return files;
}

/** A weak ETag, which is the same for every encoding of the file. */
function etagOf(file: string): string {
  return `W/"${createHash("sha256").update(readFileSync(file)).digest("base64url").slice(0, 22)}"`;
}
