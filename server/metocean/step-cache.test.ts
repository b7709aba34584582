import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { type DeflatedPart, gzipOf } from "#server/platform/gzip-parts.ts";
import { stepCache } from "./step-cache.ts";

const step = (values: number) => ({
  entries: [new Uint16Array(values / 2)],
  texts: [{ pieces: [new Uint8Array(values / 2), new Uint8Array(values / 2)] }],
});

const packedBytes = ({ blocks }: DeflatedPart) => blocks.reduce((sum, { length }) => sum + length, 0);

it("retains what was used last, within its budget", () => {
  const cache = stepCache(1000);
  const [a, b] = [step(200), step(200)];
  cache.set("a", a);
  cache.set("b", b);
  expect(cache.get("a")).toBe(a);
  cache.set("c", step(200));
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")).toBe(a);
});

it("does not cache a step that is larger than its budget, nor count one twice", () => {
  const cache = stepCache(1000);
  cache.set("a", step(400));
  cache.set("a", step(400));
  cache.set("huge", step(502));
  expect(cache.get("a")).toBeDefined();
  expect(cache.get("huge")).toBeUndefined();
});

it("compresses a cached text once, also for concurrent callers, and counts it", async () => {
  const cache = stepCache(10_000);
  const a = step(2000);
  cache.set("a", a);
  expect(cache.bytes).toBe(4000);
  const [one, other] = await Promise.all([cache.deflated(a.texts[0]!), cache.deflated(a.texts[0]!)]);
  expect(other).toBe(one);
  expect(await cache.deflated(a.texts[0]!)).toBe(one);
  expect(cache.bytes).toBe(4000 + packedBytes(one));
  const pieces: Uint8Array[] = [];
  for await (const piece of gzipOf([one])) pieces.push(piece);
  expect(gunzipSync(Buffer.concat(pieces))).toEqual(Buffer.alloc(2000));
});

it("the compressed form is evicted with its text, and evicts what was used before", async () => {
  const cache = stepCache(8000);
  const [a, b] = [step(2000), step(2000)];
  cache.set("a", a);
  cache.set("b", b);
  expect(cache.bytes).toBe(8000);
  const packed = await cache.deflated(b.texts[0]!);
  expect(cache.get("a")).toBeUndefined();
  expect(cache.bytes).toBe(4000 + packedBytes(packed));
  cache.set("c", step(2000));
  expect([cache.get("b"), cache.bytes]).toEqual([undefined, 4000]);
});

it("the compressed form of a text that is not cached, or no longer, is not retained", async () => {
  const cache = stepCache(4000);
  const [a, b] = [step(2000), step(2000)];
  cache.set("a", a);
  const meanwhile = cache.deflated(a.texts[0]!);
  cache.set("b", b);
  expect((await meanwhile).length).toBe(2000);
  expect(cache.bytes).toBe(4000);
  // It would fit only in the place of its own step.
  await cache.deflated(b.texts[0]!);
  expect([cache.get("b"), cache.bytes]).toEqual([b, 4000]);
});
