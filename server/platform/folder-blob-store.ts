import { createHash } from "node:crypto";
import { mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { syncFolder } from "#server/archive/files.ts";
import { BlobDamagedError, BlobMissingError, type BlobStore } from "./blob-store.ts";

/** Results are numbers in text: level 1 is as small as 6 within a tenth, at a third of the time. */
const gzipOptions = { level: 1, chunkSize: 64 * 1024 };

const READ_AT_ONCE = 64 * 1024;

/** Files in a folder, which is made where it is absent. Each is written beside its name and renamed. */
export function folderBlobStore(folder: string): BlobStore {
  let drafts = 0;

  return {
    async write(name, pieces, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = at(folder, `${name}.${process.pid}-${++drafts}${DRAFT}`);
      const hash = createHash("sha256");
      let bytes = 0;
      const file = await open(draft, "wx", 0o600);
      try {
        const hashed = async function* (packed: AsyncIterable<Buffer>) {
          for await (const chunk of packed) {
            hash.update(chunk);
            bytes += chunk.length;
            yield chunk;
          }
        };
        await pipeline(
          Readable.from(pieces, { objectMode: false }),
          createGzip(gzipOptions),
          hashed,
          async (packed: AsyncIterable<Buffer>) => {
            for await (const chunk of packed) await file.appendFile(chunk);
          },
          { signal },
        );
        await file.sync();
        await file.close();
        await rename(draft, at(folder, name));
        await syncFolder(folder);
        return { bytes, hash: hash.digest("hex") };
      } catch (error) {
        await file.close();
        await rm(draft, { force: true });
        throw error;
      }
    },

    async *read(name, expected) {
      const file = await open(at(folder, name)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? new BlobMissingError(name) : error;
      });
      try {
        const hash = createHash("sha256");
        let held: Buffer | undefined;
        for (;;) {
          const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_AT_ONCE));
          const chunk = buffer.subarray(0, bytesRead);
          if (bytesRead > 0) hash.update(chunk);
          else if (expected !== undefined && hash.digest("hex") !== expected)
            throw new BlobDamagedError(name);
          // One chunk is held back: whoever reads a damaged file never gets the whole of it.
          if (held) yield held;
          if (bytesRead === 0) return;
          held = chunk;
        }
      } finally {
        await file.close();
      }
    },

    async remove(name) {
      await rm(at(folder, name), { force: true });
    },

    async *olderThan(before) {
      const entries = await opendir(folder).catch(orNone);
      for await (const entry of entries) {
        const found = await stat(path.join(folder, entry.name)).catch(orNone);
        if ("mtimeMs" in found && found.mtimeMs < before * 1000) yield entry.name;
      }
    },
  };
}

const DRAFT = ".draft";

/** A name of ours has no folder in it. */
function at(folder: string, name: string): string {
  if (!/^[\w.-]+$/.test(name)) throw new TypeError(`${name} is no name of a file`);
  return path.join(folder, name);
}

/** What is gone was removed by another: there is nothing to look at. */
function orNone(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
