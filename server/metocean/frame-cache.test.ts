import { expect, it } from "vitest";
import { frameCache } from "./frame-cache.ts";

const { signal } = new AbortController();

it("counts the memory that a frame holds, not only the part that it shows", async () => {
  const cache = frameCache(10_000);
  const part = () => Promise.resolve(new Uint8Array(new ArrayBuffer(4000), 0, 10));
  for (const key of ["a", "b", "c"]) await cache.get(key, part, signal);
  expect(cache.bytes).toBe(8000);
  let made = 0;
  const again = (key: string) =>
    cache.get(
      key,
      () => {
        made++;
        return part();
      },
      signal,
    );
  await again("c");
  expect(made).toBe(0);
  await again("a");
  expect(made).toBe(1);
});
