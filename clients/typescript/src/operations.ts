import type {
  Feeds,
  FileEstimate,
  FileRequest,
  OptimiseRequest,
  PassageMediaType,
  PassageRequest,
  PassageResponse,
  Storm,
  StormApproach,
  StormApproachRequest,
  StormDanger,
  StormHistory,
  StormOutlooks,
  StormsResponse,
  StreamPrediction,
  TidePrediction,
  TideStations,
  TidesNow,
  WorkabilityRequest,
  WorkabilityResponse,
} from "./contract.ts";
import {
  type CallOptions,
  checkedFile,
  jsonOf,
  posted,
  type ReadOptions,
  read,
  readFile,
  type Service,
  withQuery,
} from "./request.ts";

export interface StormsQuery {
  /** Provider of the storms; each has its own set, and they are never merged. */
  provider: Storm["provider"];
  /** false leaves out areas of interest that are not storms yet; default true. */
  include_invests?: boolean;
}

export interface DangerQuery extends Pick<StormsQuery, "provider"> {
  /** How the forecast error grows: 100 n mi a day, or with the cone of the season; default classic. */
  method?: "classic" | "season";
}

/** The part of GeoJSON (RFC 7946) that this package uses. */
export interface FeatureCollection {
  type: "FeatureCollection";
  features: { type: "Feature"; geometry: unknown; properties: Record<string, unknown> | null }[];
}

const GEOJSON = "application/geo+json";

/** Operations on tropical storms. */
export const stormOperations = (service: Service) => {
  const geojson = async (path: string, options?: ReadOptions) =>
    (await jsonOf(await readFile(service, path, GEOJSON, options))) as FeatureCollection;
  return {
    /** All storms of a provider, ordered by id: `GET /storms`. */
    list: (query: StormsQuery, options?: ReadOptions) =>
      read<StormsResponse>(service, withQuery("/storms", query), options),

    /** Tracks, points, cones and danger areas of the storms as GeoJSON. */
    geojson: (query: StormsQuery, options?: ReadOptions) => geojson(withQuery("/storms", query), options),

    /** Areas where storms may develop: `GET /storms/outlooks`. */
    outlooks: (query: Pick<StormsQuery, "provider">, options?: ReadOptions) =>
      read<StormOutlooks>(service, withQuery("/storms/outlooks", query), options),

    /** The areas of the outlooks as GeoJSON. */
    outlooksGeojson: (query: Pick<StormsQuery, "provider">, options?: ReadOptions) =>
      geojson(withQuery("/storms/outlooks", query), options),

    /** How near storms come to a vessel: `POST /storms/approach`. */
    approach: (body: StormApproachRequest, options?: CallOptions) =>
      read<StormApproach>(service, "/storms/approach", posted(body, options)),

    /**
     * The area to avoid up to +72 h: `GET /storms/{id}/danger`. @throws NotFoundError for a storm without a
     * forecast
     */
    danger: (id: string, query: DangerQuery, options?: ReadOptions) =>
      read<StormDanger>(service, withQuery(`/storms/${encodeURIComponent(id)}/danger`, query), options),

    /** Entries published with the newest bulletins of a storm: `GET /storms/{id}/history`. */
    history: (id: string, query: Pick<StormsQuery, "provider">, options?: ReadOptions) =>
      read<StormHistory>(service, withQuery(`/storms/${encodeURIComponent(id)}/history`, query), options),
  };
};

export interface TideStationsQuery {
  kind?: "tide" | "stream";
  /** Part of a name, a region or a country. */
  search?: string;
  /** Degrees; stations near this place by water come first. */
  lat?: number;
  lon?: number;
  /** Distance up to which ways by water from there are searched, km; default 100. */
  within_km?: number;
  /** `west,south,east,north` in degrees. */
  bbox?: string;
  /** At most 1,000; default 100. */
  limit?: number;
  offset?: number;
}

export interface TideQuery {
  /** UTC times, or days of the station, `YYYY-MM-DD`; if absent, two days from now. */
  from?: string;
  to?: string;
  /** Minutes between the values of the curve; without it there is no curve. */
  step?: number;
  /** Datum of the heights; default the chart datum of the station. */
  datum?: string;
  /** Least coefficient of the next great tide, for stations in France; default 100. */
  coefficient?: number;
  /** Differences of a secondary port from the station: minutes later, and metres higher. */
  high_minutes?: number;
  low_minutes?: number;
  high_m?: number;
  low_m?: number;
}

