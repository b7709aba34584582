import { type FieldName, fields } from "#lib/catalog/fields.ts";

/** What one step of a quantity has over the globe, every cell counted alike, in the catalog's unit. */
interface Globe {
  /** The mean, from … to. */
  mean: readonly [number, number];
  /** The standard deviation, from … to. */
  spread: readonly [number, number];
}

/**
 * What the whole globe has on one day, by CF standard name: a first run has no run before it to be compared with.
 *
 * Climatological means by latitude (wind, pressure, temperature: Peixoto and Oort, Physics of Climate, 1992, chapter 7; sea
 * surface: NOAA OISST v2.1; rain: Adler et al. 2003, GPCP, 2.6 mm a day; cloud: Stubenrauch et al. 2013, 0.56 to 0.73; waves:
 * Young 1999 and Young and Ribal 2019; depth: Charette and Smith 2010, 3,682 m, less where polar seas count more) averaged over rows of equal weight, as `statisticsOf` does: the poles count as
 * much as the equator, so that the 14 °C of the air become about 4 and the 1011 hPa about 1008. Around that two to three times
 * the range of the seasons; no least rain, because a forecast begins without.
 */
const globes: Readonly<Record<string, Globe>> = {
  eastward_wind: { mean: [-3, 4], spread: [2, 16] },
  northward_wind: { mean: [-3, 3], spread: [1, 14] },
  wind_speed_of_gust: { mean: [2, 16], spread: [1, 13] },
  surface_eastward_sea_water_velocity: { mean: [-0.3, 0.3], spread: [0.02, 1] },
  surface_northward_sea_water_velocity: { mean: [-0.3, 0.3], spread: [0.02, 1] },
  sea_surface_wave_significant_height: { mean: [0.8, 4.5], spread: [0.2, 4] },
  sea_surface_wave_mean_period: { mean: [4, 15], spread: [0.3, 6] },
  sea_surface_temperature: { mean: [5, 24], spread: [4, 18] },
  precipitation_flux: { mean: [-0.01, 0.6], spread: [0, 5] },
  atmosphere_convective_available_potential_energy: { mean: [1, 1500], spread: [1, 3000] },
  air_temperature: { mean: [-6, 18], spread: [10, 35] },
  cloud_area_fraction: { mean: [40, 85], spread: [5, 50] },
  air_pressure_at_mean_sea_level: { mean: [1000, 1018], spread: [4, 25] },
  sea_floor_depth_below_sea_surface: { mean: [2300, 4300], spread: [600, 2600] },
};

/** What the globe has of a stored field; undefined where nothing is known. */
export function climatologyOf(name: FieldName): Globe | undefined {
  return globes[fields[name].standardName];
}
