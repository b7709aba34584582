import { describe, expect, it } from "vitest";
import { BodyChunks, BodyMemory } from "./body-memory.ts";

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
