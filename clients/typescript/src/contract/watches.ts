// Generated from the contract by scripts/client-types.ts. Do not edit.
import type { MotorTable, Vessel, Waypoint } from "./passages.ts";

export type WatchQuestion = {
  /** Something happens at a place in the next hours. */
  kind: "place";
  /** Degrees north; -90..90. */
  latitude: number;
  /** Degrees east, in the −180..180 convention; -180..180. */
  longitude: number;
  /** 1..240; default 48. */
  window_hours?: number;
  /** Any: one condition is enough; all: at the same hour, a storm's distance at any hour; default "any". */
  join?: "any" | "all";
  /** At most 6. */
  conditions: WatchCondition[];
  /** Whose storms storm_nm looks at; default "jtwc". */
  provider?: "jtwc" | "jma";
  /** Of the danger area; default "classic". */
  storm_method?: "classic" | "season";
} | {
  /** Something happens on a passage, as far as it is ahead. */
  kind: "route";
  /** At most 100. */
  route: Waypoint[];
  departure: string;
  vessel: Vessel;
  /** Any: one condition is enough; all: at the same hour, a storm's distance at any hour; default "any". */
  join?: "any" | "all";
  /** At most 6. */
  conditions: WatchCondition[];
  /** Whose storms storm_nm looks at; default "jtwc". */
  provider?: "jtwc" | "jma";
  /** Of the danger area; default "classic". */
  storm_method?: "classic" | "season";
} | {
  /** So many hours on end in which all conditions hold. */
  kind: "window";
  /** Degrees north; -90..90. */
  latitude: number;
  /** Degrees east, in the −180..180 convention; -180..180. */
  longitude: number;
  /** Looked for in so many hours from now; 1..240; default 120. */
  window_hours?: number;
  /** 1..240; default 36. */
  lasting_hours?: number;
  /** At most 6. */
  conditions: WatchCondition[];
} | {
  /** A run of the forecast is published. */
  kind: "new_run";
  /** As in result.meta of POST /MetOcean, such as gfs; any source where left out. */
  source?: string;
};

export interface WatchCondition {
  /** With the unit in its name; storm_nm: distance of a storm's danger area, n mi, 0 within it; wind and gust at 10 m. */
  quantity: "wind_kt" | "gust_kt" | "sea_m" | "swell_m" | "current_kt" | "rain_mm_h" | "pressure_hpa" | "cape_j_kg" | "storm_nm";
  /** True above this; either this or under. */
  over?: number;
  /** True below this; storm_nm: only this. */
  under?: number;
}

export type WatchedQuestion = {
  /** Something happens at a place in the next hours. */
  kind: "place";
  /** Degrees north; -90..90. */
  latitude: number;
  /** Degrees east, in the −180..180 convention; -180..180. */
  longitude: number;
  /** 1..240; default 48. */
  window_hours: number;
  /** Any: one condition is enough; all: at the same hour, a storm's distance at any hour; default "any". */
  join: "any" | "all";
  /** At most 6. */
  conditions: WatchCondition[];
  /** Whose storms storm_nm looks at; default "jtwc". */
  provider: "jtwc" | "jma";
  /** Of the danger area; default "classic". */
  storm_method: "classic" | "season";
} | {
  /** Something happens on a passage, as far as it is ahead. */
  kind: "route";
  /** At most 100. */
  route: {
    /** Degrees north; -90..90. */
    latitude: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    longitude: number;
    /** How the waypoint is reached; of the first one ignored; default "great_circle". */
    leg: "great_circle" | "rhumb";
  }[];
  departure: string;
  vessel: {
    kind: "fixed" | "motor" | "sail";
    /** Through the water; fixed: always, motor: in calm water. Required for both; 0.5..100. */
    speed_kt?: number;
    /** Motor: speed by significant height and where waves come from (head 0–45° off the bow, bow –90, quarter –135, following –180; linear between the middles of these); a typical one where left out. */
    table?: MotorTable;
    /** Sail: a polar, TWA\TWS;6;8;10, then a line an angle (qtVlm, OpenCPN, ORC), or below !Expedition a line a wind; either this or polar_name; at most 100000 characters. */
    polar?: string;
    /** Sail: a generic polar of our own. */
    polar_name?: "cruising_10m" | "cruising_14m" | "catamaran_13m";
    /** Sail: share of the polar's speed that is sailed; 0.1..1.5; default 0.9. */
    factor: number;
    /** Sail: speed under motor; without it there is none; 0.5..100. */
    motor_speed_kt?: number;
    /** Sail: the motor runs where sails would make less good; 0..100; default 3. */
    motor_below_kt: number;
    /** Natural roll period: adds hints of rolling; 1..60. */
    roll_period_s?: number;
    /** For hints of parametric rolling; 1..500. */
    length_m?: number;
  };
  /** Any: one condition is enough; all: at the same hour, a storm's distance at any hour; default "any". */
  join: "any" | "all";
  /** At most 6. */
  conditions: WatchCondition[];
  /** Whose storms storm_nm looks at; default "jtwc". */
  provider: "jtwc" | "jma";
  /** Of the danger area; default "classic". */
  storm_method: "classic" | "season";
} | {
  /** So many hours on end in which all conditions hold. */
  kind: "window";
  /** Degrees north; -90..90. */
  latitude: number;
  /** Degrees east, in the −180..180 convention; -180..180. */
  longitude: number;
  /** Looked for in so many hours from now; 1..240; default 120. */
  window_hours: number;
  /** 1..240; default 36. */
  lasting_hours: number;
  /** At most 6. */
  conditions: WatchCondition[];
} | {
  /** A run of the forecast is published. */
  kind: "new_run";
  /** As in result.meta of POST /MetOcean, such as gfs; any source where left out. */
  source?: string;
};

export interface WatchFinding {
  /** Model or agency and base time. */
  run: string | null;
  run_at: number | null;
  quantity: string | null;
  /** The nearest to its limit, or the furthest beyond. */
  value: number | null;
  limit: number | null;
  unit: string | null;
  valid_at: number | null;
  /** Of a weather window: all that were found. */
  windows: {
    /** Unix time, seconds, UTC. */
    from: number;
    /** Unix time, seconds, UTC. */
    to: number;
  }[];
  /** Of the hours looked at, those with a forecast; 0..1. */
  known_share: number;
  /** In words, in the language of the watch. */
  sentence: string;
}

export interface WatchRequest {
  /** At most 200 characters. */
  name: string;
  question: WatchQuestion;
  /** Of the messages; default "en". */
  language?: "en" | "fr" | "es" | "de" | "pt" | "ja" | "zh";
  /** True: not evaluated until it is changed; default false. */
  paused?: boolean;
  /** Ids of GET /channels; all channels of the owner where left out, the inbox alone if empty; at most 20. */
  channels?: string[];
  /** Not evaluated from then on; 90 days from now, of a route 10 days after its departure. */
  expires_at?: string;
}

export interface Watch {
  id: string;
  name: string;
  question: WatchedQuestion;
  language: "en" | "fr" | "es" | "de" | "pt" | "ja" | "zh";
  paused: boolean;
  /** Null: all of the owner's. */
  channels: string[] | null;
  /** Waiting: not evaluated yet; firing: it fired and has not cleared; unknown: there is no forecast for it; failed: tried again. */
  state: "waiting" | "quiet" | "firing" | "unknown" | "failed" | "paused" | "expired";
  found: WatchFinding | null;
  error: string | null;
  created_at: string;
  evaluated_at: string | null;
  expires_at: string;
}

export interface WatchList {
  results: Watch[];
}
