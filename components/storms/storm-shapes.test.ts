import { normaliseLongitude } from "@open-metocean/geo/grid";
import { distanceKm, initialBearing, type Place } from "@open-metocean/geo/sphere";
import type { StormEntry } from "@open-metocean/storms/schema";
import type { Geometry, Position } from "geojson";
import { expect, it } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import { aheadPoint, allRound, BASE, stormOf, trackPoint } from "#test/storms.ts";
import type { AreaOfInterest } from "./format-storm.ts";
import { areaShapes, type ShapeKind, type StormScene, stormPlace, stormShapes } from "./storm-shapes.ts";

const HOUR = 3600;

/** The storm crosses 180° eastward between hours 0 and 24, and crossed it westward before. */
const crossing = stormOf(
  [
    aheadPoint(0, { latitude: 30, longitude: 178 }, allRound(200, 100, null)),
    aheadPoint(24, { latitude: 34, longitude: -178 }, allRound(240, 120, null)),
    aheadPoint(48, { latitude: 40, longitude: -170 }, allRound(200, 100, null)),
  ],
  { id: "WP012026" },
);
crossing.tracks.observed = [
  trackPoint(-24, { latitude: 22, longitude: -179 }),
  trackPoint(-12, { latitude: 26, longitude: 179 }),
  ...crossing.tracks.observed,
];
crossing.cone = {
  basin: "west_pacific",
  source: "jma",
  source_basin: null,
  year: null,
  radii_table_km: null,
  circles: [
    { fhr: 24, lat: 34, lon: -178, r_km: 100 },
    { fhr: 48, lat: 40, lon: -170, r_km: 200 },
  ],
  center_line: [],
  envelope_polygon: null,
};

function shapesOf(entry: StormEntry, more: Partial<StormScene> = {}) {
  const scene: StormScene = {
    entries: [entry],
    selected: entry.id,
    time: BASE,
    danger: "classic",
    boxes: true,
    words: en,
  };
  const { features } = stormShapes({ ...scene, ...more });
  return {
    features,
    of: (kind: ShapeKind) => features.filter(({ properties }) => properties.kind === kind),
  };
}

function verticesOf(geometry: Geometry): Position[] {
  if (geometry.type === "Point") return [geometry.coordinates];
  if (geometry.type === "LineString") return geometry.coordinates;
  if (geometry.type === "Polygon") return geometry.coordinates.flat();
  throw new Error(`No shape of storms is a ${geometry.type}`);
}

const placeOf = ([longitude = Number.NaN, latitude = Number.NaN]: Position): Place => ({
  latitude,
  longitude: normaliseLongitude(longitude),
});

/** The single vertex of a point. */
const pointOf = (entry: StormEntry, time: number) => {
  const [centre] = shapesOf(entry, { time }).of("centre");
  return centre && { ...centre.properties, ...placeOf(verticesOf(centre.geometry)[0]!) };
};

it("draws no shape the long way around: longitudes continue across ±180", () => {
  for (const hour of [-18, 0, 6, 12, 30, 48]) {
    const { features } = shapesOf(crossing, { time: BASE + hour * HOUR });
    const all = features.flatMap(({ geometry }) => verticesOf(geometry).map(([longitude = 0]) => longitude));
    // The storm, its cone and its danger area together span about 40°.
    expect(Math.max(...all) - Math.min(...all)).toBeLessThan(60);
  }
  expect(shapesOf(crossing).features.map(({ properties }) => properties.kind)).toEqual(
    expect.arrayContaining(["cone", "danger", "observed", "forecast", "box", "radii", "dot", "centre"]),
  );
});

