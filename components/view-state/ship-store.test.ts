import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Fix } from "#lib/geo/rhumb.ts";
import { parseInstant } from "#lib/time.ts";
import {
  declineShip,
  forgetShip,
  keepShip,
  offerShip,
  parseShip,
  readShip,
  subscribeToShip,
  writeShip,
} from "./ship-store.ts";

const stored = new Map<string, string>();
let written: (event: { key: string | null }) => void = () => undefined;
let end: () => void = () => undefined;

const fix: Fix = {
  latitude: 48.5,
  longitude: -5.17,
  course: 45,
  speed: 6.5,
  time: parseInstant("2026-09-15T06:12:00Z"),
};
const other: Fix = { ...fix, latitude: -35, longitude: 179.95 };
const TEXT = "48.5,-5.17,45,6.5,2026-09-15T06:12:00Z";

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
  vi.stubGlobal("window", {
    addEventListener: (_type: string, listener: typeof written) => {
      written = listener;
    },
    removeEventListener: () => undefined,
  });
  end = subscribeToShip(() => undefined);
  written({ key: null });
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

it("is written as latitude, longitude, course, speed and time, and read back", () => {
  expect(writeShip(fix)).toBe(TEXT);
  expect(parseShip(TEXT)).toEqual(fix);
  expect(parseShip("48.5,-5.17,45,6.5,2026-09-15T06:12Z")).toEqual(fix);
  expect(writeShip({ ...fix, latitude: 1 / 3, course: 45.04, speed: 6.449 })).toMatch(
    /^0.3333,-5.17,45,6.4,/,
  );
});

it.each([
  "",
  "48.5,-5.17",
  "91,-5.17,45,6.5,2026-09-15T06:12:00Z",
  "48.5,190,45,6.5,2026-09-15T06:12:00Z",
  "48.5,-5.17,361,6.5,2026-09-15T06:12:00Z",
  "48.5,-5.17,45,-1,2026-09-15T06:12:00Z",
  "48.5,-5.17,45,101,2026-09-15T06:12:00Z",
  "48.5,-5.17,,6.5,2026-09-15T06:12:00Z",
  "48.5,0x10,45,6.5,2026-09-15T06:12:00Z",
  "48.5,-5.17,45,6.5,now+6h",
  `${TEXT},1`,
])("ignores %j, which is no ship", (text) => {
  expect(parseShip(text)).toBeUndefined();
});

it("stays on this device until it is forgotten, which can be undone", () => {
  keepShip(fix);
  expect([readShip().ship, stored.get("metocean-ship")]).toEqual([fix, TEXT]);
  forgetShip();
  expect(readShip()).toEqual({ ship: undefined, forgotten: fix });
  expect(stored.size).toBe(0);
  keepShip(readShip().forgotten!);
  expect(readShip()).toEqual({ ship: fix });
});

it("of a link is taken where there is none, and else only if the user agrees", () => {
  offerShip(fix);
  expect(readShip()).toEqual({ ship: fix });
  offerShip(fix);
  expect(readShip()).toEqual({ ship: fix });
  offerShip(other);
  expect(readShip()).toEqual({ ship: fix, offered: other });
  expect(stored.get("metocean-ship")).toBe(TEXT);
  declineShip();
  expect(readShip()).toEqual({ ship: fix });
  offerShip(other);
  keepShip(readShip().offered!);
  expect(readShip()).toEqual({ ship: other });
});

it("follows what another tab has done", () => {
  keepShip(fix);
  stored.set("metocean-ship", writeShip(other));
  written({ key: "metocean-theme" });
  expect(readShip().ship).toEqual(fix);
  written({ key: "metocean-ship" });
  expect(readShip().ship).toEqual(other);
  // What a link has offered here is still to be decided.
  offerShip(fix);
  const moved = { ...other, latitude: -34 };
  stored.set("metocean-ship", writeShip(moved));
  written({ key: "metocean-ship" });
  expect(readShip()).toEqual({ ship: moved, offered: fix });
});
