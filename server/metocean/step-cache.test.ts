import { expect, it } from "vitest";
import { stepCache } from "#server/metocean/step-cache.ts";

const step = (values: number) => ({
  slots: [new Uint16Array(values / 2)],
  texts: [[new Uint8Array(values / 2), new Uint8Array(values / 2)]],
});

it("keeps what was used last, within its budget", () => {
  const cache = stepCache(1000);
  const [a, b] = [step(200), step(200)];
  cache.set("a", a);
  cache.set("b", b);
  expect(cache.get("a")).toBe(a);
  cache.set("c", step(200));
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")).toBe(a);
});

it("does not keep a step that is larger than all it may keep, nor count one twice", () => {
  const cache = stepCache(1000);
  cache.set("a", step(400));
  cache.set("a", step(400));
  cache.set("huge", step(502));
  expect(cache.get("a")).toBeDefined();
  expect(cache.get("huge")).toBeUndefined();
});
