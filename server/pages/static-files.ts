import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { finished } from "node:stream/promises";
import { chosenEncoding } from "#server/http/compression.ts";
import { matchesEtag } from "#server/http/conditional-request.ts";
import { targetOf } from "#server/http/target.ts";

/** Media types of what the pages are made of, by extension. */
const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** How the compressed forms of a file are called beside it. */
const endings = { br: ".br", gzip: ".gz" } as const;

interface ServedFile {
  file: string;
  headers: Readonly<Record<string, string>>;
  etag: string;
  compressed: boolean;
}

/**
 * Answers for the files that `scripts/served-files.mjs` laid out, compressed when the pages were built: Next would
 * compress them anew for every visitor.
 *
 * @param folder Where they were laid out; without it nothing is answered.
 * @returns Whether it answered: false for what is none of these files, or is gone since a newer build.
 */
export function servedFiles(
  folder: string,
): (incoming: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const files = existsSync(folder) ? filesIn(folder) : new Map<string, ServedFile>();
  return async (incoming, response) => {
    const found = files.get(targetOf(incoming.url ?? "/").path);
    // A folder of that name would be another thing.
    if (!found || /\/(?:$|\?)/.test(incoming.url ?? "")) return false;
    const { file, headers, etag, compressed } = found;
    if (matchesEtag({ header: (name) => incoming.headers[name]?.toString() }, etag)) {
      response.writeHead(304, { ...headers, etag }).end();
      return true;
    }
    const accepted = incoming.headers["accept-encoding"]?.toString();
    const encoding = compressed ? chosenEncoding(accepted) : undefined;
    const body = await readFile(encoding ? file + endings[encoding] : file).catch(() => undefined);
    if (!body) return false;
    response.writeHead(200, {
      ...headers,
      etag,
      "content-length": body.length,
      ...(encoding && { "content-encoding": encoding }),
    });
    response.end(incoming.method === "HEAD" ? undefined : body);
    // Who leaves before the end was answered too.
    await finished(response).catch(() => undefined);
    return true;
  };
}

/** By the path that they are asked for. */
function filesIn(folder: string): Map<string, ServedFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const all = new Set(names);
  const files = new Map<string, ServedFile>();
  for (const file of names) {
    const type = types[path.extname(file)];
    if (!type) continue;
    const asked = `/${path.relative(folder, file).split(path.sep).join("/")}`;
    const compressed = all.has(file + endings.br) && all.has(file + endings.gzip);
    // The names of built files hold their content.
    const forever = asked.startsWith("/_next/static/");
    const headers = {
      "content-type": type,
      "cache-control": forever ? "public, max-age=31536000, immutable" : "public, max-age=0",
      ...(compressed && { vary: "accept-encoding" }),
    };
    files.set(asked, { file, headers, etag: etagOf(file), compressed });
  }
  return files;
}

/** Weak: the same for each encoding. */
function etagOf(file: string): string {
  return `W/"${createHash("sha256").update(readFileSync(file)).digest("base64url").slice(0, 22)}"`;
}
