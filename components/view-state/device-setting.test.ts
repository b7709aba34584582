import { expect, it } from "vitest";
import { stubStorage } from "#test/storage.ts";
import { deviceSetting } from "./device-setting.ts";

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
