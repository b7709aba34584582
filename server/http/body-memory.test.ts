import { describe, expect, it } from "vitest";
import { BodyChunks, BodyMemory, freeBytes, ownsMemory } from "./body-memory.ts";

describe("the bytes of a body", () => {
  it("are the same in any pieces, and a million single bytes take few objects", () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    for (const sizes of [[1], [200_000], [1, 20_000, 3], [16_384, 16_383], [65_536, 1]]) {
      const chunks = new BodyChunks();
      for (let at = 0, piece = 0; at < bytes.length; piece++) {
        const end = Math.min(bytes.length, at + sizes[piece % sizes.length]!);
        chunks.push(bytes.subarray(at, end));
        at = end;
      }
      expect(chunks.length).toBe(bytes.length);
      const taken = chunks.take();
      expect(taken.length).toBeLessThan(30);
      expect(Buffer.concat(taken).equals(bytes)).toBe(true);
    }
  });

  it("are not copied where they come in one piece", () => {
    const chunks = new BodyChunks();
    const body = Buffer.from("{}");
    chunks.push(body);
    expect(chunks.take()[0]).toBe(body);
  });
});

describe("the bytes of a large body", () => {
  it("are free at once when they are no longer needed", () => {
    const bytes = Buffer.allocUnsafeSlow(2 ** 20);
    expect(ownsMemory(bytes)).toBe(true);
    freeBytes(bytes);
    expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0]);
  });

  it("are left alone where they are part of memory that others use, or shared with a thread, or small", () => {
    const memory = Buffer.alloc(2 ** 20, "x");
    const shared = Buffer.from(new SharedArrayBuffer(2 ** 20));
    for (const bytes of [memory.subarray(1), memory.subarray(0, -1), shared, Buffer.from("{}")]) {
      const { length } = bytes;
      freeBytes(bytes);
      expect(bytes.length).toBe(length);
    }
    expect(memory.every((byte) => byte === 0x78)).toBe(true);
  });

  it("take little more memory than they are long, however few have arrived", () => {
    const chunks = new BodyChunks();
    for (let sent = 0; sent < 10; sent++) chunks.push(Buffer.from("x"));
    // The first piece is the client's.
    const [, ...blocks] = chunks.take();
    expect(blocks.map(({ buffer }) => buffer.byteLength)).toEqual([4096]);
  });
});

describe("the memory of small bodies", () => {
  it("is bounded while they arrive: the one that began first gives way", () => {
    const memory = new BodyMemory(0, 0, 100);
    const gone: string[] = [];
    const body = (name: string) => {
      const self = {
        giveWay() {
          gone.push(name);
          memory.removeSmall(self);
        },
      };
      return self;
    };
    const [first, second, third] = [body("first"), body("second"), body("third")];
    memory.addSmall(first, 40);
    memory.addSmall(second, 40);
    memory.addSmall(first, 20);
    expect(gone).toEqual([]);
    memory.addSmall(third, 1);
    expect([gone, memory.smallUsed]).toEqual([["first"], 41]);
    memory.removeSmall(first);
    memory.removeSmall(third);
    expect(memory.smallUsed).toBe(40);
  });
});

describe("the memory of large bodies", () => {
  it("is bounded in all and for one address, and free again when it is released", () => {
    const memory = new BodyMemory(100, 60);
    expect(memory.take("a", 60)).toBe(true);
    expect(memory.take("a", 1)).toBe(false);
    expect(memory.take("b", 40)).toBe(true);
    expect(memory.take("c", 1)).toBe(false);
    memory.release("a", 60);
    expect(memory.take("c", 60)).toBe(true);
    memory.release("c", 60);
    memory.release("b", 40);
    expect(memory.used).toBe(0);
  });
});
