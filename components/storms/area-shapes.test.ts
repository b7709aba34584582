import { expect, it } from "vitest";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { en } from "#lib/messages/generated/en.ts";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { areaShapes } from "./area-shapes.ts";
import type { AreaOfInterest } from "./format-area.ts";

const area = (more: Partial<AreaOfInterest> = {}): AreaOfInterest => ({
  id: "WP922026",
  storm_id: "WP922026",
  designation: "92W",
  name: null,
  likelihood: "medium",
  within_hours: 24,
  percent_48h: null,
  percent_7d: null,
  place: { lat: 12, lon: 179 },
  polygon: null,
  winds_kt: null,
  mslp_hpa: null,
  text: "",
  agency: "jtwc",
  issued_at: BASE,
  valid_until: null,
  ...more,
});

const ring = [
  { lat: 10, lon: 176 },
  { lat: 10, lon: -176 },
  { lat: 16, lon: -176 },
  { lat: 10, lon: 176 },
];

const invest = stormOf([aheadPoint(0, { latitude: 12, longitude: 179 }, { type: "DB", vmax_kt: 25 })], {
  id: "WP922026",
  is_invest: true,
  formation_alert: {
    issued_at: BASE,
    valid_until: BASE + 24 * 3600,
    bulletin: "WTPN21",
    likelihood: null,
    line: [{ lat: 12, lon: 179 }],
    half_width_km: 200,
    corridor: ring,
    winds_kt: null,
    mslp_hpa: null,
    heading_deg: null,
    speed_kmh: null,
    text: "",
  },
});

const kinds = (areas: AreaOfInterest[], entries: StormEntry[], selected: string | null, time: number) =>
  areaShapes(areas, entries, selected, time, en).map(({ properties: { kind, id, selected } }) => [
    kind,
    id,
    selected,
  ]);

it("an area without an entry has a symbol of its own, with its likelihood in words; an invest has its own symbol", () => {
  const [symbol] = areaShapes([area()], [], null, BASE, en);
  expect(symbol!.properties).toMatchObject({
    kind: "centre",
    id: "WP922026",
    icon: "storm-area-medium",
    label: "Invest 92W\nMedium within 24 h",
  });
  expect(kinds([area()], [{ ...invest, formation_alert: undefined }], null, BASE)).toEqual([]);
});

it("areas and corridors are drawn across 180° without a jump, and marked where selected", () => {
  const shapes = areaShapes([area({ polygon: ring })], [invest], "WP922026", BASE, en);
  expect(
    shapes.map(({ properties }) => [properties.kind, properties.likelihood, properties.selected]),
  ).toEqual([
    ["area", "medium", true],
    ["alert", "high", true],
  ]);
  for (const { geometry } of shapes) {
    if (geometry.type !== "Polygon") throw new Error(geometry.type);
    expect(geometry.coordinates[0]!.map(([longitude]) => longitude)).toEqual([176, 184, 184, 176]);
  }
});

it("an area without a place has its symbol in the middle of its polygon, and none without both", () => {
  const [, symbol] = areaShapes([area({ place: null, polygon: ring })], [], null, BASE, en);
  expect(symbol!.geometry).toEqual({ type: "Point", coordinates: [180, 13] });
  expect(kinds([area({ place: null })], [], null, BASE)).toEqual([]);
});

it("nothing is drawn for a time that it does not speak of", () => {
  const later = BASE + 31 * 3600;
  expect(kinds([area({ polygon: ring })], [invest], null, later)).toEqual([]);
  expect(kinds([area({ polygon: ring, within_hours: 168 })], [invest], null, later)).toEqual([
    ["area", "WP922026", false],
  ]);
  expect(kinds([area()], [invest], null, BASE - 7 * 3600)).toEqual([]);
});
