import { describe, expect, it } from "vitest";
import { LookupCache } from "./lookup-cache.ts";

describe("remembered lookups", () => {
  const now = () => 100;

  it("are bounded: wrong keys go first-in first-out and never push out a right one", async () => {
    const cache = new LookupCache<string>(5, 3);
    cache.remember("right", Promise.resolve("owner"), now);
    for (let i = 0; i < 1000; i++) cache.remember(`wrong ${i}`, Promise.resolve(undefined), now);
    await Promise.resolve();
    expect(cache.get("right", 101)).toMatchObject({ value: "owner" });
    const kept = Array.from({ length: 1000 }, (_, i) => cache.get(`wrong ${i}`, 101)).filter(Boolean);
    expect(kept).toHaveLength(3);
  });

  it("that were under way when everything was forgotten are not remembered", async () => {
    const cache = new LookupCache<string>(5);
    const reading = Promise.resolve("revoked meanwhile");
    cache.remember("key", reading, now);
    cache.clear();
    await reading;
    expect(cache.get("key", 100)).toBeUndefined();
  });
});
