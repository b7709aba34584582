import { expect, it } from "vitest";
import type { TideStation } from "#lib/contract/tides.ts";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { foldName, type NamedPlace } from "#lib/places/gazetteer.ts";
import {
  answerSearch,
  besideSuggestion,
  nearText,
  savedSuggestions,
  stationSuggestions,
} from "./place-suggestions.ts";

const bounds = { south: 43, west: -9, north: 48, east: -1 };
const named = (name: string, others: string[], more: Partial<NamedPlace>) =>
  ({ name, rank: 1, country: "", others, folded: [name, ...others].map(foldName), ...more }) as NamedPlace;
const brest = named("Brest", [], { kind: "port", country: "FR", latitude: 48.38, longitude: -4.49 });
const biscay = named("Bay of Biscay", ["Golfe de Gascogne"], {
  kind: "sea",
  latitude: 45.3,
  longitude: -4.8,
  bounds,
});
const places = [brest, biscay];
const near = { latitude: 48, longitude: -5 };
const search = (text: string, languages: readonly string[] = ["en"], words = en) =>
  answerSearch(text, places, near, languages, words);

it("goes to a typed position; asks which reading is meant and goes nowhere before", () => {
  expect(search("4830N 00515W").direct).toEqual({ place: { latitude: 48.5, longitude: -5.25 } });
  const { direct, question, suggestions } = search("48 30N 005 15O");
  expect(direct).toBeUndefined();
  expect(question).toMatch(/^O is west/);
  expect(suggestions.map(({ title }) => title)).toEqual(["48°30.0′N 005°15.0′W", "48°30.0′N 005°15.0′E"]);
  expect(search("48 30N 005 15O", ["fr-FR"]).direct?.place.longitude).toBe(-5.25);
});

it.each([
  // A port is shown from close up and a sea as a whole.
  ["bre", "en", { title: "Brest", details: "Port, France", target: { zoom: 10 } }],
  ["bisc", "en", { details: "Sea, bay or strait", target: { bounds } }],
  ["gasc", "en", { details: "Golfe de Gascogne · Sea, bay or strait" }],
  ["bre", "de", { title: "Brest", details: "Hafen, Frankreich" }],
  ["gasc", "de", { title: "Bay of Biscay", target: { name: "Bay of Biscay" } }],
] as const)(
  "finds what %j begins, its kind and region in the language %s, and goes there",
  (text, language, place) => {
    const { suggestions, direct } = search(text, [language], { en, de }[language]);
    expect(suggestions[0]).toMatchObject(place);
    expect(direct).toEqual(suggestions[0]!.target);
  },
);

it("says where a position is from the place that describes it, and in a harbour only which", () => {
  const texts = [-4.79, -4.49].map((longitude) => nearText(places, { latitude: 48.38, longitude }, en));
  expect(texts).toEqual(["12 n mi W of Brest", "Brest"]);
  expect(nearText(places, { latitude: -48, longitude: 170 }, en)).toBeUndefined();
});

const station = (name: string, region: string | null, more: Partial<TideStation> = {}): TideStation => ({
  id: `noaa:${name}`,
  kind: "tide",
  name,
  region,
  country: "Anywhere",
  latitude: 48.38,
  longitude: -4.5,
  timezone: "UTC",
  type: "reference",
  datum: null,
  ...more,
});

it.each([
  ["Lymington", [station("Pelee Point East", "Ontario")], []],
  ["oban", [station("Masirah", "Oman"), station("Ko Taphao Noi", null)], []],
  ["atlantis", [station("Atlantic Highlands", "NJ")], []],
  ["Saint-Malo", [station("St Helier Jersey", null), station("Saint Malo", "Brittany")], ["Saint Malo"]],
  ["brest france", [station("Brest", "Brittany", { country: "France" })], ["Brest"]],
  ["portsm engl", [station("Portsmouth", "NH"), station("Portsmouth", "England")], ["Portsmouth"]],
])(
  "offers a station only where each word of %j begins a word of its name or region",
  (text, stations, names) => {
    expect(stationSuggestions(stations, text, near, en).map(({ title }) => title)).toEqual(names);
  },
);

