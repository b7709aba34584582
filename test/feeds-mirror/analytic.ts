import type { FieldName } from "#lib/catalog/fields.ts";
import { type windFields, windHeights } from "#lib/catalog/wind.ts";
import { cellAt } from "#server/demo/math/grid.ts";
import { landMask } from "#server/demo/static/relief.ts";
import * as forms from "./forms.ts";
import { cos, type Form, formValues, type Nodes, sin, type Window } from "./wave-forms.ts";

/** Computes a field at all nodes, in the unit of the catalog; missing is NaN. */
type Rule = (nodes: Nodes, window: Window) => Float64Array;

const land = landMask();

/** Exponent of the wind profile over the sea. */
const PROFILE = 1 / 7;

/** Shift, degrees, that keeps a node in one cell of the mask although coordinates of files are often rounded. */
const NUDGE = 1e-4;

/** Whether a place is land in the demo's mask of a quarter of a degree. */
export function isLand(latitude: number, longitude: number): boolean {
  return land[cellAt(latitude + NUDGE, longitude + NUDGE)] === 1;
}

const of =
  (form: Form): Rule =>
  (nodes, window) =>
    formValues(form, nodes, window);

const scaledBy =
  (factor: number, rule: Rule): Rule =>
  (nodes, window) => {
    const values = rule(nodes, window);
    if (factor !== 1) for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor;
    return values;
  };

const atSea =
  (rule: Rule): Rule =>
  (nodes, window) => {
    const values = rule(nodes, window);
    const mask = landOf(nodes);
    for (let i = 0; i < values.length; i++) if (mask[i] === 1) values[i] = Number.NaN;
    return values;
  };

const masks = new WeakMap<Nodes, Uint8Array>();

/** 1 where a node is land, otherwise 0. */
export function landOf(nodes: Nodes): Uint8Array {
  const found = masks.get(nodes);
  if (found) return found;
  const { latitudes, longitudes } = nodes;
  const mask = new Uint8Array(latitudes.length * longitudes.length);
  let at = 0;
  for (const latitude of latitudes) {
    for (const longitude of longitudes) mask[at++] = isLand(latitude, longitude) ? 1 : 0;
  }
  masks.set(nodes, mask);
  return mask;
}

const hypot =
  (one: Rule, other: Rule): Rule =>
  (nodes, window) => {
    const values = one(nodes, window);
    const second = other(nodes, window);
    for (let i = 0; i < values.length; i++) values[i] = Math.sqrt(values[i]! ** 2 + second[i]! ** 2);
    return values;
  };

const gust: Rule = (nodes, window) =>
  hypot(of(forms.eastward), of(forms.northward))(nodes, window).map((speed) => 1.35 * speed + 1);

/**
 * Directions that a system comes FROM, degrees in [0, 360). @param offset Difference from the direction of all waves,
 * degrees.
 */
const direction =
  (offset: number): Rule =>
  (nodes, window) => {
    const values = formValues(forms.turning, nodes, window);
    const columns = nodes.longitudes.length;
    for (let i = 0; i < values.length; i++) {
      const angle = values[i]! + nodes.longitudes[i % columns]! + offset;
      values[i] = ((angle % 360) + 360) % 360;
    }
    return values;
  };

const whereWindSea =
  (rule: Rule): Rule =>
  (nodes, window) => {
    const values = rule(nodes, window);
    const there = formValues(forms.windSeaThere, nodes, window);
    for (let i = 0; i < values.length; i++) if (!(there[i]! > 0)) values[i] = Number.NaN;
    return values;
  };

/** Quantities that the archive stores in another form than files: bearings that systems come FROM, degrees. */
const directions = {
  sea_surface_wave_from_direction: atSea(direction(0)),
  sea_surface_swell_wave_from_direction: atSea(direction(-30)),
  sea_surface_wind_wave_from_direction: whereWindSea(atSea(direction(50))),
};

function components(system: keyof typeof directions) {
  const bearing = directions[system];
  return {
    [`${system}_x`]: (nodes: Nodes, window: Window) => bearing(nodes, window).map(sin),
    [`${system}_y`]: (nodes: Nodes, window: Window) => bearing(nodes, window).map(cos),
  };
}

const winds = Object.fromEntries(
  windHeights.flatMap((height) => {
    const factor = (height / 10) ** PROFILE;
    return [
      [`eastward_wind_${height}m`, scaledBy(factor, of(forms.eastward))],
      [`northward_wind_${height}m`, scaledBy(factor, of(forms.northward))],
    ];
  }),
) as Record<keyof typeof windFields, Rule>;

const rules = {
  ...winds,
  wind_speed_of_gust: gust,
  precipitation_flux: of(forms.rain),
  atmosphere_convective_available_potential_energy: of(forms.cape),
  air_temperature: of(forms.warmth),
  cloud_area_fraction: of(forms.cloud),
  air_pressure_at_mean_sea_level: of(forms.pressure),
  sea_surface_wave_significant_height: atSea(hypot(of(forms.swellHeight), of(forms.windSeaHeight))),
  sea_surface_wave_mean_period: atSea(of(forms.wavePeriod)),
  sea_surface_swell_wave_significant_height: atSea(of(forms.swellHeight)),
  sea_surface_swell_wave_mean_period: atSea(of(forms.swellPeriod)),
  sea_surface_wind_wave_significant_height: whereWindSea(atSea(of(forms.windSeaHeight))),
  sea_surface_wind_wave_mean_period: whereWindSea(atSea(of(forms.windSeaPeriod))),
  ...components("sea_surface_wave_from_direction"),
  ...components("sea_surface_swell_wave_from_direction"),
  ...components("sea_surface_wind_wave_from_direction"),
  surface_eastward_sea_water_velocity: atSea(of(forms.currentEast)),
  surface_northward_sea_water_velocity: atSea(of(forms.currentNorth)),
  sea_surface_temperature: atSea(of(forms.seaWarmth)),
  sea_floor_depth_below_sea_surface: atSea(of(forms.depth)),
  ...directions,
} as Record<FieldName | keyof typeof directions, Rule>;

/** A stored field, or the bearing of a system of waves in degrees. */
export type AnalyticField = keyof typeof rules;

/**
 * Values of the mirror's planet at all nodes, row-major, in the unit of the catalog; missing is NaN.
 *
 * @param window A valid time, or the window of an average. Only linear fields (rain, cloud …) have a true average; for
 *   the others the value at the middle is given.
 */
export function analyticValues(field: AnalyticField, nodes: Nodes, window: Window): Float64Array {
  return rules[field](nodes, window);
}

/**
 * Value of the mirror's planet at a place, in the unit of the catalog, which an archive fetched from it must contain.
 *
 * @param validTime Unix seconds, or a window for the mean over it.
 * @returns NaN where the field is missing: on land, and where there is no wind sea.
 */
export function analyticValue(
  field: AnalyticField,
  latitude: number,
  longitude: number,
  validTime: number | Window,
): number {
  const window = typeof validTime === "number" ? { from: validTime, to: validTime } : validTime;
  const nodes = { latitudes: Float64Array.of(latitude), longitudes: Float64Array.of(longitude) };
  return rules[field](nodes, window)[0]!;
}
