// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface Point {
  /** Degrees north; -90..90. */
  latitude: number;
  /** Degrees east, in the −180..180 convention; -180..180. */
  longitude: number;
  /** From 3 years in the past to 10 days in the future. */
  timestamp: string;
}

export type Variable = "current" | "wind" | "gust" | "wave" | "bathy" | "sst" | "extra_wave" | "rain" | "mucape" | "temp" | "cloud" | "pressure";

export interface PointResult {
  results: PointConditions[];
  execution_time: string;
  meta?: PointMeta;
}

export interface PointConditions {
  coordinates: {
    latitude: number;
    longitude: number;
    timestamp: string;
  };
  conditions: Conditions;
}

export interface Conditions {
  /** Current, direction to, °. */
  Currents_Direction?: number | null;
  /** Current speed, m/s. */
  Currents_Intensity?: number | null;
  /** Wind, direction from, °. */
  Winds_10m_Direction?: number | null;
  /** Wind speed, m/s. */
  Winds_10m_Intensity?: number | null;
  /** Gusts, m/s. */
  Gust_10m?: number | null;
  /** Waves, direction from, °. */
  Waves_Mean_Direction?: number | null;
  /** Waves, significant height, m. */
  Waves_Significant_Height?: number | null;
  /** Waves, mean period, s. */
  Waves_Mean_Period?: number | null;
  /** Depth below sea level, m. */
  Bathymetry?: number | null;
  /** Sea surface temperature, °C. */
  Sea_Surface_Temperature?: number | null;
  /** Swell, direction from, °. */
  Swell_Mean_Direction?: number | null;
  /** Swell, significant height, m. */
  Swell_Significant_Height?: number | null;
  /** Swell, mean period, s. */
  Swell_Mean_Period?: number | null;
  /** Wind waves, direction from, °. */
  Windwaves_Mean_Direction?: number | null;
  /** Wind waves, significant height, m. */
  Windwaves_Significant_Height?: number | null;
  /** Wind waves, mean period, s. */
  Windwaves_Mean_Period?: number | null;
  /** Rain, mm/h. */
  Precipitation?: number | null;
  /** CAPE, most unstable, J/kg. */
  MUCAPE?: number | null;
  /** Air temperature, °C. */
  Temperature_2m?: number | null;
  /** Cloud cover, %. */
  Cloud_Cover?: number | null;
  /** Pressure, hPa. */
  Pressure?: number | null;
}

export interface PointMeta {
  provenance: Provenance[];
  /** Points (their positions in the request) without a value, by variable and reason. */
  nulls: {
    variable: Variable;
    reason: "land" | "ice" | "out_of_archive" | "out_of_domain" | "missing";
    points: number[];
  }[];
}

export interface Provenance {
  variable: Variable;
  dataset: string;
  source: string;
  model: string;
  /** Identifier of the immutable run. */
  run: string;
  reference_time: string | null;
  /** Of a forecast: seconds from its base time to now, or to the last time that it answered where that is past. */
  age_s?: number;
  /** Of a forecast that is old, in words. */
  notice?: string;
  /** Steps that the values are interpolated between. */
  valid_times: string[];
  /** How many points it answered. */
  points: number;
  wind_method?: "levels" | "power_law" | "10m";
  /** Height of the wind, metres above the surface. */
  wind_height?: number;
  notes?: string[];
}

export interface PointRun {
  /** Base time of the run, UTC. */
  reference_time: string;
  variables: {
    variable: Variable;
    source: string;
    model: string;
    /** Identifiers of the immutable runs: a cycle may be published in parts. */
    runs: string[];
    /** How many of the points it reaches. */
    points: number;
    /** How many of them POST /MetOcean answers from it. */
    newest_points: number;
    notes?: string[];
  }[];
  /** As of POST /MetOcean, from this run alone; null where it has no value. */
  results: PointConditions[];
}

export interface PointRequest {
  /** At most 10000. */
  points: Point[];
  variables: Variable[];
  /** Metres above the surface; 10..100; default 10. */
  wind_height?: number;
  /** At most 200 characters. */
  task_name?: string;
  /** One mail to the owner of the key when the task ends; default false. */
  receive_mail?: boolean;
  /** Adds result.meta: where each number comes from; default false. */
  include_meta?: boolean;
}

export interface PointResponse {
  task_id: [string];
  status: "SUCCESS";
  result: PointResult;
}

export interface PointRunsRequest {
  /** At most 1000. */
  points: Point[];
  variables: Variable[];
  /** Metres above the surface; 10..100; default 10. */
  wind_height?: number;
  /** How many runs of each variable, the newest among them; 1..8; default 5. */
  last_runs?: number;
  /** Base times of the runs, in place of last_runs; at most 8. */
  reference_times?: string[];
}

export interface PointRunsResponse {
  task_id: string;
  status: "SUCCESS";
  result: {
    /** Newest first. */
    results: PointRun[];
    execution_time: string;
    meta: {
      missing: {
        variable: Variable;
        reference_time: string | null;
        reason: "static" | "past" | "out_of_archive" | "out_of_domain" | "not_in_archive" | "fewer";
        /** In words. */
        message: string;
      }[];
    };
  };
}

export interface Failure {
  task_id: string;
  status: "FAILURE";
  error: string;
}
