/**
 * Draws each field of the demo world round the globe as PNG, to be looked at for seams, stripes and incredible weather:
 * `node scripts/demo-pictures.ts [folder] [time] [south,north,west,east,step] [zoom] [names…]`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { draw, type Picture, scales } from "#scripts/demo/picture.ts";
import { groupOf, type Values } from "#server/demo/compute.ts";
import { landAt, nodesOf } from "#server/demo/math/grid.ts";
import { staticWorld } from "#server/demo/static/world.ts";

const [
  folder = ".cache/demo",
  instant = "2026-09-15T12:00:00Z",
  box = "-90,90,-180,180,0.5",
  zoom = "2",
  ...only
] = process.argv.slice(2);
const [south = -90, north = 90, west = -180, east = 180, step = 0.5] = box.split(",").map(Number);
const grid: Grid = {
  latitude: { start: south + step / 2, step, count: Math.round((north - south) / step) },
  longitude: { start: west + step / 2, step, count: Math.round((east - west) / step) },
};

mkdirSync(folder, { recursive: true });
const world = { seed: 1, static: staticWorld(folder) };
const patch = { grid, time: Date.parse(instant) / 1000 };
const nodes = nodesOf(grid);
const land = landAt(world.static.land, nodes);
const known: Values = {};
const every = Math.max(4, Math.round(14 / Number(zoom)));

function field(name: FieldName): Float32Array {
  if (!known[name]) Object.assign(known, groupOf(name).compute(world, patch));
  return known[name]!;
}

function length(x: FieldName, y: FieldName): Float32Array {
  const other = field(y);
  return field(x).map((value, at) => Math.hypot(value, other[at]!));
}

/** Arrows along which waves go, as long as the waves are high. */
function travel(system: "sea_surface_wave" | "sea_surface_swell_wave" | "sea_surface_wind_wave") {
  const height = field(`${system}_significant_height`);
  const along = (name: FieldName) => field(name).map((value, at) => -value * height[at]!);
  return {
    east: along(`${system}_from_direction_x`),
    north: along(`${system}_from_direction_y`),
    every,
    unit: 5,
  };
}

type Drawing = Omit<Picture, "rows" | "columns">;

const isobars = () => ({ values: field("air_pressure_at_mean_sea_level"), step: 4 });

const drawings: Record<string, () => Drawing> = {
  wind: () => ({
    values: length("eastward_wind_10m", "northward_wind_10m"),
    low: 0,
    high: 30,
    scale: scales.speed,
    contours: isobars(),
    arrows: { east: field("eastward_wind_10m"), north: field("northward_wind_10m"), every, unit: 16 },
  }),
  wind_100m: () => ({
    values: length("eastward_wind_100m", "northward_wind_100m"),
    low: 0,
    high: 30,
    scale: scales.speed,
  }),
  gust: () => ({ values: field("wind_speed_of_gust"), low: 0, high: 36, scale: scales.speed }),
  pressure: () => ({
    values: field("air_pressure_at_mean_sea_level"),
    low: 960,
    high: 1045,
    scale: scales.heat,
    contours: isobars(),
  }),
  rain: () => ({
    values: field("precipitation_flux").map(Math.sqrt),
    low: 0,
    high: Math.sqrt(20),
    scale: scales.wet,
    contours: isobars(),
  }),
  cloud: () => ({ values: field("cloud_area_fraction"), low: 0, high: 100, scale: scales.grey }),
  cape: () => ({
    values: field("atmosphere_convective_available_potential_energy"),
    low: 0,
    high: 4000,
    scale: scales.wet,
  }),
  temperature: () => ({ values: field("air_temperature"), low: -40, high: 40, scale: scales.heat }),
  sst: () => ({ values: field("sea_surface_temperature"), low: -2, high: 32, scale: scales.heat }),
  current: () => ({
    values: length("surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"),
    low: 0,
    high: 1.5,
    scale: scales.speed,
    arrows: {
      east: field("surface_eastward_sea_water_velocity"),
      north: field("surface_northward_sea_water_velocity"),
      every,
      unit: 0.6,
    },
  }),
  waves: () => ({
    values: field("sea_surface_wave_significant_height"),
    low: 0,
    high: 10,
    scale: scales.speed,
    arrows: travel("sea_surface_wave"),
  }),
  wave_period: () => ({
    values: field("sea_surface_wave_mean_period"),
    low: 2,
    high: 18,
    scale: scales.heat,
  }),
  swell: () => ({
    values: field("sea_surface_swell_wave_significant_height"),
    low: 0,
    high: 6,
    scale: scales.speed,
    arrows: travel("sea_surface_swell_wave"),
  }),
  wind_waves: () => ({
    values: field("sea_surface_wind_wave_significant_height"),
    low: 0,
    high: 10,
    scale: scales.speed,
    arrows: travel("sea_surface_wind_wave"),
  }),
  depth: () => ({
    values: field("sea_floor_depth_below_sea_surface"),
    low: 0,
    high: 6000,
    scale: scales.depth,
  }),
};

for (const [name, drawing] of Object.entries(drawings)) {
  if (only.length > 0 && !only.includes(name)) continue;
  const picture = { rows: nodes.rows, columns: nodes.columns, land, ...drawing() };
  writeFileSync(join(folder, `${name}.png`), draw(picture, Number(zoom)));
  console.log(join(folder, `${name}.png`));
}
