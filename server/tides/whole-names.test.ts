import { readFileSync } from "node:fs";
import { stations } from "@neaps/tide-database";
import { expect, it } from "vitest";
import { foldName, type GazetteerFile, placesOfFile } from "#lib/places/gazetteer.ts";
import { nameOf } from "./names.ts";
import { wholeNames } from "./whole-names.ts";

const file = new URL("../../public/basemap/places.json", import.meta.url);
const places = placesOfFile(JSON.parse(readFileSync(file, "utf8")) as GazetteerFile);

/** Correct names that have fewer letters than another name of the place in the gazetteer. */
const right = [
  "Alboran",
  "Boca Del Toro",
  "Fukue",
  "Haleiwa",
  "Heeia",
  "Komatsushima",
  "Murotomisaki",
  "Playa Cortada",
  "Sewall Point",
  "Vilano Beach",
  "Washington",
];

/** Places by whole degrees of latitude. */
const belts = Map.groupBy(places, ({ latitude }) => Math.floor(latitude));

const squeezed = (name: string) => foldName(name).replaceAll(" ", "");

/** Whether a name is another one without some of its letters. */
function lacksLetters(name: string, whole: string): boolean {
  if (name[0] !== whole[0] || name.length >= whole.length || whole.length > name.length + 3) return false;
  let at = 0;
  for (const letter of whole) if (letter === name[at]) at++;
  return at === name.length;
}

it("no station of the installed database has the name of a place beside it without some of its letters", () => {
  const cut: string[] = [];
  for (const station of stations) {
    const name = nameOf(station);
    const short = squeezed(name);
    if (short.length < 5 || right.includes(name)) continue;
    const belt = Math.floor(station.latitude);
    const beside = [belt - 1, belt, belt + 1]
      .flatMap((at) => belts.get(at) ?? [])
      .filter(
        ({ latitude, longitude }) =>
          Math.abs(latitude - station.latitude) < 0.3 && Math.abs(longitude - station.longitude) < 0.5,
      );
    const names = beside.flatMap(({ folded }) => folded.map((one) => one.replaceAll(" ", "")));
    if (!names.includes(short) && names.some((whole) => lacksLetters(short, whole))) cut.push(name);
  }
  expect(cut).toEqual([]);
});

it.each([
  ["Portf Spain", "Port of Spain"],
  ["Portu Prince", "Port-au-Prince"],
  ["Bsum", "Büsum"],
  ["Whvneuervorhafen", "Wilhelmshaven, Neuer Vorhafen"],
  ["Brest", "Brest"],
])("the station that the database names %s is %s", (database, name) => {
  const station = stations.find((one) => one.name === database)!;
  expect(nameOf(station)).toBe(name);
});

it("each corrected name belongs to a station of the installed database", () => {
  const names = new Set(stations.map(({ name }) => name));
  expect(Object.keys(wholeNames).filter((name) => !names.has(name))).toEqual([]);
});
