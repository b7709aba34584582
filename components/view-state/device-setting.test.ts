import { expect, it, vi } from "vitest";
import { blockStorage, stubStorage } from "#test/storage.ts";
import { deviceSetting, keepJson, storedState } from "./device-setting.ts";

it("reads what this device keeps, and what applies where that is nothing or not known", () => {
  const { stored } = stubStorage();
  let fallback: "full" | "light" = "full";
  const plain = deviceSetting("plain", ["on", "off"]);
  const other = deviceSetting("other", ["full", "light"], () => fallback);
  expect([plain.read(), other.read()]).toEqual(["on", "full"]);
  fallback = "light";
  expect(other.read()).toBe("light");
  plain.set("off");
  other.set("full");
  expect([plain.read(), other.read()]).toEqual(["off", "full"]);
  stored.set("plain", "of a later version");
  expect(plain.read()).toBe("on");
});

it("keeps a choice for the open page where the browser blocks the data of sites", () => {
  vi.unstubAllGlobals();
  const unblock = blockStorage();
  try {
    const setting = deviceSetting("plain", ["on", "off"]);
    expect(setting.read()).toBe("on");
    setting.set("off");
    expect(setting.read()).toBe("off");
    expect(keepJson("places", "places", [])).toBe(false);
    expect(storedState("ship", (text) => ({ text })).read()).toEqual({ text: null });
  } finally {
    unblock();
  }
});
