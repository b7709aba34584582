import { expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { isWholeIndex, packIndex, unpackIndex } from "./run-objects.ts";
import { chunkLength, chunkOffset, decodeShardIndex, encodeShardIndex, type ShardIndex } from "./shard.ts";

const random = seeded(3);
const COUNT = 500;

/** Offset and length of each chunk. @param share Share of chunks that are not stored. */
function entries(share: number, length: () => number): Float64Array {
  const made = new Float64Array(2 * COUNT).fill(-1);
  let end = 0;
  for (let at = 0; at < COUNT; at++) {
    if (random() < share) continue;
    made[2 * at] = end;
    made[2 * at + 1] = length();
    end += made[2 * at + 1]!;
  }
  return made;
}

const described = (index: ShardIndex) =>
  Array.from({ length: index.count }, (_, chunk) => {
    const offset = chunkOffset(index, chunk);
    return offset < 0 ? undefined : [offset, chunkLength(index, chunk)];
  });

const varied = () => 1 + Math.floor(1000 * random());

it.each([
  ["of lengths", entries(0, varied)],
  ["with missing chunks", entries(0.3, varied)],
  ["without a chunk", entries(1, varied)],
  ["of equal lengths", entries(0, () => 1028)],
  ["beyond 64 KiB a chunk", entries(0, () => 70_000 + varied())],
  ["beyond four GiB", entries(0, () => 10_000_000 + varied())],
])("an index %s says the same unpacked", (_, made) => {
  const stored = encodeShardIndex(made);
  const index = decodeShardIndex(stored, COUNT) as ShardIndex;
  const packed = packIndex(stored, COUNT)!;
  const unpacked = unpackIndex(packed, COUNT) as ShardIndex;
  expect(described(unpacked)).toEqual(described(index));
  expect(unpacked.full).toBe(index.full);
});

it("is refused where a bit is wrong or it is of another array, and is not made of a damaged index", () => {
  const stored = encodeShardIndex(entries(0, varied));
  const packed = packIndex(stored, COUNT)!;
  for (let at = 0; at < packed.length; at += 5) {
    const wrong = packed.slice();
    wrong[at]! ^= 16;
    expect(isWholeIndex(wrong)).toBe(false);
    expect(unpackIndex(wrong, COUNT)).toBe("its packed index fails its checksum");
  }
  expect(isWholeIndex(new Uint8Array(3))).toBe(false);
  expect(unpackIndex(packed, COUNT - 1)).toBe("its packed index is not zstd of its chunks");
  expect(unpackIndex(packed, COUNT + 1)).toBe(`its packed index has ${4 * COUNT} bytes`);
  expect(decodeShardIndex(encodeShardIndex(Float64Array.of(9, 9, 0, 9)), 2)).toBe(
    "its chunks do not follow each other",
  );
  stored[9]! ^= 1;
  expect(packIndex(stored, COUNT)).toBeUndefined();
});
