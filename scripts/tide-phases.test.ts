import { type Station, stations, stationsById } from "@neaps/tide-database";
import { expect, it } from "vitest";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { Catalog } from "#server/tides/catalog.ts";
import withdrawn from "#server/tides/withdrawn.json" with { type: "json" };
import { unexplainedStations } from "./tide-phases.ts";

const open = { isLand: () => false, isClear: () => true };

it("stations of the installed database whose times their neighbours contradict are withdrawn", () => {
  expect(unexplainedStations(stations, knownCoast().line)).toEqual(withdrawn);
}, 180_000);

it("the gauge at Miami River has New York's clock and is not offered, and the one beside it is", () => {
  const catalog = new Catalog(true);
  expect(() => catalog.station("ticon:miamiriver_mrms4-mrms4-usa-sfwmd")).toThrow(
    /^This station is withdrawn\. Its tide is [45] h earlier than at the stations near it: local time$/,
  );
  expect(catalog.station("noaa:8723165").name).toContain("Miami");
  const offered = [...catalog.within("tide")].map(({ id }) => id);
  expect(offered.filter((id) => /-usa-(sfwmd|cm|crms)$/.test(id))).toEqual([]);
});

/** A copy of a station beside it, with its times moved by hours. */
function moved(id: string, hours: number): Station {
  const station = stationsById.get(id)!;
  const speeds: Record<string, number> = { M2: 28.9841042, K1: 15.0410686 };
  const harmonic_constituents = station.harmonic_constituents.map((term) => ({
    ...term,
    phase: term.phase + (speeds[term.name] ?? 0) * hours,
  }));
  return { ...station, id: `${id}-moved`, harmonic_constituents };
}

it.each([
  ["is found", "local time", -8, true],
  ["is found", "local time that was turned the wrong way", 8, true],
  ["is not found", "an hour more, as in a bay", 1, false],
])("a station at San Francisco %s with %s", (_, _with, hours, isFound) => {
  const near = ["noaa/9414290", "noaa/9414317", "noaa/9414305", "noaa/9414750"].flatMap(
    (id) => stationsById.get(id) ?? [],
  );
  const found = unexplainedStations([...near, moved("noaa/9414290", hours)], open);
  expect(Object.keys(found)).toEqual(isFound ? ["noaa/9414290-moved"] : []);
});
