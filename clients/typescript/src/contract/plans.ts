// Generated from the contract by scripts/client-types.ts. Do not edit.
import type { Conditions, Provenance } from "./points.ts";
import type { StormEncounter } from "./storm-reports.ts";

export interface PassageResult {
  /** One a departure, in the order of time. */
  results: Plan[];
  execution_time: string;
  meta: PassageMeta;
}

export interface Plan {
  departure: string;
  /** Null where the vessel does not arrive. */
  arrival: string | null;
  /** Held: by current or calm for a day; too_slow: it needs too many pieces. */
  ending: "arrived" | "held" | "too_slow";
  /** Where and when the plan ends. */
  end: {
    latitude: number;
    longitude: number;
    timestamp: string;
  };
  /** When the wind is first not known; what is not known is not judged. */
  no_forecast_from: string | null;
  /** NO: legs cross more than 2 n mi of land in all, beyond a limit, or the vessel cannot make way; CAUTION: a leg touches land, from 80 % of a limit, or something is unknown, of the sea a tenth of the time. */
  verdict: "GO" | "CAUTION" | "NO";
  deciding: {
    by: "wind_kt" | "gust_kt" | "apparent_ahead_kt" | "head_sea_m" | "beam_sea_m" | "following_sea_m" | "acceleration_g" | "current_against_wind_kt" | "rain_mm_h" | "cape_j_kg" | "storm_km" | "crosses_land" | "too_slow" | "held" | "current_too_strong" | "no_headway" | "becalmed" | "no_forecast" | "no_sea_data" | "roll" | "storm_without_forecast";
    /** The same as a sentence in English. */
    text?: string;
    /** Of the quantity, in the unit of the limit's name; of no_sea_data the share of the time. */
    value: number | null;
    /** In force. */
    limit: number | null;
    /** Value over limit, of distances limit over value; at most 10. */
    ratio: number | null;
    /** Of crosses_land: position of the leg, from 0. */
    leg?: number;
    piece: number | null;
    at: {
      latitude: number;
      longitude: number;
      timestamp: string;
    };
  } | null;
  /** Altitude of the sun at arrival. */
  arrival_sun_deg: number | null;
  arrival_light: "day" | "twilight" | "night" | null;
  totals: {
    distance_nm: number;
    duration_s: number;
    /** Mean over ground. */
    speed_kt: number | null;
    /** Over the time. */
    mean_wind_kt: number | null;
    /** True wind. */
    max_wind_kt: number | null;
    /** Gusts. */
    max_gust_kt: number | null;
    /** Significant height. */
    max_height_m: number | null;
    /** Least depth below mean sea level at the middles of the pieces, from a coarse grid: shoals between them are not seen, and it is no clearance; null without pieces. */
    min_depth_m: number | null;
    /** Over the time. */
    mean_acceleration_g: number | null;
    /** Of a piece. */
    max_acceleration_g: number | null;
    /** Of the worst piece. */
    comfort: "comfortable" | "uncomfortable" | "severe" | "dangerous" | null;
    /** The nearest limit of each piece, as value over limit, mean over the time. */
    mean_ratio: number | null;
    motor_s: number;
    held_s: number;
    /** Without a known wind. */
    no_forecast_s: number;
    /** With a known wind, but waves or currents unknown. */
    no_sea_data_s: number;
    /** Time beyond each limit that is looked at, but that of storms. */
    over_limits_s: Partial<Record<"wind_kt" | "gust_kt" | "apparent_ahead_kt" | "head_sea_m" | "beam_sea_m" | "following_sea_m" | "acceleration_g" | "current_against_wind_kt" | "rain_mm_h" | "cape_j_kg" | "storm_km", number>>;
  };
  /** As POST /storms/approach; absent where storms were not asked for. */
  storms?: {
    /** Storms with a forecast in the time of the voyage: an empty list does not mean that no storm is near. */
    results: StormEncounter[];
    /** All other storms that are published, ordered by id: they may be near, now or later. */
    without_forecast: {
      id: string;
      name: string | null;
      /** False for a storm that has ended, which stays for 24 h. */
      is_active: boolean;
      /** When it was last located; null if it never was. */
      last_fix_time: number | null;
      /** Distance of that last position, km, from where the vessel is now (before the voyage from its start, after it from its end); absent if the storm was never located. */
      km?: number;
    }[];
  };
  pieces?: PlanPiece[];
}

