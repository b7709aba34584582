import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { firstKey, firstSent, sendFirst } from "./first-request.ts";

const PATH = "/2DMetOcean/manifest?variable=wind";

beforeEach(() => {
  vi.stubGlobal("fetch", async () => new Response("early"));
});
afterEach(() => {
  globalThis.firstRequests = undefined;
});

interface Browser {
  hash?: string;
  ofTab?: string;
  ofDevice?: string;
}

function keyIn({ hash = "", ofTab, ofDevice }: Browser, guests = false): string | null | undefined {
  vi.stubGlobal("location", { hash });
  vi.stubGlobal("sessionStorage", { getItem: () => ofTab ?? null });
  vi.stubGlobal("localStorage", { getItem: () => ofDevice ?? null });
  return firstKey(guests);
}

it("is sent by the key in use, which goes before that of a link", () => {
  expect(keyIn({ ofTab: "tab", ofDevice: "device", hash: "#key=link" })).toBe("tab");
  expect(keyIn({ ofDevice: "device", hash: "#key=link" })).toBe("device");
  expect(keyIn({ hash: "#key=link" })).toBe("link");
});

it("without a key it is sent only where visitors are let in", () => {
  expect(keyIn({})).toBeUndefined();
  expect(keyIn({}, true)).toBeNull();
});

it("answers the same request once", async () => {
  sendFirst(PATH, "tab");
  const init = { headers: { "x-api-key": "tab" } };
  expect(firstSent("/MetOcean", init)).toBeUndefined();
  expect(await (await firstSent(PATH, init)?.reply)?.text()).toBe("early");
  expect(firstSent(PATH, init)).toBeUndefined();
});

it("answers no request of another key or with another body", async () => {
  sendFirst(PATH, "tab");
  expect(firstSent(PATH, { headers: { "x-api-key": "other" } })).toBeUndefined();
  sendFirst("/MetOcean", "tab", { points: [1] });
  const init = { method: "POST", headers: { "x-api-key": "tab" } };
  expect(firstSent("/MetOcean", { ...init, body: '{"points":[2]}' })).toBeUndefined();
  expect(firstSent("/MetOcean", { ...init, body: '{"points":[1]}' })).toBeDefined();
});
