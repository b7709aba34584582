import { type FieldName, fields } from "#lib/catalog/fields.ts";

/** What may be published of a quantity, in the catalog's unit. */
export interface Plausible {
  min: number;
  max: number;
  /** Change of the share of missing values that is no damage: partitions of waves come and go with the wind. */
  maskChange: number;
}

const MASK_CHANGE = 0.03;
const between = (min: number, max: number, maskChange = MASK_CHANGE): Plausible => ({ min, max, maskChange });
const partition = 0.5;

/** By CF standard name. Wider than any record at the surface of the Earth, narrower than what damage makes. */
const limits: Record<string, Plausible> = {
  eastward_wind: between(-130, 130),
  northward_wind: between(-130, 130),
  wind_speed_of_gust: between(-0.5, 160),
  surface_eastward_sea_water_velocity: between(-10, 10),
  surface_northward_sea_water_velocity: between(-10, 10),
  sea_surface_wave_significant_height: between(-0.01, 40),
  sea_surface_wave_mean_period: between(0, 60),
  sea_surface_wave_from_direction: between(-1.01, 1.01),
  sea_surface_swell_wave_significant_height: between(-0.01, 40, partition),
  sea_surface_swell_wave_mean_period: between(0, 60, partition),
  sea_surface_swell_wave_from_direction: between(-1.01, 1.01, partition),
  sea_surface_wind_wave_significant_height: between(-0.01, 40, partition),
  sea_surface_wind_wave_mean_period: between(0, 60, partition),
  sea_surface_wind_wave_from_direction: between(-1.01, 1.01, partition),
  sea_surface_temperature: between(-5, 45),
  precipitation_flux: between(-0.5, 320),
  atmosphere_convective_available_potential_energy: between(-1, 16_000),
  air_temperature: between(-100, 70),
  cloud_area_fraction: between(-0.5, 100.5),
  air_pressure_at_mean_sea_level: between(850, 1120),
  sea_floor_depth_below_sea_surface: between(-1, 12_000),
};

/** The limits of a stored field; none where the quantity has none. */
export function plausible(name: FieldName): Plausible {
  return (
    limits[fields[name].standardName] ??
    between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  );
}
