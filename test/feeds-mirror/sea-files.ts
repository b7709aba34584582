import { type AnalyticField, analyticValues, landOf } from "./analytic.ts";
import { distorted } from "./distortions.ts";
import type { FileGrid } from "./grib-message.ts";
import type { NetcdfContent, NetcdfVariable } from "./netcdf-object.ts";
import { nodesOf, type Planet } from "./planet.ts";
import type { Variant } from "./published.ts";

const HOUR_S = 3600;
const DAY_S = 86_400;
const HOURS = 24;
/** NetCDF's default for missing floats. */
const MISSING_FLOAT = 9.969_21e36;
const MISSING_SHORT = -999;
const HEIGHT_ON_LAND = 250;

const MISSING_CURRENT = -30_000;

/** The grid of the currents: twelfths of a degree from 80° S, or that of the planet if it is coarser. */
export function currentGrid({ resolution }: Planet): FileGrid {
  const step = resolution === 0.25 ? 1 / 12 : resolution;
  return {
    rows: Math.round(170 / step) + 1,
    columns: Math.round(360 / step),
    latitude: -80,
    latitudeStep: step,
    longitude: -180,
    longitudeStep: step,
  };
}

/** A grid of cell centres, south to north. @param west West edge. */
function cellGrid(step: number, west: number): FileGrid {
  return {
    rows: Math.round(180 / step),
    columns: Math.round(360 / step),
    latitude: -90 + step / 2,
    latitudeStep: step,
    longitude: west + step / 2,
    longitudeStep: step,
  };
}

/** Values of a field at an instant, with the faults of a variant; NaN = missing. */
export function seaValues(
  field: AnalyticField,
  grid: FileGrid,
  time: number,
  variant: Variant,
): Float64Array {
  const at = time - variant.hoursEarlier * HOUR_S;
  return distorted(
    analyticValues(field, nodesOf(grid), { from: at, to: at }),
    grid.columns,
    variant.distortion,
  );
}

/** The axes of a grid, by the names that a file has for them. */
export function axes(grid: FileGrid, latitude: string, longitude: string): NetcdfVariable[] {
  const { latitudes, longitudes } = nodesOf(grid);
  return (
    [
      [latitude, latitudes, "degrees_north", "latitude"],
      [longitude, longitudes, "degrees_east", "longitude"],
    ] as const
  ).map(([name, values, units, standard_name]) => ({
    name,
    type: "float",
    dimensions: [name],
    attributes: { units, standard_name },
    values: () => values,
  }));
}

function filled(values: Float64Array, missing: number): Float64Array {
  return values.map((value) => (Number.isNaN(value) ? missing : value));
}

/**
 * A day of SMOC: hourly currents with tides and Stokes drift. @param day Unix seconds. @param run Base time of the run,
 * 0 UTC.
 */
export function smocFile(day: number, run: number, planet: Planet, variant: Variant): NetcdfContent {
  const grid = currentGrid(planet);
  const earlier = variant.hoursEarlier * HOUR_S;
  const since = Date.UTC(1950, 0, 1) / 1000;
  const current = (name: string, field: AnalyticField): NetcdfVariable => ({
    name,
    type: "float",
    dimensions: ["time", "depth", "latitude", "longitude"],
    attributes: { units: "m s-1", _FillValue: ["float", MISSING_FLOAT] },
    slices: HOURS,
    values: (hour) => filled(seaValues(field, grid, day + hour * HOUR_S, variant), MISSING_FLOAT),
  });
  return {
    key: `smoc:${day}:${run}:${grid.columns}`,
    dimensions: { time: HOURS, depth: 1, latitude: grid.rows, longitude: grid.columns },
    attributes: {
      bulletin_date: new Date((run - earlier) * 1000).toISOString().slice(0, 19).replace("T", " "),
    },
    variables: [
      {
        name: "time",
        type: "double",
        dimensions: ["time"],
        attributes: { units: "hours since 1950-01-01", standard_name: "time" },
        values: () =>
          Float64Array.from({ length: HOURS }, (_, hour) => (day - earlier - since) / HOUR_S + hour),
      },
      {
        name: "depth",
        type: "float",
        dimensions: ["depth"],
        attributes: { units: "m", positive: "down", standard_name: "depth" },
        values: () => Float64Array.of(0.494),
      },
      ...axes(grid, "latitude", "longitude"),
      current("utotal", "surface_eastward_sea_water_velocity"),
      current("vtotal", "surface_northward_sea_water_velocity"),
    ],
  };
}

