import { beforeEach, expect, it, vi } from "vitest";
import { type NamedSpot, removePlace, savePlace } from "./saved-places.ts";

const stored = new Map<string, string>();
const home: NamedSpot = { name: " Home ", latitude: 48.512345, longitude: -5.1 };

beforeEach(() => {
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
});

const kept = () => (JSON.parse(stored.get("metocean-places")!) as { places: NamedSpot[] }).places;

it("keeps places on the device, the last saved first, rounded as in a link; one place has one name", () => {
  savePlace(home);
  savePlace({ name: "Fastnet", latitude: 51.4, longitude: -9.6 });
  expect(kept().map(({ name }) => name)).toEqual(["Fastnet", "Home"]);
  savePlace({ ...home, name: "Mooring" });
  expect(kept()).toEqual([
    { name: "Fastnet", latitude: 51.4, longitude: -9.6 },
    { name: "Mooring", latitude: 48.5123, longitude: -5.1 },
  ]);
  removePlace(kept()[0]!);
  expect(kept().map(({ name }) => name)).toEqual(["Mooring"]);
});
