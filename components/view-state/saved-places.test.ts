import { beforeEach, expect, it } from "vitest";
import { stubStorage } from "#test/storage.ts";
import { type NamedSpot, nameOf, removePlace, savePlace } from "./saved-places.ts";

let storage: ReturnType<typeof stubStorage>;
beforeEach(() => {
  storage = stubStorage();
});
const home: NamedSpot = { name: " Home ", latitude: 48.512345, longitude: -5.1 };
const kept = () => (JSON.parse(storage.stored.get("metocean-places")!) as { places: NamedSpot[] }).places;

it("keeps places on the device, the last saved first, rounded as in a link; one place has one name", () => {
  savePlace(home);
  savePlace({ name: "Fastnet", latitude: 51.4, longitude: -9.6 });
  expect(kept().map(({ name }) => name)).toEqual(["Fastnet", "Home"]);
  savePlace({ ...home, name: "Mooring" });
  const mooring = { name: "Mooring", latitude: 48.5123, longitude: -5.1 };
  expect(kept()).toEqual([{ name: "Fastnet", latitude: 51.4, longitude: -9.6 }, mooring]);
  removePlace(kept()[0]!);
  expect(kept()).toEqual([mooring]);
});

it("calls a place as it was saved, else as it was searched, and never by its position", () => {
  const place = { latitude: 48.5, longitude: -5.1 };
  const bare = { ...place, name: "48°30.0′N 005°06.0′W" };
  const searched = { ...place, name: "Ushant" };
  expect(nameOf(place, [bare, undefined])).toBeUndefined();
  expect(nameOf(place, [bare, searched])).toBe("Ushant");
  expect(nameOf(place, [{ ...place, name: "Home" }, searched])).toBe("Home");
  expect(nameOf({ ...place, latitude: 48.6 }, [undefined, searched])).toBeUndefined();
});

it("keeps those that are saved, however many follow, and says what was not saved", () => {
  savePlace(home);
  const faults = Array.from({ length: 520 }, (_, index) =>
    savePlace({ name: "Fix", latitude: 10 + index / 100, longitude: 0 }),
  );
  expect([kept().length, kept().at(-1)?.name]).toEqual([500, "Home"]);
  expect([faults[498], faults[499]]).toEqual([undefined, "full"]);
  expect(savePlace({ ...kept()[0]!, name: "Berth" })).toBeUndefined();
  storage.isFull = true;
  expect(savePlace({ ...kept()[0]!, name: "Quay" })).toBe("notKept");
});