/** A day of OISST, valid at 12 UTC. @param day Unix seconds. */
export function oisstFile(day: number, { resolution }: Planet, variant: Variant): NetcdfContent {
  const grid = cellGrid(resolution, 0);
  const noon = day + 12 * HOUR_S;
  const since = Date.UTC(1978, 0, 1, 12) / 1000;
  const packed = (name: string, change: (celsius: number) => number): NetcdfVariable => ({
    name,
    type: "short",
    dimensions: ["time", "zlev", "lat", "lon"],
    attributes: {
      units: "Celsius",
      scale_factor: ["float", 0.01],
      add_offset: ["float", 0],
      _FillValue: ["short", MISSING_SHORT],
    },
    values: () => {
      const celsius = seaValues("sea_surface_temperature", grid, noon, variant);
      return filled(
        celsius.map((value) => Math.round(change(value) * 100)),
        MISSING_SHORT,
      );
    },
  });
  return {
    key: `oisst:${day}:${grid.columns}`,
    dimensions: { time: 1, zlev: 1, lat: grid.rows, lon: grid.columns },
    attributes: { title: "NOAA OI SST" },
    variables: [
      {
        name: "time",
        type: "float",
        dimensions: ["time"],
        attributes: { units: "days since 1978-01-01 12:00:00" },
        values: () => Float64Array.of((noon - variant.hoursEarlier * HOUR_S - since) / DAY_S),
      },
      {
        name: "zlev",
        type: "float",
        dimensions: ["zlev"],
        attributes: { units: "meters", positive: "down" },
        values: () => Float64Array.of(0),
      },
      ...axes(grid, "lat", "lon"),
      packed("sst", (celsius) => celsius),
      packed("anom", (celsius) => (Number.isNaN(celsius) ? celsius : 0.5)),
    ],
  };
}

/** Every n-th cell of the relief of the Earth at 60″, or the planet's grid if it is coarser: heights, positive up. */
export function etopoFile(stride: number, { resolution }: Planet, variant: Variant): NetcdfContent {
  const grid = cellGrid(resolution === 0.25 ? stride / 60 : resolution, -180);
  return {
    key: `etopo:${grid.columns}`,
    dimensions: { latitude: grid.rows, longitude: grid.columns },
    attributes: { title: "ETOPO 2022" },
    variables: [
      ...axes(grid, "latitude", "longitude"),
      {
        name: "z",
        type: "float",
        dimensions: ["latitude", "longitude"],
        attributes: { units: "meters", positive: "up", standard_name: "height" },
        values: () => {
          const depths = seaValues("sea_floor_depth_below_sea_surface", grid, 0, variant);
          const land = landOf(nodesOf(grid));
          return depths.map((depth, i) => (land[i] === 1 ? HEIGHT_ON_LAND : -depth));
        },
      },
    ],
  };
}

/**
 * Every n-th node of HYCOM's 0.08° × 0.04°, or the planet's grid if it is coarser: currents of the level nearest to the
 * surface.
 */
export function hycomFile(
  time: number,
  stride: number,
  { resolution }: Planet,
  variant: Variant,
): NetcdfContent {
  const [latitudeStep, longitudeStep] =
    resolution === 0.25 ? [0.04 * stride, 0.08 * stride] : [resolution, resolution];
  const grid: FileGrid = {
    rows: Math.floor(170 / latitudeStep + 1e-6) + 1,
    columns: Math.floor(360 / longitudeStep + 1e-6),
    latitude: -80,
    latitudeStep,
    longitude: 0,
    longitudeStep,
  };
  const since = Date.UTC(2000, 0, 1) / 1000;
  const current = (name: string, field: AnalyticField): NetcdfVariable => ({
    name,
    type: "short",
    dimensions: ["time", "depth", "lat", "lon"],
    attributes: {
      units: "m/s",
      scale_factor: ["float", 0.001],
      add_offset: ["float", 0],
      _FillValue: ["short", MISSING_CURRENT],
    },
    values: () =>
      filled(
        seaValues(field, grid, time, variant).map((value) => Math.round(value * 1000)),
        MISSING_CURRENT,
      ),
  });
  return {
    key: `hycom:${time}:${grid.columns}`,
    dimensions: { time: 1, depth: 1, lat: grid.rows, lon: grid.columns },
    attributes: { title: "ESPC-D-V02" },
    variables: [
      {
        name: "time",
        type: "double",
        dimensions: ["time"],
        attributes: { units: "hours since 2000-01-01 00:00:00", standard_name: "time" },
        values: () => Float64Array.of((time - since) / HOUR_S - variant.hoursEarlier),
      },
      {
        name: "depth",
        type: "double",
        dimensions: ["depth"],
        attributes: { units: "m", positive: "down" },
        values: () => Float64Array.of(0),
      },
      ...axes(grid, "lat", "lon"),
      current("water_u", "surface_eastward_sea_water_velocity"),
      current("water_v", "surface_northward_sea_water_velocity"),
    ],
  };
}
