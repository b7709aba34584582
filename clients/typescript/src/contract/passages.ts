// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface Waypoint {
  /** Degrees north; -90..90. */
  latitude: number;
  /** Degrees east, in the −180..180 convention; -180..180. */
  longitude: number;
  /** How the waypoint is reached; of the first one ignored; default "great_circle". */
  leg?: "great_circle" | "rhumb";
}

/** Up to 250 departures. */
export interface Departures {
  /** The first departure. */
  from: string;
  /** Departures are until then, included. */
  to: string;
  /** 1..24. */
  step_hours: number;
}

export interface Vessel {
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
  factor?: number;
  /** Sail: speed under motor; without it there is none; 0.5..100. */
  motor_speed_kt?: number;
  /** Sail: the motor runs where sails would make less good; 0..100; default 3. */
  motor_below_kt?: number;
  /** Natural roll period: adds hints of rolling; 1..60. */
  roll_period_s?: number;
  /** For hints of parametric rolling; 1..500. */
  length_m?: number;
}

/** Motor: speed by significant height and where waves come from (head 0–45° off the bow, bow –90, quarter –135, following –180; linear between the middles of these); a typical one where left out. */
export interface MotorTable {
  /** Significant heights, ascending from 0; at most 30. */
  heights_m: number[];
  /** Speeds at the heights; at most 30. */
  head_kt: number[];
  /** Speeds at the heights; at most 30. */
  bow_kt: number[];
  /** Speeds at the heights; at most 30. */
  quarter_kt: number[];
  /** Speeds at the heights; at most 30. */
  following_kt: number[];
}

export interface PassageLimits {
  /** True wind, kt; null: not looked at; left out: the default of the vessel's kind. */
  wind_kt?: number | null;
  /** Gusts, kt; null: not looked at; left out: the default of the vessel's kind. */
  gust_kt?: number | null;
  /** Apparent wind within 60° of the bow, kt; null: not looked at; left out: the default of the vessel's kind. */
  apparent_ahead_kt?: number | null;
  /** Significant height of waves within 60° of the bow, m; null: not looked at; left out: the default of the vessel's kind. */
  head_sea_m?: number | null;
  /** Significant height of waves from 60° to 120° off the bow, m; null: not looked at; left out: the default of the vessel's kind. */
  beam_sea_m?: number | null;
  /** Significant height of waves from more than 120° off the bow, m; null: not looked at; left out: the default of the vessel's kind. */
  following_sea_m?: number | null;
  /** RMS vertical acceleration of a craft that follows the surface, g; null: not looked at; left out: the default of the vessel's kind. */
  acceleration_g?: number | null;
  /** Current against a wind of at least 11 kt, kt; null: not looked at; left out: the default of the vessel's kind. */
  current_against_wind_kt?: number | null;
  /** Rain, mm/h; null: not looked at; left out: the default of the vessel's kind. */
  rain_mm_h?: number | null;
  /** CAPE, J/kg: thunderstorms; null: not looked at; left out: the default of the vessel's kind. */
  cape_j_kg?: number | null;
  /** Least distance from the danger area of a tropical storm, km; null: not looked at; left out: the default of the vessel's kind. */
  storm_km?: number | null;
}

export interface PassageRequest {
  /** Waypoints; legs take the shorter way across 180°; at most 500. */
  route: Waypoint[];
  /** One departure; either this or departures. */
  departure?: string;
  /** Up to 250 departures. */
  departures?: Departures;
  vessel: Vessel;
  limits?: PassageLimits;
  /** Adds the pieces of each plan; where left out, those of a single departure are there. */
  include_pieces?: boolean;
  /** Whose storms are looked at; none where left out. */
  storms?: "jtwc" | "jma";
  /** Of the danger area; default "classic". */
  storm_method?: "classic" | "season";
  /** True makes a task of it, whose result is at /task/{task_id}; default false. */
  async?: boolean;
  /** At most 200 characters. */
  task_name?: string;
  /** One mail to the owner of the key when the task ends; default false. */
  receive_mail?: boolean;
}

export interface OptimiseRequest {
  /** The user's own route; the better one has its first and its last waypoint; at most 500. */
  route: Waypoint[];
  departure: string;
  vessel: Vessel;
  limits?: PassageLimits;
  /** Within_limits: within the limits all the way, else the least sum of time and eight times the weighted time beyond them; fastest: of the limits that of storms counts, the others are only shown; default "within_limits". */
  objective?: "within_limits" | "fastest";
  /** Adds the pieces of both plans; default true. */
  include_pieces?: boolean;
  /** Whose storms are kept clear of, by limits.storm_km; none where left out. */
  storms?: "jtwc" | "jma";
  /** Of the danger area; default "classic". */
  storm_method?: "classic" | "season";
  /** True makes a task of it, whose result is at /task/{task_id}; default false. */
  async?: boolean;
  /** At most 200 characters. */
  task_name?: string;
  /** One mail to the owner of the key when the task ends; default false. */
  receive_mail?: boolean;
}