export interface PlanPiece {
  /** Position of the leg, from 0. */
  leg: number;
  /** Where and when the piece begins. */
  start: {
    latitude: number;
    longitude: number;
    timestamp: string;
  };
  /** Its middle, where and when the weather is read: POST /MetOcean gives the same conditions there. */
  at: {
    latitude: number;
    longitude: number;
    timestamp: string;
  };
  /** Since the departure, at its start. */
  elapsed_s: number;
  /** At most 1800. */
  duration_s: number;
  /** At most 10; 0 while the vessel is held. */
  distance_nm: number;
  /** From its start. */
  to_go_nm: number;
  /** Over ground, TO. */
  course_deg: number;
  /** Where the bow points; null while the vessel is held. */
  heading_deg: number | null;
  /** Speed over ground, between tacks made good. */
  sog_kt: number;
  /** Speed through the water. */
  stw_kt: number;
  /** Held: it waits half an hour for current, wind or sea. */
  mode: "motor" | "sail" | "held";
  /** True wind. */
  wind_kt: number | null;
  /** True wind off the bow, −180..180, positive to starboard. */
  wind_angle_deg: number | null;
  /** Apparent wind. */
  apparent_wind_kt: number | null;
  /** Off the bow, −180..180, positive to starboard. */
  apparent_wind_angle_deg: number | null;
  /** Gusts. */
  gust_kt: number | null;
  /** Where the waves come from, off the bow, −180..180, positive to starboard. */
  wave_angle_deg: number | null;
  /** Negative where the vessel overtakes the waves; null where it moves with them. */
  encounter_period_s: number | null;
  /** RMS vertical acceleration of a craft that follows the surface, of the worse tack; an upper bound for long ships. */
  acceleration_g: number | null;
  /** Uncomfortable from 0.1 g, severe from 0.2 g, dangerous from a wind of 48 kt (Beaufort 10) or a significant height of 6 m (sea state 7). */
  comfort: "comfortable" | "uncomfortable" | "severe" | "dangerous" | null;
  /** As wave_angle_deg, of the swell. */
  swell_angle_deg: number | null;
  /** As encounter_period_s, of the swell. */
  swell_encounter_period_s: number | null;
  /** As acceleration_g, of the swell alone. */
  swell_acceleration_g: number | null;
  /** Along the course, negative against the vessel. */
  current_along_kt: number | null;
  /** Across the course, positive to starboard. */
  current_across_kt: number | null;
  /** The limit that is nearest, or exceeded most; null where nothing is known. */
  nearest_limit: {
    limit: "wind_kt" | "gust_kt" | "apparent_ahead_kt" | "head_sea_m" | "beam_sea_m" | "following_sea_m" | "acceleration_g" | "current_against_wind_kt" | "rain_mm_h" | "cape_j_kg" | "storm_km";
    ratio: number;
  } | null;
  flags: ("tacking" | "gybing" | "beyond_polar" | "becalmed" | "no_headway" | "current_too_strong" | "typical_speed" | "no_forecast" | "no_sea_data" | "synchronous_roll" | "parametric_roll")[];
  conditions: Conditions;
}

export interface PassageMeta {
  distance_nm: number;
  legs: {
    kind: "great_circle" | "rhumb";
    distance_nm: number;
    /** At its start; null for a leg of no length. */
    course_deg: number | null;
    /** At its end. */
    final_course_deg: number | null;
  }[];
  /** Legs that cross land, 2 n mi around both ends left out, and where each first does. */
  crosses_land: {
    /** Position of the leg, from 0. */
    leg: number;
    latitude: number;
    longitude: number;
    /** Length over land; 0 where it is only touched. */
    land_nm: number;
  }[];
  /** Where the route is nearest to the coast of 1:10 million, more than 5 n mi from its ends; null where it keeps 3 n mi off. */
  nearest_coast: {
    /** Position of the leg, from 0. */
    leg: number;
    latitude: number;
    longitude: number;
    distance_nm: number;
  } | null;
  /** Where the weather is not known. */
  typical_speed_kt: number;
  /** In force. */
  motor_table?: {
    heights_m: number[];
    head_kt: number[];
    bow_kt: number[];
    quarter_kt: number[];
    following_kt: number[];
  };
  /** In force, those of the request and the defaults. */
  limits: Record<"wind_kt" | "gust_kt" | "apparent_ahead_kt" | "head_sea_m" | "beam_sea_m" | "following_sea_m" | "acceleration_g" | "current_against_wind_kt" | "rain_mm_h" | "cape_j_kg" | "storm_km", number | null>;
  order: {
    /** Positions in results, best first. */
    fastest: number[];
    /** Positions in results, best first. */
    smoothest: number[];
    /** Positions in results, best first. */
    balanced: number[];
  };
  departures: {
    departure: string;
    verdict: "GO" | "CAUTION" | "NO";
    duration_s: number;
    mean_ratio: number | null;
    /** It arrives, and the wind is known all the way. */
    is_whole: boolean;
  }[];
  provenance: Provenance[];
  /** What the plans do not know, in words. */
  knowledge: string[];
  /** Of POST /passages/optimise only: what the second plan is; the legs above are those of the first. */
  better?: BetterRoute;
}

/** Of POST /passages/optimise only: what the second plan is; the legs above are those of the first. */
export interface BetterRoute {
  objective: "within_limits" | "fastest";
  /** Own: nothing better than the own route was found; shortest: the shortest way by water; search: found by isochrones. */
  origin: "own" | "shortest" | "search";
  /** False: no route within the limits was found, and this is the least bad. */
  keeps_limits: boolean;
  /** Time beyond any limit, that of storms included. */
  over_limits_s: {
    own: number;
    better: number;
  };
  /** Time beyond the limits, each piece times the square of how many times one is exceeded, at most 16; of storms 1 from the least distance to 4 at the edge of the danger area of that time and 36 in its centre. Of fastest: storms alone. */
  weighted_over_limits_s: {
    own: number;
    better: number;
  };
  /** On the coast of 1:10 million that the map shows. */
  own_crosses_land: boolean;
  /** Waypoints, as POST /passages/evaluate takes them. */
  route: {
    latitude: number;
    longitude: number;
    leg: "great_circle" | "rhumb";
  }[];
  distance_nm: number;
  /** The better plan less the own one. */
  difference: {
    duration_s: number;
    distance_nm: number;
    /** Time beyond any limit. */
    over_limits_s: number;
    /** Worst true wind. */
    max_wind_kt: number | null;
    /** Worst gust. */
    max_gust_kt: number | null;
    /** Worst sea. */
    max_height_m: number | null;
    /** Worst piece. */
    max_acceleration_g: number | null;
    motor_s: number;
  };
  /** The difference in words, in English. */
  text: string;
}

export interface PassageResponse {
  task_id: string;
  status: "SUCCESS";
  result: PassageResult;
}
