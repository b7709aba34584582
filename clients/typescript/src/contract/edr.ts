// Generated from the contract by scripts/client-types.ts. Do not edit.

export interface EdrLink {
  href: string;
  rel: string;
  type?: string;
  title?: string;
}

export interface EdrTrajectoryRequest {
  /** As in the query. */
  coords: string;
  /** An instant, a day such as 2026-01-01, or a range whose open ends are .. such as 2026-01-01T00:00:00Z/..; all times of the collection where absent; at most 16384 characters. */
  datetime?: string;
  /** Parameters of the collection with commas between them; all where absent; at most 16384 characters. */
  "parameter-name"?: string;
  /** Height of the wind, metres above the surface, 10 to 100; 10 where absent; at most 16384 characters. */
  z?: string;
  /** CRS84 where absent: longitude before latitude; EPSG:4326 has the latitude first, in coords and bbox; at most 16384 characters. */
  crs?: string;
  /** The format, in place of the header Accept: one of output_formats; json is CoverageJSON; at most 16384 characters. */
  f?: string;
}

export interface EdrLanding {
  title: string;
  description: string;
  links: EdrLink[];
}

export interface EdrConformance {
  conformsTo: string[];
}

export interface EdrCollections {
  links: EdrLink[];
  collections: EdrCollection[];
}

export interface EdrCollection {
  id: string;
  title: string;
  description: string;
  itemType?: "feature";
  layerDataType?: "Coverage";
  links: EdrLink[];
  extent: {
    spatial: {
      bbox: number[][];
      crs: string;
    };
    temporal?: {
      interval: (string | null)[][];
      values?: string[];
      trs: string;
    };
    vertical?: {
      interval: string[][];
      values: string[];
      vrs: string;
    };
  };
  data_queries: Record<string, {
    link: {
    };
  }>;
  crs: string[];
  output_formats: string[];
  parameter_names: Record<string, {
    id: string;
  }>;
}

export interface EdrInstances {
  links: EdrLink[];
  instances: EdrCollection[];
}

export interface EdrError {
  code: string;
  description: string;
}