it("draws the radius of a wind as the provider states it, in each quadrant", () => {
  const radii = { ne: 300, se: 200, sw: 0, nw: 150 };
  const storm = stormOf([
    aheadPoint(
      0,
      { latitude: -20, longitude: 179.5 },
      {
        wind_radii_km: { "34kn": radii, "50kn": null, "64kn": null },
      },
    ),
    aheadPoint(12, { latitude: -21, longitude: 179 }),
  ]);
  const [ring] = shapesOf(storm).of("radii");
  expect(ring?.properties.threshold).toBe(34);
  const centre = { latitude: -20, longitude: 179.5 };
  const rim = verticesOf(ring!.geometry).map(placeOf);
  for (const [quadrant, from] of [
    ["ne", 0],
    ["se", 90],
    ["nw", 270],
  ] as const) {
    // The ends of an arc lie on the meridian and the parallel of the centre, where they meet those of its
    // neighbours.
    const arc = rim.filter((place) => Math.abs(initialBearing(centre, place) - from - 45) < 44);
    expect(arc.length).toBeGreaterThan(10);
    for (const place of arc) expect(distanceKm(centre, place)).toBeCloseTo(radii[quadrant], 3);
  }
  const southwest = rim.filter((place) => Math.abs(initialBearing(centre, place) - 225) < 44);
  for (const place of southwest) expect(distanceKm(centre, place)).toBeCloseTo(0, 3);
});

it("draws details of the selected storm alone", () => {
  const quiet = shapesOf(crossing, { selected: null });
  for (const kind of ["danger", "box", "dot"] as const) {
    expect(quiet.of(kind)).toEqual([]);
    expect(shapesOf(crossing).of(kind)).not.toEqual([]);
  }
  expect(quiet.of("cone")).toHaveLength(1);
  expect(shapesOf(crossing, { danger: null }).of("danger")).toEqual([]);
  expect(shapesOf(crossing, { boxes: false }).of("box")).toEqual([]);
});

it("moves the centre and its box with time, until the end of the forecast", () => {
  expect(pointOf(crossing, BASE)).toMatchObject({
    latitude: expect.closeTo(30, 6),
    longitude: expect.closeTo(178, 6),
  });
  const between = pointOf(crossing, BASE + 12 * HOUR)!;
  expect(between.latitude).toBeCloseTo(32, 1);
  expect(Math.abs(between.longitude)).toBeGreaterThan(179.5);
  // The same holds between two fixes of the past.
  expect(pointOf(crossing, BASE - 6 * HOUR)!.longitude).toBeCloseTo(178.5, 1);
  expect(pointOf(crossing, BASE - 25 * HOUR)).toBeUndefined();
  expect(pointOf(crossing, BASE + 49 * HOUR)).toBeUndefined();
  expect(stormPlace(crossing, BASE + 49 * HOUR)).toMatchObject({ latitude: 30, longitude: 178 });
  for (const hour of [0, 6, 12, 36]) {
    const { of } = shapesOf(crossing, { time: BASE + hour * HOUR });
    const centre = verticesOf(of("centre")[0]!.geometry)[0]!;
    const corners = verticesOf(of("box")[0]!.geometry);
    const middle = (axis: 0 | 1) =>
      (Math.min(...corners.map((corner) => corner[axis]!)) +
        Math.max(...corners.map((corner) => corner[axis]!))) /
      2;
    expect(middle(0)).toBeCloseTo(centre[0]!, 6);
    expect(middle(1)).toBeCloseTo(centre[1]!, 6);
  }
});

it("labels a storm without a forecast with the time of its last observation, and does not move it", () => {
  const invest = stormOf([aheadPoint(0, { latitude: 10, longitude: -120 }, { type: "DB", vmax_kt: 25 })], {
    id: "EP952026",
    name: "INVEST",
    is_invest: true,
  });
  delete invest.tracks.forecast;
  expect(pointOf(invest, BASE)!.label).toBe("Invest 95E\n25 kn");
  expect(pointOf(invest, BASE + 48 * HOUR)).toMatchObject({
    latitude: 10,
    longitude: -120,
    icon: "storm-invest",
    label: "Invest 95E\n25 kn\nseen Tue 12Z",
  });
});

