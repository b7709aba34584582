import type {
  StormApproach,
  StormApproachRequest,
  StormDanger,
  StormOutlooks,
} from "./contract/storm-reports.ts";
import type { Storm, StormHistory, StormsResponse } from "./contract/storms.ts";
import { jsonOf } from "./reply-body.ts";
import { type CallOptions, posted, read, readFile, type Service, withQuery } from "./request.ts";

export interface StormsQuery {
  /** Who tracks the storms; each has its own set, never merged. */
  provider: Storm["provider"];
  /** False leaves out areas of interest that are no storms yet; default true. */
  include_invests?: boolean;
}

export interface DangerQuery extends Pick<StormsQuery, "provider"> {
  /** How the error of the forecast grows: 100 n mi a day, or the cone of the season; default classic. */
  method?: "classic" | "season";
}

/** GeoJSON (RFC 7946), as far as it is read here. */
export interface FeatureCollection {
  type: "FeatureCollection";
  features: { type: "Feature"; geometry: unknown; properties: Record<string, unknown> | null }[];
}

type Read = Pick<CallOptions, "signal">;

const GEOJSON = "application/geo+json";

/** Tropical storms. */
export const stormOperations = (service: Service) => {
  const geojson = async (path: string, options?: Read) =>
    (await jsonOf(await readFile(service, path, GEOJSON, options))) as FeatureCollection;
  return {
    /** All storms of a provider, ordered by id: `GET /storms`. */
    list: (query: StormsQuery, options?: Read) =>
      read<StormsResponse>(service, withQuery("/storms", query), options),

    /** Their tracks, points, cones and danger areas as GeoJSON. */
    geojson: (query: StormsQuery, options?: Read) => geojson(withQuery("/storms", query), options),

    /** Where storms may develop: `GET /storms/outlooks`. */
    outlooks: (query: Pick<StormsQuery, "provider">, options?: Read) =>
      read<StormOutlooks>(service, withQuery("/storms/outlooks", query), options),

    /** The areas of the outlooks as GeoJSON. */
    outlooksGeojson: (query: Pick<StormsQuery, "provider">, options?: Read) =>
      geojson(withQuery("/storms/outlooks", query), options),

    /** How near storms come to a vessel: `POST /storms/approach`. */
    approach: (body: StormApproachRequest, options?: CallOptions) =>
      read<StormApproach>(service, "/storms/approach", posted(body, options)),

    /** The area to avoid, to +72 h: `GET /storms/{id}/danger`. @throws NotFoundError for a storm without a forecast */
    danger: (id: string, query: DangerQuery, options?: Read) =>
      read<StormDanger>(service, withQuery(`/storms/${encodeURIComponent(id)}/danger`, query), options),

    /** What was published with its newest bulletins: `GET /storms/{id}/history`. */
    history: (id: string, query: Pick<StormsQuery, "provider">, options?: Read) =>
      read<StormHistory>(service, withQuery(`/storms/${encodeURIComponent(id)}/history`, query), options),
  };
};
