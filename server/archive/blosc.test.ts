import { describe, expect, it } from "vitest";
import { registry } from "zarrita";
import { seeded } from "#test/seeded.ts";
import { encodePlanes, LZ4_OF_PLANES } from "./blosc.ts";
import { planeKernels } from "./kernels/planes.ts";
import { crc32c } from "./shard.ts";

/** Waves with noise of some strength, and missing values. */
function chunkOf(count: number, noise: number, random: () => number): Uint8Array {
  const values = Int16Array.from({ length: count }, (_, i) =>
    random() < 0.02 ? -32768 : Math.round(1000 * Math.sin(i / 40) + noise * (random() - 0.5)),
  );
  return new Uint8Array(values.buffer);
}

/** A chunk followed by its checksum, decoded. */
function decoded(chunk: Uint8Array, count: number): Uint8Array | string {
  const { input } = planeKernels;
  input.set(chunk);
  new DataView(input.buffer, input.byteOffset).setUint32(chunk.length, crc32c(chunk), true);
  const values = planeKernels.decodeSealed(input.byteOffset, chunk.length + 4, LZ4_OF_PLANES, count);
  return typeof values === "string" ? values : values.slice();
}

describe("chunks of bit planes", () => {
  it.each([128, 512, 1024, 8192])(
    "are decoded by c-blosc and by us to what they were: %i values",
    async (count) => {
      const random = seeded(count);
      const Blosc = await registry.get("blosc")!();
      const theirs = Blosc.fromConfig({}, undefined as never) as unknown as {
        decode(chunk: Uint8Array): Promise<Uint8Array>;
      };
      for (const noise of [0, 5, 300, 65_535]) {
        const values = chunkOf(count, noise, random);
        const chunk = encodePlanes(values);
        expect(Buffer.compare(await theirs.decode(chunk), values), `c-blosc, noise ${noise}`).toBe(0);
        expect(Buffer.compare(decoded(chunk, count) as Uint8Array, values), `noise ${noise}`).toBe(0);
      }
    },
  );

  it("are refused unless whole and of the size that is expected", () => {
    const chunk = encodePlanes(chunkOf(512, 5, seeded(1)));
    expect(decoded(chunk, 1024)).toBe("form");
    for (let end = 0; end < chunk.length; end++)
      expect(decoded(chunk.subarray(0, end), 512), `${end} bytes`).toBe("form");
    planeKernels.input.set([...chunk, 1, 2, 3, 4]);
    expect(planeKernels.decodeSealed(0, chunk.length + 4, LZ4_OF_PLANES, 512)).toBe("checksum");
  });

  it("of random bytes end in time, write nothing behind a chunk, and never have another size", () => {
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
      expect(["form", size]).toContain(
        ((values) => (values === "form" ? values : values.length))(decoded(chunk, size / 2)),
      );
    }
    // The tables of the checksum follow the largest chunk in memory.
    expect(decoded(whole, size / 2)).toHaveLength(size);
  });
});
