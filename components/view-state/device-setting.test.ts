import { afterEach, expect, it, vi } from "vitest";
import { deviceSetting } from "./device-setting.ts";

afterEach(() => vi.unstubAllGlobals());

it("reads what this device keeps, and what applies where that is nothing or not known", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const plain = deviceSetting("plain", ["on", "off"]);
  let saver = false;
  const other = deviceSetting("other", ["full", "light"], () => (saver ? "light" : "full"));
  expect([plain.read(), other.read()]).toEqual(["on", "full"]);
  saver = true;
  expect(other.read()).toBe("light");
  plain.set("off");
  other.set("full");
  expect([plain.read(), other.read()]).toEqual(["off", "full"]);
  kept.set("plain", "of a later version");
  expect(plain.read()).toBe("on");
});
