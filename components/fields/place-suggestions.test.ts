import { expect, it } from "vitest";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { foldName, type NamedPlace } from "#lib/places/gazetteer.ts";
import { answerSearch, nearText, savedSuggestions } from "./place-suggestions.ts";

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

it("lists tide stations below other places, and goes to one where there are no others", () => {
  const place = { latitude: 48.38, longitude: -4.5 };
  const station = { key: "tide a", title: "Brest", details: "Tide station", target: { place, tide: "a" } };
  const withStation = (text: string) => answerSearch(text, places, near, ["en"], en, [], [station]);
  expect(withStation("bre").suggestions.map(({ details }) => details)).toEqual([
    "Port, France",
    "Tide station",
  ]);
  expect(withStation("camaret").direct).toEqual(station.target);
  expect(withStation("48 30N").suggestions).toEqual([]);
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
