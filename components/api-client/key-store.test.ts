import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { apiFetch } from "./api-fetch.ts";
import { acceptKey, forgetKey, readKey, subscribeToKey } from "./key-store.ts";

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  vi.stubGlobal("window", { history: { state: null }, addEventListener: () => undefined });
});
afterEach(() => {
  forgetKey();
  vi.unstubAllGlobals();
});

it.each([401, 403])(
  "asks for another key when the service answers %i, whatever was requested",
  async (status) => {
    vi.stubGlobal("fetch", async () => Response.json({ detail: "Invalid API key" }, { status }));
    acceptKey("old");
    const changes: boolean[] = [];
    const end = subscribeToKey(() => changes.push(readKey().refused));
    await expect(apiFetch("/storms", { key: "old" })).rejects.toThrow("Invalid API key");
    await expect(apiFetch("/MetOcean", { key: "old" })).rejects.toThrow("Invalid API key");
    expect(changes).toEqual([true]);
    end();
  },
);

it("keeps a key that was typed while a request with the refused one was on its way", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 401 }));
  acceptKey("new");
  await expect(apiFetch("/storms", { key: "old" })).rejects.toThrow();
  expect(readKey()).toEqual({ key: "new", refused: false });
});

it("does not blame the key for a signed path that is refused", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 403 }));
  acceptKey("good");
  await expect(apiFetch("/frames", {})).rejects.toThrow();
  expect(readKey().refused).toBe(false);
});
