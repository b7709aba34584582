import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "#test/archive.ts";
import {
  chunkLength,
  chunkOffset,
  crc32c,
  decodeShardIndex,
  encodeShardIndex,
  ShardWriter,
} from "./shard.ts";

// RFC 3720, appendix B.4.
it.each([
  { bytes: new Uint8Array(32), crc: 0x8a9136aa, of: "32 zeros" },
  { bytes: new Uint8Array(32).fill(0xff), crc: 0x62a8ab43, of: "32 ones" },
  { bytes: Uint8Array.from({ length: 32 }, (_, i) => i), crc: 0x46dd794e, of: "32 ascending bytes" },
  { bytes: new TextEncoder().encode("123456789"), crc: 0xe3069283, of: "the check string" },
])("agrees with RFC 3720 on $of", ({ bytes, crc }) => {
  expect(crc32c(bytes)).toBe(crc);
});

/** An index of chunks of these lengths; undefined is not stored. */
function indexOf(lengths: readonly (number | undefined)[]): Uint8Array {
  let end = 0;
  const entries = lengths.flatMap((length) => {
    const at = length === undefined ? -1 : end;
    end += length ?? 0;
    return [at, length ?? 0];
  });
  return encodeShardIndex(Float64Array.from(entries));
}

it.each<[string, (number | undefined)[]]>([
  ["all chunks", [5, 7, 9]],
  ["chunks that are not stored", [undefined, 5, undefined, undefined, 8, undefined]],
  ["no chunk", [undefined, undefined]],
  ["more than 4 GiB", [3e9, undefined, 3e9, 12]],
])("finds chunks by the index of a shard with %s, at any place in memory", (_, lengths) => {
  const encoded = indexOf(lengths);
  const moved = new Uint8Array(encoded.length + 3).subarray(3);
  moved.set(encoded);
  for (const bytes of [encoded, moved]) {
    const index = decodeShardIndex(bytes, lengths.length);
    if (typeof index === "string") throw new Error(index);
    expect(index.full).toBe(!lengths.includes(undefined));
    let end = 0;
    for (const [chunk, length] of lengths.entries()) {
      expect(chunkOffset(index, chunk)).toBe(length === undefined ? -1 : end);
      expect(chunkLength(index, chunk)).toBe(length ?? 0);
      end += length ?? 0;
    }
  }
});

it("refuses an index that is damaged, cut short or has gaps", () => {
  const encoded = indexOf([5, 7]);
  expect(decodeShardIndex(encoded.subarray(1), 2)).toMatch("bytes");
  expect(decodeShardIndex(Uint8Array.from(encoded).fill(1, 3, 4), 2)).toMatch("checksum");
  expect(decodeShardIndex(encodeShardIndex(Float64Array.of(0, 5, 6, 7)), 2)).toMatch("do not follow");
});

it("has its chunks one after another, whether the writer's buffer is larger or smaller than they are", async () => {
  for (const lengths of [
    [10, 20],
    [3000, 14_000, 1, 70_000],
    [900_000, 200_000, 1_500_000, 5, 1_048_576],
  ]) {
    const file = join(temporaryFolder(), "shard");
    const writer = await ShardWriter.create(file, lengths.length);
    const chunks = lengths.map((length, chunk) => Buffer.alloc(length, chunk + 1));
    for (const [chunk, bytes] of chunks.entries()) await writer.append(chunk, bytes);
    const { bytes, sha256 } = await writer.finish();
    const written = readFileSync(file);
    const data = Buffer.concat(chunks);
    expect(written.subarray(0, data.length).equals(data)).toBe(true);
    expect({ bytes, sha256 }).toEqual({
      bytes: written.length,
      sha256: createHash("sha256").update(written).digest("hex"),
    });
  }
});
