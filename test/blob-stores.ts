import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { type BlobEntry, BlobMissingError, type BlobStore } from "#server/platform/blob-store.ts";
import { seeded } from "./seeded.ts";

const random = seeded(7);

export const randomBytes = (length: number) =>
  Buffer.from(Uint8Array.from({ length }, () => Math.floor(256 * random())));

export async function* piecesOf(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

export async function entriesOf(blobs: Pick<BlobStore, "list">, below?: string): Promise<BlobEntry[]> {
  const found: BlobEntry[] = [];
  for await (const entry of blobs.list(below)) found.push(entry);
  return found;
}

/**
 * Tests of what every blob store guarantees.
 *
 * @param open Returns the empty store of the test.
 * @param largeBytes Length of a blob that the store writes in several steps.
 */
export function testBlobStore(open: () => BlobStore, largeBytes: number): void {
  it("lists what lies below a name, and not what only begins with it", async () => {
    const blobs = open();
    for (const key of ["runs/a/1", "runs/a/b/2", "runs/a-2/3"])
      await blobs.put(key, piecesOf(randomBytes(1)));
    expect((await entriesOf(blobs, "runs/a")).map(({ key }) => key).sort()).toEqual([
      "runs/a/1",
      "runs/a/b/2",
    ]);
    expect(await entriesOf(blobs, "runs")).toHaveLength(3);
    expect(await entriesOf(blobs, "nothing")).toEqual([]);
  });

  it.each([1, 300_000, largeBytes])(
    "returns what was stored, %i bytes, whole and in parts",
    async (length) => {
      const blobs = open();
      const bytes = randomBytes(length);
      await blobs.put("a/b.1", piecesOf(bytes));
      expect(Buffer.compare((await blobs.get("a/b.1"))!, bytes)).toBe(0);
      expect(Buffer.compare(await buffer(blobs.read("a/b.1")), bytes)).toBe(0);
      const part = async (offset: number, size: number) =>
        Buffer.from((await blobs.getRange("a/b.1", offset, size))!);
      expect(await part(1, 2)).toEqual(bytes.subarray(1, 3));
      expect(await part(-2, 100)).toEqual(bytes.subarray(-2));
      expect(await part(length, 5)).toEqual(Buffer.alloc(0));
    },
  );

  it("stores nothing at all under a key, too", async () => {
    const blobs = open();
    await blobs.put("empty", piecesOf(Buffer.alloc(0)));
    expect(await blobs.get("empty")).toHaveLength(0);
    expect(await blobs.getRange("empty", 1, 2)).toHaveLength(0);
    expect(await buffer(blobs.read("empty"))).toHaveLength(0);
  });

  it("leaves nothing behind when the pieces end in an error, or when the caller stops", async () => {
    const blobs = open();
    const broken = async function* () {
      yield randomBytes(largeBytes);
      throw new Error("no more");
    };
    await expect(blobs.put("a", broken())).rejects.toThrow("no more");
    const stop = new AbortController();
    const endless = async function* () {
      for (let sent = 0; ; sent += 2 ** 20) {
        yield randomBytes(2 ** 20);
        if (sent > largeBytes) stop.abort(new Error("stopped"));
      }
    };
    await expect(blobs.put("b", endless(), stop.signal)).rejects.toThrow("stopped");
    expect(await entriesOf(blobs)).toEqual([]);
  });

  it("reports what is missing, deletes it without complaint, and takes no path for a key", async () => {
    const blobs = open();
    expect(await blobs.get("a")).toBeUndefined();
    expect(await blobs.getRange("a", 0, 1)).toBeUndefined();
    expect(await blobs.getRange("a", -1, 1)).toBeUndefined();
    await expect(buffer(blobs.read("a"))).rejects.toThrow(BlobMissingError);
    await blobs.put("a", piecesOf(randomBytes(2)));
    await blobs.delete("a");
    await blobs.delete("a");
    expect(await blobs.get("a")).toBeUndefined();
    for (const key of ["../a", "/a", "a/../b", "a//b", ".a", ""])
      await expect(blobs.delete(key), key).rejects.toThrow(TypeError);
  });
}
