import { afterEach, describe, expect, it, vi } from "vitest";
import { registry } from "zarrita";
import { seeded } from "#test/seeded.ts";
import { compressLz4, decodeBlosc, decompressLz4, encodePlanes, maxLz4Bytes } from "./blosc.ts";
import { planeKernels } from "./kernels/planes.ts";
import { crc32c } from "./shard.ts";

const without = vi.hoisted(() => ({ kernels: false }));
vi.mock(import("./kernels/planes.ts"), async (load) => {
  const loaded = await load();
  return {
    ...loaded,
    get planeKernels() {
      return without.kernels ? undefined : loaded.planeKernels;
    },
  };
});
afterEach(() => {
  without.kernels = false;
});

/** Waves with noise of some strength, and missing values. */
function chunkOf(count: number, noise: number, random: () => number): Uint8Array {
  const values = Int16Array.from({ length: count }, (_, i) =>
    random() < 0.02 ? -32768 : Math.round(1000 * Math.sin(i / 40) + noise * (random() - 0.5)),
  );
  return new Uint8Array(values.buffer);
}

const same = (one: Uint8Array | undefined, other: Uint8Array) =>
  one !== undefined && Buffer.compare(one, other) === 0;

describe("chunks of bit planes", () => {
  it.each([8, 40, 128, 512, 1024, 8192, 32_768])(
    "are decoded by c-blosc and by us, with and without vector registers, to what they were: %i values",
    async (count) => {
      const random = seeded(count);
      const Blosc = await registry.get("blosc")!();
      const theirs = Blosc.fromConfig({}, undefined as never) as unknown as {
        decode(chunk: Uint8Array): Promise<Uint8Array>;
      };
      for (const noise of [0, 5, 300, 65_535]) {
        const values = chunkOf(count, noise, random);
        const chunk = encodePlanes(values);
        expect(same(await theirs.decode(chunk), values), `c-blosc, noise ${noise}`).toBe(true);
        for (const kernels of [false, true]) {
          without.kernels = kernels;
          expect(same(decodeBlosc(chunk, chunk.length, values.length), values), `noise ${noise}`).toBe(true);
          expect(encodePlanes(values).equals(chunk)).toBe(true);
        }
        without.kernels = false;
      }
    },
  );

  it("are refused unless whole and of the size that is expected", () => {
    const values = chunkOf(512, 5, seeded(1));
    const chunk = encodePlanes(values);
    expect(decodeBlosc(chunk, chunk.length, 2 * values.length)).toBeUndefined();
    for (let end = 0; end < chunk.length; end++)
      expect(decodeBlosc(chunk.subarray(0, end), end, values.length), `${end} bytes`).toBeUndefined();
  });

  it("of random bytes end in time, write nowhere else, and never have another size", () => {
    const random = seeded(7);
    const size = 1024;
    const whole = encodePlanes(chunkOf(size / 2, 40, random));
    for (let round = 0; round < 1000; round++) {
      const chunk = Uint8Array.from(whole);
      // The header stays in half of the rounds, so that the block is reached.
      const from = round % 2 === 0 ? 24 : 0;
      const changes = round % 3 === 0 ? chunk.length : 1 + Math.floor(4 * random());
      for (let i = 0; i < changes; i++)
        chunk[from + Math.floor(random() * (chunk.length - from))] = Math.floor(256 * random());
      const found = [false, true].map((kernels) => {
        without.kernels = kernels;
        const values = decodeBlosc(chunk, chunk.length, size);
        return values && Buffer.from(values);
      });
      expect([undefined, size]).toContain(found[0]?.length);
      expect(found[1]).toEqual(found[0]);
    }
  });
});

it("an LZ4 block of any bytes is what it was, and no longer than promised", () => {
  const random = seeded(3);
  for (let length = 0; length < 700; length += 3) {
    const alphabet = 1 + Math.floor(random() * random() * 256);
    const bytes = Uint8Array.from({ length }, () => Math.floor(random() * alphabet));
    const block = new Uint8Array(maxLz4Bytes(length));
    const packed = block.subarray(0, compressLz4(bytes, block));
    expect(same(decompressLz4(packed, length), bytes), `${length} bytes`).toBe(true);
  }
});

it("the kernels write nothing behind a chunk, whatever a block is, and compute the checksum of Zarr", () => {
  const kernels = planeKernels!;
  const memory = new Uint8Array(kernels.input.buffer);
  const random = seeded(5);
  for (let round = 0; round < 300; round++) {
    const length = 1 + Math.floor(random() * 4000);
    const at = kernels.input.length - length;
    for (let i = at; i < kernels.input.length; i++) memory[i] = Math.floor(random() * 256);
    kernels.decode(at, length, 8192);
  }
  // Behind the largest chunk come the tables of the checksum.
  const bytes = Uint8Array.from({ length: 5000 }, () => Math.floor(random() * 256));
  kernels.input.set(bytes);
  for (const length of [0, 1, 15, 16, 17, 4999])
    expect(kernels.crc(1, length)).toBe(crc32c(bytes, 1, 1 + length));
});
