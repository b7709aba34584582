// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface Storm {
  schema_version: string;
  /** When this entry was made, Unix seconds. */
  generated_at: number;
  provider: "jtwc" | "jma";
  /** Basin, number and season year. */
  id: string;
  name: string | null;
  /** Season year; a southern season is named by its second year. */
  year: number;
  basin: string;
  /** False once the provider has stopped tracking it. */
  is_active: boolean;
  /** An area of interest that is no depression yet. */
  is_invest: boolean;
  /** When the newest text on this storm was issued. */
  bulletin_at?: number;
  /** Host that gave that text, of a feed that is fetched. */
  mirror?: string;
  /** Active, but without a text for 12 h (invests 18 h): its feed stands still or has lost it. */
  is_overdue?: boolean;
  /** Other ids under which it was or is known: earlier numbers, another centre's, its invest's. */
  aliases?: string[];
  units: {
    vmax_kt: string;
    mslp_hpa: string;
    speed_kmh: string;
    heading_deg: string;
    wind_radii_km: string;
    cone_radius_km: string;
    /** Present if a point has it. */
    sea_radii_km?: string;
  };
  track_bbox: {
    /** Degrees north; -90..90. */
    s: number;
    /** Degrees north; -90..90. */
    n: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    w: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    e: number;
  };
  /** Present only while a forecast exists. */
  cone?: StormCone;
  tracks: {
    observed: TrackPoint[];
    /** Absent once the storm is no longer active. */
    forecast?: StormForecast;
  };
  /** Of an invest: how likely it becomes a tropical cyclone; absent where no outlook names it. */
  development?: StormDevelopment;
  /** Of an invest: present while an alert is in force. */
  formation_alert?: FormationAlert;
}

/** Present only while a forecast exists. */
export interface StormCone {
  /** Basin the cone was computed for. */
  basin: string;
  source: "nhc" | "borrowed_nhc" | "jma";
  /** Whose table is borrowed; null unless source is borrowed_nhc. */
  source_basin: string | null;
  /** Season of the radii table; null for jma. */
  year: number | null;
  /** Forecast hour → radius, km; null for jma. */
  radii_table_km: Record<string, number> | null;
  /** One per forecast hour that has a radius. */
  circles: {
    fhr: number;
    /** Degrees north; -90..90. */
    lat: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    lon: number;
    /** Km. */
    r_km: number;
  }[];
  /** The forecast track, simplified. */
  center_line: {
    /** Degrees north; -90..90. */
    lat: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    lon: number;
  }[];
  /** Closed, counter-clockwise; null for jma. */
  envelope_polygon: {
    /** Degrees north; -90..90. */
    lat: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    lon: number;
  }[] | null;
}

export interface TrackPoint {
  /** Unix time, seconds, UTC. */
  time: number;
  /** Degrees north; -90..90. */
  lat: number;
  /** Degrees east, in the −180..180 convention; -180..180. */
  lon: number;
  /** Maximum sustained wind, kt: a 1-minute mean of jtwc, a 10-minute mean of jma. */
  vmax_kt: number | null;
  /** Lowest sea-level pressure, hPa. */
  mslp_hpa: number | null;
  type: "DB" | "TD" | "TS" | "HU" | "PT" | "LO" | null;
  /** 1 to 5 for storms of 64 kt and more, else 0. */
  category: number | null;
  /** True bearing of motion, TO. */
  heading_deg: number | null;
  /** Forward speed, km/h. */
  speed_kmh: number | null;
  /** Reach of a wind by threshold and quadrant, km. */
  wind_radii_km: {
    "34kn": {
      ne: number | null;
      se: number | null;
      sw: number | null;
      nw: number | null;
    } | null;
    "50kn": {
      ne: number | null;
      se: number | null;
      sw: number | null;
      nw: number | null;
    } | null;
    "64kn": {
      ne: number | null;
      se: number | null;
      sw: number | null;
      nw: number | null;
    } | null;
  } | {
    "30kn": {
      ne: number | null;
      se: number | null;
      sw: number | null;
      nw: number | null;
    } | null;
    "50kn": {
      ne: number | null;
      se: number | null;
      sw: number | null;
      nw: number | null;
    } | null;
    "64kn": null;
  } | null;
  /** Reach of seas of 12 ft (3.7 m) by quadrant, km; absent where the provider does not give it. */
  sea_radii_km?: {
    "12ft": {
      ne: number | null;
      se: number | null;
      sw: number | null;
      nw: number | null;
    };
  };
  affectance_bbox: {
    /** Degrees north; -90..90. */
    s: number;
    /** Degrees north; -90..90. */
    n: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    w: number;
    /** Degrees east, in the −180..180 convention; -180..180. */
    e: number;
  };
  /** The box is scaled from the wind, not from given radii. */
  affectance_bbox_estimated: boolean;
}

/** Absent once the storm is no longer active. */
export interface StormForecast {
  /** Base time of the forecast: time = issued_at + 3600 · fhr. */
  issued_at: number;
  /** Two newer forecasts are missing: now ≥ stale_at. */
  is_stale?: boolean;
  /** Issued_at + 12 h. */
  stale_at?: number;
  /** Issued_at + 24 h: from then on it is absent, with the cone. */
  withdrawn_at?: number;
  cone_source: "nhc" | "borrowed_nhc" | "jma";
  points: ForecastPoint[];
}

export interface ForecastPoint extends TrackPoint {
  /** Hours after issued_at. */
  fhr: number;
  /** Absent at fhr 0. */
  cone_radius_km?: number | null;
}

/** Of an invest: how likely it becomes a tropical cyclone; absent where no outlook names it. */
export interface StormDevelopment {
  likelihood: "low" | "medium" | "high";
  /** Hours that likelihood refers to: 24 (JTWC) or 168 (NHC, CPHC). */
  within_hours: number;
  /** Probability within 48 h, %; null where the agency states none (JTWC). */
  percent_48h: number | null;
  /** Probability within 7 days, %; null where the agency states none (JTWC). */
  percent_7d: number | null;
  /** When it was issued. */
  issued_at: number;
}

/** Of an invest: present while an alert is in force. */
export interface FormationAlert {
  /** Unix time, seconds, UTC. */
  issued_at: number;
  /** When it is reissued, upgraded to a warning or cancelled at the latest. */
  valid_until: number;
  /** Heading of the text. */
  bulletin: string;
  /** Of development within 24 h; null where the text states none. */
  likelihood: "low" | "medium" | "high" | null;
  /** Axis of the corridor; one place where the area is a circle. */
  line: {
    /** -90..90. */
    lat: number;
    /** -180..180. */
    lon: number;
  }[];
  /** Distance of the edge from the line, km. */
  half_width_km: number;
  /** All places within half_width_km of the line: closed, counter-clockwise. */
  corridor: {
    /** -90..90. */
    lat: number;
    /** -180..180. */
    lon: number;
  }[];
  winds_kt: {
    /** 0..250. */
    min: number;
    /** 0..250. */
    max: number;
  } | null;
  mslp_hpa: number | null;
  /** True bearing of motion, TO; one of 16 points. */
  heading_deg: number | null;
  speed_kmh: number | null;
  /** What the agency wrote; at most 4000 characters. */
  text: string;
}

export interface StormsResponse {
  results: Storm[];
}

export interface StormHistory {
  results: {
    /** When the bulletin was issued. */
    issued_at: number;
    entry: Storm;
  }[];
  /** Of an invest that has become a storm: the id under which that is published. */
  continued_as?: string;
}
