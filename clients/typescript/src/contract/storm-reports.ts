// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface StormOutlook {
  /** Heading of the text, or gtwo with the basin for NHC's areas. */
  product: string;
  agency: "jtwc" | "nhc" | "cphc";
  /** Whose areas it lists. */
  basins: string[];
  /** Unix time, seconds, UTC. */
  issued_at: number;
  /** Null where the text states no end. */
  valid_until: number | null;
  /** The areas of interest; empty where no development is expected. */
  areas: {
    /** Of the invest, else of the product and its number in it. */
    id: string;
    /** Id of its entry in GET /storms, where it is an invest. */
    storm_id: string | null;
    /** The agency's number of the invest. */
    designation: string | null;
    /** The agency's name of the area; JTWC has none. */
    name: string | null;
    likelihood: "low" | "medium" | "high";
    /** Hours that likelihood refers to: 24 (JTWC) or 168 (NHC, CPHC). */
    within_hours: number;
    /** Probability within 48 h, %; null where the agency states none (JTWC). */
    percent_48h: number | null;
    /** Probability within 7 days, %; null where the agency states none (JTWC). */
    percent_7d: number | null;
    /** Where the disturbance is now; null where none is stated. */
    place: {
      /** -90..90. */
      lat: number;
      /** -180..180. */
      lon: number;
    } | null;
    /** Where a tropical cyclone may form: closed, counter-clockwise; null where none is published. */
    polygon: {
      /** -90..90. */
      lat: number;
      /** -180..180. */
      lon: number;
    }[] | null;
    /** Issue of the outlook that place and polygon are from, where it is an older one. */
    drawn_at?: number;
    winds_kt: {
      /** 0..250. */
      min: number;
      /** 0..250. */
      max: number;
    } | null;
    mslp_hpa: number | null;
    /** At most 4000 characters. */
    text: string;
  }[];
  /** Storms that the same text summarises; their entries are in GET /storms. */
  systems: {
    kind: "tropical_cyclone" | "subtropical_system";
    designation: string | null;
    name: string | null;
    place: {
      /** -90..90. */
      lat: number;
      /** -180..180. */
      lon: number;
    } | null;
    /** At most 4000 characters. */
    text: string;
  }[];
}

export interface StormEncounter {
  provider: "jtwc" | "jma";
  id: string;
  name: string | null;
  wind_average_minutes: number;
  /** Base time of the forecast that all of this is worked out from. */
  issued_at: number;
  /** That forecast is 12 h old or older: two newer ones are missing. */
  is_stale: boolean;
  /** The voyage and the forecast have the time from here. */
  from: number;
  /** To here in common. */
  until: number;
  /** From the vessel, where it is now or begins or ends, to the storm's centre now. */
  now: {
    distance_km: number;
    bearing_deg: number;
  } | null;
  /** Where the centre is nearest. */
  closest: {
    /** Unix time, seconds, UTC. */
    time: number;
    /** From the vessel to the storm's centre, km. */
    distance_km: number;
    /** From the vessel to the storm's centre, true. */
    bearing_deg: number;
    /** Reach of 34 kt (jma: 30 kt) towards the vessel, km. */
    gale_km: number;
    /** The reach is not given but typical of such a storm. */
    gale_estimated: boolean;
    /** Radius of the cone at the time, km. */
    cone_km: number | null;
    /** Distance less gale_km and cone_km, km; negative inside. */
    clearance_km: number;
    /** Dangerous is right of the storm's motion in the north, left in the south; null for one that stays. */
    semicircle: "dangerous" | "navigable" | null;
  };
  /** Where least remains to gales and cone. */
  least_clearance: {
    /** Unix time, seconds, UTC. */
    time: number;
    /** From the vessel to the storm's centre, km. */
    distance_km: number;
    /** From the vessel to the storm's centre, true. */
    bearing_deg: number;
    /** Reach of 34 kt (jma: 30 kt) towards the vessel, km. */
    gale_km: number;
    /** The reach is not given but typical of such a storm. */
    gale_estimated: boolean;
    /** Radius of the cone at the time, km. */
    cone_km: number | null;
    /** Distance less gale_km and cone_km, km; negative inside. */
    clearance_km: number;
    /** Dangerous is right of the storm's motion in the north, left in the south; null for one that stays. */
    semicircle: "dangerous" | "navigable" | null;
  };
  arrivals: {
    threshold_kt: number;
    /** Possible: only if the storm strays by the radius of its cone; not forecast: it might come when no radii are told. */
    outlook: "expected" | "possible" | "not expected" | "not forecast";
    /** The storm nearer by the radius of its cone. */
    earliest: number | null;
    /** The storm on its forecast track. */
    likely: number | null;
    /** The storm further off by the radius of its cone. */
    latest: number | null;
    /** On the forecast track; null where it lasts to told_until. */
    ends: number | null;
    /** The forecast gives radii of this wind until then. */
    told_until: number | null;
  }[];
  /** The way through the danger area; null for an area without an outline, or past its time. */
  danger: {
    method: "classic" | "season";
    /** The voyage and the area have the time from here. */
    from: number;
    /** To here in common; the area ends 72 h after issued_at. */
    until: number;
    /** First within; equal to from if it is so at once, null if it keeps clear. */
    enters: number | null;
    /** First outside again; null if it stays within, or keeps clear. */
    leaves: number | null;
    /** Least distance to the area, km; 0 where it enters. */
    clearance_km: number;
    /** Some reach of gales is not given but typical of such a storm. */
    gale_estimated: boolean;
  } | null;
}

export interface StormOutlooks {
  /** The newest outlook of each basin; a basin without one is unknown. */
  results: StormOutlook[];
}

export interface StormDanger {
  provider: "jtwc" | "jma";
  id: string;
  name: string | null;
  method: "classic" | "season";
  /** Whose reach it is: 34 kt at jtwc, 30 kt at jma. */
  threshold_kt: number;
  /** Base time of the forecast, Unix seconds. */
  issued_at: number;
  /** How it is made, in words. */
  rule: string;
  circles: {
    lat: number;
    lon: number;
    /** Hours after issued_at, to 72. */
    fhr: number;
    /** Unix time, seconds, UTC. */
    time: number;
    /** Wind and error together, km. */
    r_km: number;
    /** Furthest reach of the wind, km. */
    wind_km: number;
    /** Error of the forecast position, km. */
    error_km: number;
    /** The reach is not given but typical of such a storm. */
    wind_estimated: boolean;
  }[];
  /** What the circles sweep: closed, counter-clockwise. */
  polygon: {
    lat: number;
    lon: number;
  }[] | null;
  notice: string;
}

export interface StormApproachRequest {
  /** Whose storms. */
  provider: "jtwc" | "jma";
  /** A vessel on a constant course; either this or route. */
  vessel?: {
    /** Degrees north; -90..90. */
    latitude: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    longitude: number;
    /** When the vessel is there; now where it is left out. */
    timestamp?: string;
    /** True course, TO; kept along a rhumb line; 0..360. */
    course_deg: number;
    /** Speed over ground, kt; 0 for a place; 0..100. */
    speed_kt: number;
  };
  /** Waypoints ascending in time, joined by rhumb lines; either this or vessel; at most 500. */
  route?: {
    /** Degrees north; -90..90. */
    latitude: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    longitude: number;
    /** When the vessel passes it. */
    timestamp: string;
  }[];
  /** Approaches before are left out, as of a vessel whose position is hours old; the beginning of the voyage where it is left out. */
  from?: string;
  /** Of the danger area; default "classic". */
  method?: "classic" | "season";
}

export interface StormApproach {
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
  notice: string;
}
