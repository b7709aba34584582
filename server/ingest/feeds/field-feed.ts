import type { GribSelector, Source } from "#server/ingest/sources/source.ts";

/** How much of a feed is fetched. */
export type Profile = "lite" | "standard" | "full";

/** A host that has the objects of a feed. Mirrors are tried in order. */
export interface Mirror {
  /** For people: "AWS". */
  name: string;
  /**
   * What precedes an object's name, without a slash at the end: "https://noaa-gfs-bdp-pds.s3.amazonaws.com"; for a source
   * of the operator's own also the path of a folder.
   */
  base: string;
  /** Sent with requests to this mirror only, also where others lie on its host: an authorization. Never logged. */
  headers?: Readonly<Record<string, string>>;
  /** Asked only for cycles at most so old, seconds: NOMADS keeps two days. */
  youngerThan?: number;
  /** Base time of the first cycle that it has, Unix seconds; it is not asked for older ones. */
  since?: number;
  /** Requests a minute at most; a default for all hosts if absent. */
  requestsPerMinute?: number;
  /** Has whole files where the feed's other mirrors have stores. */
  form?: "files";
  /** Statuses that mean "too many requests" here, besides 429 and 503. */
  throttledBy?: readonly number[];
}

/** A message wanted of an object, by the line of its index. */
export interface WantedMessage {
  /** Words of a wgrib2 index: "UGRD", "10 m above ground"; or of an ECMWF index: "10u", "sfc". */
  element: string;
  /** Other names of the element that are in use; the first that the index has is taken. */
  alternatives?: readonly string[];
  level: string;
  /** Kind of window. An average or accumulation is found by its end, which is the step's lead. */
  time: "instant" | "average" | "accumulation" | "maximum";
  /** A step without it is still whole: rain at hour 0. */
  optional?: boolean;
  /** What a field can be made of where the index lacks the message, best first: all messages of one row. */
  instead?: readonly (readonly WantedMessage[])[];
  /** One of which the message must have: an index may be of another publication whose messages have the same lengths. */
  selectors?: readonly GribSelector[];
}

/** Where the data of one part lie. */
export type PartObjects =
  | {
      /** Ranges of a GRIB2 object, found by its index. */
      kind: "messages";
      object: string;
      index: { object: string; form: "wgrib2" | "ecmwf" };
      wanted: readonly WantedMessage[];
    }
  /** A whole object; of several names the first that exists. */
  | { kind: "file"; objects: readonly string[] }
  /** Whole objects, all of them: files of one variable each. They may be packed by gzip or bzip2. */
  | { kind: "all"; objects: readonly string[] }
  /** Chunks of a Zarr v2 store: those of the arrays at the part's times. */
  | {
      kind: "zarr";
      store: string;
      arrays: readonly string[];
      /** Arrays in place of those that the store lacks, best first. */
      instead?: Readonly<Record<string, readonly string[]>>;
      /** A chunk that was written before is of the run before, Unix seconds: before a run can be there, and after the last. */
      writtenFrom: number;
    };

/** What is fetched in one piece: one step of GFS, one day of hourly currents. */
export interface Part {
  /** Base time of the cycle, Unix seconds. */
  cycle: number;
  /** Position in the cycle's list of parts. */
  index: number;
  /** Valid times, Unix seconds, ascending. */
  times: readonly number[];
}

/** A published feed of fields: where its objects lie, when they come, and what is wanted of them. */
export interface FieldFeed {
  /** Name in FEEDS; the source's name where one source has one feed. */
  name: string;
  /** For people: "NOAA GFS 0.25°, wind, gust, rain …". */
  title: string;
  /** What the title ends with where it differs between profiles: "1/12°". */
  resolution?: Readonly<Record<Profile, string>>;
  /** Of a file in DATA_DIR/sources: part of every profile. */
  isOwn?: true;
  /** Nodes of the grid of a step; those of 0.25° over the globe where absent. */
  nodes?: Readonly<Record<Profile, number>>;
  /** The line that the licence asks for. */
  credit: string;
  /** Fields and conversions. */
  source: Source;
  /** Cycles have base times `offset + n × every`, seconds. */
  cycles: { every: number; offset: number };
  /** How long after its base time a cycle's first and last part are expected, seconds. */
  delay: { first: number; whole: number };
  mirrors: readonly Mirror[];
  /** Parts of a cycle in the order in which they appear, from the base time on. */
  parts(cycle: number, profile: Profile): Part[];
  /**
   * Where a mirror has a part, with all fields of the profile. Names and form may differ between mirrors: currents are
   * daily files on one and a Zarr store on another.
   *
   * @returns undefined if this mirror is not used for this profile.
   */
  objects(part: Part, profile: Profile, mirror: Mirror): PartObjects | undefined;
  /** Bytes that one part costs, about; printed before anything is fetched. */
  partBytes(profile: Profile): number;
}