it("offers streams as such, below the tides, which they do not crowd out", () => {
  const bridges = ["North", "Mid", "South"].map((part) =>
    station(`Golden Gate Bridge ${part}`, "California", { kind: "stream" }),
  );
  const offered = stationSuggestions(
    [...bridges, station("San Francisco (Golden Gate)", "CA")],
    "golden g",
    near,
    en,
  );
  const stream = "Tidal stream station, California";
  expect(offered.map(({ details }) => details)).toEqual(["Tide station, CA", stream, stream]);
  expect(offered[1]?.target.station).toEqual({ id: "noaa:Golden Gate Bridge North", kind: "stream" });
});

it.each([
  [en, "Brittany", "France", /, Brittany$/],
  [de, "Brittany", "France", /, Frankreich$/],
  [de, null, "Saint Lucia", /, St\. Lucia$/],
  [de, null, "Atlantis", /, Atlantis$/],
])(
  "names the region of a station in English, and its country in other languages",
  (words, region, country, details) => {
    const [offered] = stationSuggestions([station("Port", region, { country })], "port", near, words);
    expect(offered?.details).toMatch(details);
  },
);

it("lists stations below other places, none of which they move, and goes to one by choice only", () => {
  const ports = Array.from({ length: 9 }, (_, index) => ({ ...brest, longitude: index }));
  const stations = stationSuggestions(
    [station("Brest", "Brittany"), station("Brest", null)],
    "bre",
    near,
    en,
  );
  const among = (text: string, found = stations) => answerSearch(text, ports, near, ["en"], en, [], found);
  const without = among("bre", []);
  expect(among("bre")).toEqual({ ...without, suggestions: [...without.suggestions, ...stations] });
  expect(among("camaret")).toEqual({ suggestions: stations });
  expect(among("48 30N").suggestions).toEqual([]);
});

it.each([
  ["48 61N 5W", "Minutes and seconds go up to 59.999."],
  ["48 30N", /^The other half/],
  ["Atlantis", /^No place of that name/],
])("says in words why it finds nothing for %j", (text, problem) => {
  expect(search(text).problem).toMatch(problem);
});

it("finds saved places by the names that they were given, all of them, before the gazetteer's", () => {
  const spots = Array.from({ length: 9 }, (_, latitude) => ({
    name: `Fix ${latitude}`,
    latitude,
    longitude: 0,
  }));
  const mooring = { name: "Old Bréa mooring", latitude: 48.4, longitude: -4.5 };
  const saved = savedSuggestions([...spots, mooring]);
  const titles = (text: string) =>
    answerSearch(text, places, near, ["en"], en, saved).suggestions.map(({ title }) => title);
  expect(["bre", "fix 8", "8"].map(titles)).toEqual([["Old Bréa mooring", "Brest"], ["Fix 8"], []]);
  const { name, ...place } = mooring;
  expect(answerSearch("moor", [], near, ["en"], en, saved).direct).toMatchObject({ name, place });
});

it("takes the near station of a name for what is meant where the place of that name is another one far away", () => {
  const tasmania = named("Devonport", [], {
    kind: "port",
    country: "AU",
    rank: 4,
    latitude: -41.18,
    longitude: 146.36,
  });
  const [england, australia] = [
    station("Devonport", "England", { id: "a", latitude: 50.37, longitude: -4.18 }),
    station("Devonport", "Tasmania", { id: "b", latitude: -41.18, longitude: 146.36 }),
  ];
  const titles = (from: typeof near) => {
    const stations = stationSuggestions([australia, england], "devonport", from, en);
    const { suggestions, direct } = answerSearch("devonport", [tasmania], from, ["en"], en, [], stations);
    return [direct?.station?.id, suggestions.map(({ details }) => details)];
  };
  const [inEngland, inTasmania, port] = [
    "Tide station, England",
    "Tide station, Tasmania",
    "Port, Australia",
  ];
  expect(titles(near)).toEqual(["a", [inEngland, port, inTasmania]]);
  expect(titles(tasmania)).toEqual([undefined, [port, inTasmania, inEngland]]);
});

it("names the station beside a place by its own name, and where it is from there", () => {
  const plymouth = named("Plymouth", [], { kind: "port", country: "GB", latitude: 50.36, longitude: -4.14 });
  const devonport = station("Devonport", "England", { latitude: 50.37, longitude: -4.18 });
  expect(besideSuggestion(devonport, plymouth, en)).toMatchObject({
    title: "Devonport",
    details: "Tide station, 2 n mi W of Plymouth",
  });
});
