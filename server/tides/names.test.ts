import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { Catalog, described, idOf } from "./catalog.ts";
import { predictTide } from "./tide.ts";
import { tidesAt } from "./view.ts";
import { wholeNames } from "./whole-names.ts";

const catalog = new Catalog(true);
const now = parseInstant("2026-09-14T07:00:00Z");

const british = {
  "ticon:brighton-btn-gbr-cco": "Brighton",
  "ticon:hastings_pier-hgp-gbr-cco": "Hastings Pier",
  "ticon:port_isaac-pti-gbr-cco": "Port Isaac",
  "ticon:scarborough-sca-gbr-cco": "Scarborough",
  "ticon:severn_bridge-ssc-gbr-cco": "Severn Bridge",
  "ticon:teignmouth_pier-tnp-gbr-cco": "Teignmouth Pier",
  "ticon:west_bay_harbour-wbh-gbr-cco": "West Bay Harbour",
};

it.each(Object.entries(british))("%s is %s wherever it is named", (id, name) => {
  const station = catalog.station(id);
  expect(described(station).name).toBe(name);
  expect(predictTide(catalog, station, { days: 1, now }).station.name).toBe(name);
  const { latitude, longitude } = station;
  const bbox = { west: longitude - 0.1, south: latitude - 0.1, east: longitude + 0.1, north: latitude + 0.1 };
  const { tides } = tidesAt(catalog, { bbox, at: now });
  expect(tides.name[tides.id.indexOf(id)]).toBe(name);
});

it("a station is found by its corrected name, and not by the name in the database", () => {
  const found = (text: string) => catalog.named(text).map(idOf);
  expect(found("severn bridge")[0]).toBe("ticon:severn_bridge-ssc-gbr-cco");
  expect(found("severn bridge")).not.toContain("ticon:scarborough-sca-gbr-cco");
  expect(found("Scarborough")[0]).toBe("ticon:scarborough-sca-gbr-cco");
  expect(found("busum")[0]).toBe("ticon:bsum-9510095-deu-wsv");
  expect(found("england")).toContain("ticon:scarborough-sca-gbr-cco");
});

it("no other name of the installed database is changed, except one that is not a place", () => {
  const changed = catalog
    .within(undefined)
    .filter((station) => described(station).name !== (wholeNames[station.name] ?? station.name));
  expect(changed.map(idOf).sort()).toEqual(
    [...Object.keys(british), "ticon:khal_10-135a-bgd-uhslc_rq"].sort(),
  );
});