/** Operations on tides and tidal streams at stations. */
export const tideOperations = (service: Service) => ({
  /** Stations by name, around a place or in a box: `GET /tides/stations`. */
  stations: (query: TideStationsQuery, options?: ReadOptions) =>
    read<TideStations>(service, withQuery("/tides/stations", query), options),

  /** The prediction of a station: `GET /tides/{id}`. */
  get: (id: string, query: TideQuery = {}, options?: ReadOptions) =>
    read<TidePrediction | StreamPrediction>(
      service,
      withQuery(`/tides/${encodeURIComponent(id)}`, query),
      options,
    ),

  /**
   * The prediction of the station nearest by water, with its distance: `GET /tides`. @throws NotFoundError if
   * none is near enough
   */
  nearest: (
    query: TideQuery & { lat: number; lon: number; kind?: "tide" | "stream"; within_km?: number },
    options?: ReadOptions,
  ) => read<TidePrediction | StreamPrediction>(service, withQuery("/tides", query), options),

  /** Heights and streams in a box at one instant, as columns: `GET /tides/now`. */
  now: (query: { bbox: string; kind?: "tide" | "stream"; at?: string }, options?: ReadOptions) =>
    read<TidesNow>(service, withQuery("/tides/now", query), options),
});

/** A passage small enough for a direct answer; larger ones must be tasks. */
export type EvaluateNow = Omit<PassageRequest, "async">;
export type OptimiseNow = Omit<OptimiseRequest, "async">;

/** Operations on passages: what a vessel meets on its way. */
export const passageOperations = (service: Service) => ({
  /** The plan of each departure, with its weather and a verdict: `POST /passages/evaluate`. */
  evaluate: (body: EvaluateNow, options?: CallOptions) =>
    read<PassageResponse>(service, "/passages/evaluate", posted(body, options)),

  /** The given route and a better one: `POST /passages/optimise`. */
  optimise: (body: OptimiseNow, options?: CallOptions) =>
    read<PassageResponse>(service, "/passages/optimise", posted(body, options)),

  /** Returns the answer of `evaluate` as a file. */
  evaluateFile: (body: EvaluateNow, type: PassageMediaType, options?: CallOptions): Promise<Response> =>
    readFile(service, "/passages/evaluate", type, posted(body, options)),

  /** Returns the answer of `optimise` as a file. */
  optimiseFile: (body: OptimiseNow, type: PassageMediaType, options?: CallOptions): Promise<Response> =>
    readFile(service, "/passages/optimise", type, posted(body, options)),
});

/** A series small enough for a direct answer; a longer one must be a task. */
export type WorkabilityNow = Omit<WorkabilityRequest, "async">;

/** How much of a time is within limits, by month, with its weather windows. */
export const workabilityOperations = (service: Service) => ({
  /** Statistics at a point or in a box: `POST /workability`. */
  get: (body: WorkabilityNow, options?: CallOptions) =>
    read<WorkabilityResponse>(service, "/workability", posted(body, options)),

  /** Returns the answer of `get` as CSV. */
  csv: (body: WorkabilityNow, options?: CallOptions): Promise<Response> =>
    readFile(service, "/workability", types.csv, posted(body, options)),
});

/** A file small enough for a direct answer; a larger one must be a task. */
export type FileNow = Omit<FileRequest, "async" | "estimate">;

const types = {
  grib2: "application/x-grib2",
  netcdf: "application/x-netcdf",
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json",
};

/** Files of boxes, routes and storms, for navigation programs and analysis: `POST /files`. */
export const fileOperations = (service: Service) => ({
  /** The file, in the format that the body names. */
  get: async (body: FileNow, options?: CallOptions): Promise<Response> =>
    checkedFile(service, await service.send("/files", posted(body, options)), types[body.format ?? "grib2"]),

  /** The size that a file will have. */
  estimate: (body: FileNow, options?: CallOptions) =>
    read<FileEstimate>(service, "/files", posted({ ...body, estimate: true }, options)),
});

type Json = Record<string, unknown>;

/** Operations about the service itself. */
export const statusOperations = (service: Service) => ({
  /** State of every feed: `GET /feeds`. */
  feeds: (options?: ReadOptions) => read<Feeds>(service, "/feeds", options),

  /** Every limit in force. */
  limits: (options?: ReadOptions) => read<Json>(service, "/limits", options),

  /** The OpenAPI document. */
  openapi: (options?: ReadOptions) => read<Json>(service, "/openapi.json", options),

  /** Whether the process responds. */
  health: (options?: ReadOptions) => read<Json>(service, "/healthz", options),

  /** Whether everything that the service needs responds. @throws UnavailableError, which names what fails */
  readiness: (options?: ReadOptions) => read<Json>(service, "/readyz", options),
});