it.each([
  { latitude: 15, type: "HU", category: 4, icon: "storm-north-hu4" },
  { latitude: -15, type: "HU", category: 3, icon: "storm-south-hu3" },
  { latitude: -15, type: "TS", category: 0, icon: "storm-south-ts" },
  { latitude: 15, type: "TD", category: 0, icon: "storm-north-td" },
  { latitude: 45, type: "PT", category: 0, icon: "storm-low" },
  { latitude: 45, type: null, category: null, icon: "storm-invest" },
] as const)("draws a $type at $latitude° as $icon", ({ latitude, icon, ...more }) => {
  const storm = stormOf([
    aheadPoint(0, { latitude, longitude: 10 }, more),
    aheadPoint(12, { latitude, longitude: 11 }),
  ]);
  expect(pointOf(storm, BASE)?.icon).toBe(icon);
});

it("does not draw today's forecast, cone and danger area over other dates", () => {
  const drawn: ShapeKind[] = ["cone", "danger", "forecast", "dot"];
  const kinds = (hours: number) => {
    const { of } = shapesOf(crossing, { time: BASE + hours * HOUR });
    return drawn.filter((kind) => of(kind).length > 0);
  };
  for (const hours of [-6, 0, 30, 48]) expect(kinds(hours)).toEqual(drawn);
  for (const hours of [-24, -7, 49, 240]) expect(kinds(hours)).toEqual([]);
  expect(shapesOf(crossing, { time: BASE - 24 * HOUR }).of("observed")).toHaveLength(1);
});

it("draws how far seas of 12 ft reach around the selected storm, where they are given, and between two marks", () => {
  const seas = (km: number) => ({ sea_radii_km: { "12ft": { ne: km, se: km, sw: 0, nw: null } } });
  const places = [0, 12, 24].map((hour) => ({ latitude: 20, longitude: 179 + hour / 6 }));
  const storm = stormOf([
    aheadPoint(0, places[0]!, seas(300)),
    aheadPoint(12, places[1]!, seas(200)),
    aheadPoint(24, places[2]!),
  ]);
  const reach = (time: number) => {
    const centre = stormPlace(storm, time)!;
    const [shape, ...more] = shapesOf(storm, { time }).of("seas");
    expect(more).toEqual([]);
    if (!shape) return undefined;
    const km = verticesOf(shape.geometry).map((vertex) => distanceKm(centre, placeOf(vertex)));
    return [Math.round(Math.max(...km)), Math.round(Math.min(...km))];
  };
  expect(reach(BASE)).toEqual([300, 0]);
  expect(reach(BASE + 6 * HOUR)).toEqual([250, 0]);
  expect(reach(BASE + 12 * HOUR)).toEqual([200, 0]);
  // The next mark has none, so nothing is interpolated.
  expect(reach(BASE + 18 * HOUR)).toBeUndefined();
  expect(shapesOf(storm, { selected: null }).of("seas")).toEqual([]);
});

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

it("nothing is drawn for a time that it does not speak of", () => {
  const later = BASE + 31 * 3600;
  expect(kinds([area({ polygon: ring })], [invest], null, later)).toEqual([]);
  expect(kinds([area({ polygon: ring, within_hours: 168 })], [invest], null, later)).toEqual([
    ["area", "WP922026", false],
  ]);
  expect(kinds([area()], [invest], null, BASE - 7 * 3600)).toEqual([]);
});

it("an area without a place has its symbol in the middle of its polygon, and none without both", () => {
  const [, symbol] = areaShapes([area({ place: null, polygon: ring })], [], null, BASE, en);
  expect(symbol!.geometry).toEqual({ type: "Point", coordinates: [180, 13] });
  expect(kinds([area({ place: null })], [], null, BASE)).toEqual([]);
});

it("draws a typhoon of the JMA without a category: its winds are 10-minute means", () => {
  const points = [
    aheadPoint(0, { latitude: 15, longitude: 130 }, { type: "HU", category: 4, vmax_kt: 115 }),
    aheadPoint(12, { latitude: 16, longitude: 129 }),
  ];
  expect(pointOf(stormOf(points, { provider: "jma" }), BASE)?.icon).toBe("storm-north-hu0");
});
