import { expect, it } from "vitest";
import type { TideStation } from "#lib/contract/tides.ts";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { foldName, type NamedPlace } from "#lib/places/gazetteer.ts";
import { answerSearch, nearText, savedSuggestions, stationSuggestions } from "./place-suggestions.ts";

const bounds = { south: 43, west: -9, north: 48, east: -1 };
const places: NamedPlace[] = [
  {
    name: "Brest",
    kind: "port",
    country: "FR",
    rank: 1,
    latitude: 48.38,
    longitude: -4.49,
    others: [],
    folded: ["brest"],
  },
  {
    name: "Bay of Biscay",
    kind: "sea",
    country: "",
    rank: 1,
    latitude: 45.3,
    longitude: -4.8,
    bounds,
    others: ["Golfe de Gascogne"],
    folded: ["Bay of Biscay", "Golfe de Gascogne"].map(foldName),
  },
];
const near = { latitude: 48, longitude: -5 };
const search = (text: string, languages: readonly string[] = ["en"]) =>
  answerSearch(text, places, near, languages, en);

it("goes to a typed position and shows its conditions", () => {
  expect(search("4830N 00515W").direct).toEqual({ place: { latitude: 48.5, longitude: -5.25 } });
});

it("asks which reading is meant and goes nowhere before", () => {
  const { direct, question, suggestions } = search("48 30N 005 15O");
  expect(direct).toBeUndefined();
  expect(question).toMatch(/^O is west/);
  expect(suggestions.map(({ title }) => title)).toEqual(["48°30.0′N 005°15.0′W", "48°30.0′N 005°15.0′E"]);
  expect(search("48 30N 005 15O", ["fr-FR"]).direct?.place.longitude).toBe(-5.25);
});

it("shows a port closely and a sea whole", () => {
  const [port] = search("bre").suggestions;
  expect(search("bre").direct).toEqual(port?.target);
  expect(port).toMatchObject({
    title: "Brest",
    details: "Port, France",
    target: { zoom: 10 },
  });
  const [sea] = search("bisc").suggestions;
  expect(sea).toMatchObject({ details: "Sea, bay or strait", target: { bounds } });
  expect(search("gasc").suggestions[0]?.details).toBe("Golfe de Gascogne · Sea, bay or strait");
});

it("says where a position is from the place that describes it, and in a harbour only which", () => {
  expect(nearText(places, { latitude: 48.38, longitude: -4.79 }, en)).toBe("12 n mi W of Brest");
  expect(nearText(places, { latitude: 48.39, longitude: -4.49 }, en)).toBe("Brest");
  expect(nearText(places, { latitude: -48, longitude: 170 }, en)).toBeUndefined();
});

it("offers saved places by the names that they were given", () => {
  const [saved] = savedSuggestions([{ name: "Home", latitude: 48.5, longitude: -5.1 }]);
  expect(saved).toMatchObject({
    title: "Home",
    target: { place: { latitude: 48.5, longitude: -5.1 }, name: "Home" },
  });
});

const station = (name: string, region: string | null, kind: TideStation["kind"] = "tide"): TideStation => ({
  id: `noaa:${name}`,
  kind,
  name,
  region,
  country: "Anywhere",
  latitude: 48.38,
  longitude: -4.5,
  timezone: "UTC",
  type: "reference",
  datum: null,
});

it("offers a station only where each word that was written begins a word of its name or region", () => {
  const names = (text: string, ...stations: TideStation[]) =>
    stationSuggestions(stations, text, en).map(({ title }) => title);
  expect(names("Lymington", station("Pelee Point East", "Ontario"))).toEqual([]);
  expect(names("oban", station("Masirah", "Oman"), station("Ko Taphao Noi", null))).toEqual([]);
  expect(names("atlantis", station("Atlantic Highlands", "NJ"))).toEqual([]);
  expect(names("Saint-Malo", station("St Helier Jersey", null), station("Saint Malo", "Brittany"))).toEqual([
    "Saint Malo",
  ]);
  expect(names("brest france", { ...station("Brest", "Brittany"), country: "France" })).toEqual(["Brest"]);
  expect(names("portsm engl", station("Portsmouth", "NH"), station("Portsmouth", "England"))).toHaveLength(1);
});

it("offers streams as such, below the tides, which they do not crowd out", () => {
  const bridges = ["North", "Mid", "South"].map((part) =>
    station(`Golden Gate Bridge ${part}`, "California", "stream"),
  );
  const offered = stationSuggestions(
    [...bridges, station("San Francisco (Golden Gate)", "CA")],
    "golden g",
    en,
  );
  expect(offered.map(({ details }) => details)).toEqual([
    "Tide station, CA",
    "Tidal stream station, California",
    "Tidal stream station, California",
  ]);
  expect(offered[1]?.target.station).toEqual({ id: "noaa:Golden Gate Bridge North", kind: "stream" });
});

it("lists stations below other places, none of which they move, and goes to one by choice only", () => {
  const ports = Array.from({ length: 9 }, (_, index) => ({ ...places[0]!, longitude: index }));
  const stations = stationSuggestions([station("Brest", "Brittany"), station("Brest", null)], "bre", en);
  const without = answerSearch("bre", ports, near, ["en"], en);
  const found = answerSearch("bre", ports, near, ["en"], en, [], stations);
  expect(found.suggestions).toEqual([...without.suggestions, ...stations]);
  expect(found.direct).toEqual(without.direct);
  const alone = answerSearch("camaret", ports, near, ["en"], en, [], stations);
  expect(alone).toEqual({ suggestions: stations });
  expect(answerSearch("48 30N", ports, near, ["en"], en, [], stations).suggestions).toEqual([]);
});

it("says in words why it finds nothing", () => {
  expect(search("48 61N 5W").problem).toBe("Minutes and seconds go up to 59.999.");
  expect(search("48 30N").problem).toMatch(/^The other half/);
  expect(search("Atlantis").problem).toMatch(/^No place of that name/);
});

it("names kinds and regions in the language of the page, and leaves the names of places as they are", () => {
  const [port] = answerSearch("bre", places, near, ["de"], de).suggestions;
  expect(port).toMatchObject({ title: "Brest", details: "Hafen, Frankreich" });
  // Who has written a name in another language than English reads it first.
  const [sea] = answerSearch("gasc", places, near, ["de"], de).suggestions;
  expect(sea).toMatchObject({
    title: "Golfe de Gascogne",
    details: "Bay of Biscay · Meer, Bucht oder Meerenge",
  });
});

it("finds saved places by name, all of them, before the gazetteer's", () => {
  const spots = Array.from({ length: 9 }, (_, index) => ({
    name: `Fix ${index}`,
    latitude: index,
    longitude: 0,
  }));
  const saved = savedSuggestions([...spots, { name: "Old Bréa mooring", latitude: 48.4, longitude: -4.5 }]);
  const titles = (text: string) =>
    answerSearch(text, places, near, ["en"], en, saved).suggestions.map(({ title }) => title);
  expect(titles("bre")).toEqual(["Old Bréa mooring", "Brest"]);
  expect(titles("fix 8")).toEqual(["Fix 8"]);
  expect(titles("8")).toEqual([]);
  expect(answerSearch("moor", [], near, ["en"], en, saved).direct?.name).toBe("Old Bréa mooring");
});
