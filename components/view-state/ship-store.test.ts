import type { Fix } from "@open-metocean/geo/rhumb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { stubStorage } from "#test/storage.ts";
import {
  forgetShip,
  keepShip,
  offerShip,
  parseShip,
  readShip,
  subscribeToShip,
  writeShip,
} from "./ship-store.ts";

const TEXT = "48.5,-5.17,45,6.5,2026-09-15T06:12:00Z";
const time = parseInstant("2026-09-15T06:12:00Z");
const fix: Fix = { latitude: 48.5, longitude: -5.17, course: 45, speed: 6.5, time };
const other: Fix = { ...fix, latitude: -35, longitude: 179.95 };

let storage: ReturnType<typeof stubStorage>;
let end: () => void = () => undefined;
beforeEach(() => {
  storage = stubStorage();
  end = subscribeToShip(() => undefined);
  storage.announce(null);
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

it("is written as latitude, longitude, course, speed and time, and read back", () => {
  expect(writeShip(fix)).toBe(TEXT);
  expect(parseShip(TEXT)).toEqual(fix);
  expect(parseShip(TEXT.replace(":00Z", "Z"))).toEqual(fix);
  expect(writeShip({ ...fix, latitude: 1 / 3, course: 45.04, speed: 6.449 })).toMatch(
    /^0.3333,-5.17,45,6.4,/,
  );
});

const numbers =
  "48.5 91,-5.17,45,6.5 48.5,190,45,6.5 48.5,-5.17,361,6.5 48.5,-5.17,45,-1 48.5,-5.17,45,101 48.5,-5.17,,6.5 48.5,0x10,45,6.5";
it.each([
  ...numbers.split(" ").map((text) => `${text},2026-09-15T06:12:00Z`),
  "",
  "48.5,-5.17,45,6.5,now+6h",
  `${TEXT},1`,
])("ignores %j, which is no ship", (text) => {
  expect(parseShip(text)).toBeUndefined();
});

it("stays on this device until it is forgotten, which can be undone", () => {
  keepShip(fix);
  expect([readShip().ship, storage.stored.get("metocean-ship")]).toEqual([fix, TEXT]);
  forgetShip();
  expect([readShip(), storage.stored.size]).toEqual([{ ship: undefined, forgotten: fix }, 0]);
  keepShip(readShip().forgotten!);
  expect(readShip()).toEqual({ ship: fix });
});

it("follows what another tab has done; what a link has offered here is still to be decided", () => {
  keepShip(fix);
  storage.stored.set("metocean-ship", writeShip(other));
  storage.announce("metocean-theme");
  expect(readShip().ship).toEqual(fix);
  offerShip({ ...fix, latitude: 1 });
  storage.announce("metocean-ship");
  expect(readShip()).toEqual({ ship: other, offered: { ...fix, latitude: 1 } });
});
