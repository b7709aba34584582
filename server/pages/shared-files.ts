import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { preferredEncoding } from "#server/platform/negotiation.ts";
import { builtFileHeaders } from "./static-files.ts";

/** A file as it is stored. */
interface SharedFile {
  content: Buffer;
  /** The content is brotli. */
  compressed: boolean;
}

interface SharedFilesDeps {
  tables: Pick<PrismaClient, "$queryRaw" | "$executeRaw">;
  log: { warn(fields: object, message: string): void };
}

/** Files whose names contain their content. */
const BUILT = "/_next/static/";
const NAME = /^\/_next\/static\/[\w./~-]{1,200}$/;

/** Files of a build stay for so long after the last process of it: pages stay open. */
const KEPT_DAYS = 3;
/** How often a process says that its build is in use, milliseconds. */
const TOUCH_MS = 6 * 3600 * 1000;

const CACHE_BYTES = 2 * 2 ** 20;

/**
 * Files of the pages' builds in the database, so that during a rolling change a replica of either build has the scripts
 * that a page of the other one asks for.
 */
export class SharedFiles {
  readonly #deps: SharedFilesDeps;
  readonly #found = new LRUCache<string, SharedFile>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ content }) => content.length,
  });
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SharedFilesDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the files of a build that are not stored, deletes those that no process has used for days, and says from time to
   * time that this build is in use. Never rejects: without it only pages of another build lack their files.
   *
   * @param folder What is served, as `scripts/served-files.mjs` has laid it out.
   */
  async keep(folder: string): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void this.#store(folder), TOUCH_MS).unref();
    await this.#store(folder);
  }

  /** A file of any build that runs or ran lately. @throws when the database does not answer. */
  async find(urlPath: string): Promise<SharedFile | undefined> {
    const known = this.#found.get(urlPath);
    if (known || !NAME.test(urlPath)) return known;
    const [row] = await this.#deps.tables.$queryRaw<{ content: Uint8Array; compressed: boolean }[]>`
      SELECT content, compressed FROM page_file WHERE path = ${urlPath}`;
    if (!row) return undefined;
    const file = { content: Buffer.from(row.content), compressed: row.compressed };
    this.#found.set(urlPath, file);
    return file;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #store(folder: string): Promise<void> {
    const { tables, log } = this.#deps;
    try {
      const names = builtFiles(folder);
      const stored = await tables.$queryRaw<{ path: string }[]>`
        UPDATE page_file SET used_at = now() WHERE path = ANY (${names}::text[]) RETURNING path`;
      const known = new Set(stored.map((row) => row.path));
      for (const name of names) {
        if (known.has(name)) continue;
        const compressed = existsSync(path.join(folder, `${name}.br`));
        const content = await readFile(path.join(folder, compressed ? `${name}.br` : name));
        await tables.$executeRaw`
          INSERT INTO page_file (path, content, compressed, used_at) VALUES (${name}, ${content}, ${compressed}, now())
          ON CONFLICT (path) DO UPDATE SET used_at = excluded.used_at`;
      }
      await tables.$executeRaw`
        DELETE FROM page_file WHERE used_at < now() - make_interval(days => ${KEPT_DAYS}::int)`;
    } catch (error) {
      log.warn({ err: error }, "the files of the pages could not be stored for other builds");
    }
  }
}

/** Paths of a build's files, without their compressed forms, and without what no page loads. */
function builtFiles(folder: string): string[] {
  const built = path.join(folder, BUILT);
  if (!existsSync(built)) return [];
  return readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$|-dev\./.test(entry.name))
    .map(
      ({ parentPath, name }) =>
        BUILT + path.relative(built, path.join(parentPath, name)).split(path.sep).join("/"),
    )
    .filter((name) => NAME.test(name))
    .sort();
}

/** Sends a file of another build. @returns false for a type that pages do not load. */
export async function sendSharedFile(
  urlPath: string,
  { content, compressed }: SharedFile,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const headers = builtFileHeaders(urlPath, compressed);
  if (!headers) return false;
  const accepted = incoming.headers["accept-encoding"]?.toString();
  const isSentAsItIs = !compressed || preferredEncoding(accepted) === "br";
  const body = isSentAsItIs ? content : await promisify(brotliDecompress)(content);
  response.writeHead(200, {
    ...headers,
    "content-length": body.length,
    ...(compressed && isSentAsItIs && { "content-encoding": "br" }),
  });
  response.end(incoming.method === "HEAD" ? undefined : body);
  // A client that disconnects before the end counts as answered.
  await finished(response).catch(() => undefined);
  return true;
}
