import { type FieldName, fields } from "./fields.ts";

/** The values that a stored field may have, in its unit. */
export interface PlausibleRange {
  min: number;
  max: number;
  /**
   * Tolerance for packing errors: a value up to this far outside the range is set to the bound; a value
   * farther out is treated as corrupt.
   */
  noise: number;
}

const MAX_STORED = 32_767;

const between = (min: number, max: number, noise = 0): PlausibleRange => ({ min, max, noise });

const wind = between(-130, 130);
const current = between(-10, 10);
const height = between(0, 40, 0.25);
const period = between(0, 60, 0.1);
const direction = between(-1, 1, 0.01);

/**
 * Ranges by CF standard name: wider than any record at the Earth's surface, narrower than the values that
 * corruption produces.
 */
const ranges: Readonly<Record<string, PlausibleRange>> = {
  eastward_wind: wind,
  northward_wind: wind,
  wind_speed_of_gust: between(0, 160, 1),
  surface_eastward_sea_water_velocity: current,
  surface_northward_sea_water_velocity: current,
  sea_surface_wave_significant_height: height,
  sea_surface_wave_mean_period: period,
  sea_surface_wave_from_direction: direction,
  sea_surface_swell_wave_significant_height: height,
  sea_surface_swell_wave_mean_period: period,
  sea_surface_swell_wave_from_direction: direction,
  sea_surface_wind_wave_significant_height: height,
  sea_surface_wind_wave_mean_period: period,
  sea_surface_wind_wave_from_direction: direction,
  sea_surface_temperature: between(-5, 45),
  precipitation_flux: between(0, 320, 0.5),
  atmosphere_convective_available_potential_energy: between(0, 16_000, 50),
  air_temperature: between(-100, 70),
  cloud_area_fraction: between(0, 100, 5),
  air_pressure_at_mean_sea_level: between(850, 1120),
  sea_floor_depth_below_sea_surface: between(0, 12_000, 1),
};

/**
 * The plausible range of a stored field; a field without a row above uses the range that the archive can
 * store.
 */
export function plausibleRange(name: FieldName): PlausibleRange {
  const { standardName, scale, offset } = fields[name];
  return ranges[standardName] ?? between(offset - MAX_STORED * scale, offset + MAX_STORED * scale);
}
