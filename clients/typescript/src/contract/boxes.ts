// Generated from the contract by scripts/client-types.ts. Do not edit.
import type { Provenance } from "./points.ts";

export interface BoundingBox {
  /** [min_latitude, max_latitude], degrees north. */
  latitude: [number, number];
  /** [min_longitude, max_longitude], degrees east, in the −180..180 convention; a minimum greater than the maximum crosses the antimeridian. */
  longitude: [number, number];
  /** One instant, or the start and the end of a range of at most 31 days. */
  timestamp: string | [string, string];
}

export interface MapResult {
  results: [MapConditions];
  execution_time: string;
  meta?: MapMeta;
}

export interface MapConditions {
  coordinates: {
    /** Ascending. */
    latitude: number[];
    /** West to east; −180..180 also where the box crosses 180. */
    longitude: number[];
    /** A list for a range. */
    timestamp: string | string[];
  };
  conditions: {
    /** Current, direction to, °. */
    Currents_Direction?: (number | null)[][] | ((number | null)[][])[];
    /** Current speed, m/s. */
    Currents_Speed?: (number | null)[][] | ((number | null)[][])[];
    /** Wind, direction from, °. */
    Winds_10m_Direction?: (number | null)[][] | ((number | null)[][])[];
    /** Wind speed, m/s. */
    Winds_10m_Intensity?: (number | null)[][] | ((number | null)[][])[];
    /** Waves, direction from, °. */
    Waves_Mean_Direction?: (number | null)[][] | ((number | null)[][])[];
    /** Waves, significant height, m. */
    Waves_Significant_Height?: (number | null)[][] | ((number | null)[][])[];
    /** Waves, mean period, s. */
    Waves_Mean_Period?: (number | null)[][] | ((number | null)[][])[];
  };
}

export interface MapMeta {
  /** The runs that answered; points counts nodes × steps. */
  provenance: Provenance[];
  /** How many nodes × steps have no value, by reason; missing is land or ice for variables of the sea. */
  nulls: {
    reason: "out_of_archive" | "out_of_domain" | "missing";
    points: number;
  }[];
}

export interface MapRequest {
  bounding_boxes: [BoundingBox];
  variable: "current" | "wind" | "wave";
  /** True makes a task of it, whose result is at /task/{task_id}; default false. */
  async?: boolean;
  /** At most 200 characters. */
  task_name?: string;
  /** One mail to the owner of the key when the task ends; default false. */
  receive_mail?: boolean;
  /** Adds result.meta: where the numbers come from; default false. */
  include_meta?: boolean;
}

export interface MapResponse {
  task_id: string;
  status: "SUCCESS";
  result: MapResult;
}
