import type { Grid } from "@open-metocean/geo/grid";
import { z } from "zod";
import type { Field } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { formatInstant } from "#lib/time.ts";
import type { chunkCodecNames } from "./blosc.ts";
import type { Shape } from "./layout.ts";
import type { Run } from "./run.ts";

/** Name of the one shard of an array: its first chunk under the `.` separator. */
export const shardKey = ({ members }: Pick<ArrayLayout, "members">): string =>
  members ? "c.0.0.0.0" : "c.0.0.0";

/** Folder of the points layout below that of a run. */
export const pointsGroup = "points";
export const mapsGroup = (stride: number) => `maps/${stride}`;

const bytesCodec = { name: "bytes", configuration: { endian: "little" } };
const crcCodec = { name: "crc32c" };
const separator = (character: "." | "/") => ({
  name: "default",
  configuration: { separator: character },
});

/** How one array of a field is stored. */
export interface ArrayLayout {
  shape: Shape;
  /** Shape of a chunk inside the shard. */
  chunk: Shape;
  /** The members of an array (time, realization, latitude, longitude); each chunk has all of them. */
  members?: MemberAxis | undefined;
  codec: ChunkCodec;
}

/** The axis of the members of an ensemble. */
export interface MemberAxis {
  count: number;
  /** Members that a chunk has place for. */
  places: number;
}

/**
 * How the chunks of an array are stored. All are standard codecs of Zarr v3.
 *
 * - plain: int16, little-endian. The demo world.
 * - planes: bit planes compressed with LZ4; decoded as fast as plain ones are read. The archive.
 */
export type ChunkCodec = (typeof chunkCodecNames)[number];

const blosc = {
  name: "blosc",
  configuration: { typesize: 2, cname: "lz4", clevel: 5, shuffle: "bitshuffle", blocksize: 0 },
};

const chunkCodecs: Record<ChunkCodec, { name: string; configuration?: object }[]> = {
  plain: [bytesCodec, crcCodec],
  planes: [bytesCodec, blosc, crcCodec],
};

/** zarr.json of a field: one shard, its index at the end, every chunk and the index with a crc32c. */
export function fieldMetadata(field: Field, layout: ArrayLayout, comment?: string) {
  const { codec, members } = layout;
  const shape = withMembers(layout.shape, members?.count);
  const chunk = withMembers(layout.chunk, members?.places);
  return {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "int16",
    chunk_grid: {
      name: "regular",
      configuration: {
        chunk_shape: shape.map((size, axis) => Math.ceil(size / chunk[axis]!) * chunk[axis]!),
      },
    },
    chunk_key_encoding: separator("."),
    fill_value: FILL,
    codecs: [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: chunk,
          codecs: chunkCodecs[codec],
          index_codecs: [bytesCodec, crcCodec],
          index_location: "end",
        },
      },
    ],
    dimension_names: ["time", ...(members ? ["realization"] : []), "latitude", "longitude"],
    attributes: {
      ...(field.standardName !== "" && { standard_name: field.standardName }),
      long_name: field.longName,
      units: field.unit,
      ...(field.cellMethods !== undefined && { cell_methods: field.cellMethods }),
      scale_factor: field.scale,
      add_offset: field.offset,
      _FillValue: FILL,
      ...(comment === undefined ? {} : { comment }),
    },
    storage_transformers: [],
  };
}

/** A shape with the axis of members after that of time. */
const withMembers = ([times, rows, columns]: Shape, members: number | undefined): number[] =>
  members === undefined ? [times, rows, columns] : [times, members, rows, columns];

/** A coordinate array and its bytes. */
export interface Coordinate {
  name: string;
  metadata: ReturnType<typeof coordinateMetadata>;
  values: Uint8Array;
}

/**
 * Time, latitude and longitude of a group, with CF attributes.
 *
 * @param members CF realization numbers, for a group with members.
 */
export function coordinateArrays(
  times: readonly number[],
  latitude: Float64Array,
  longitude: Float64Array,
  members?: readonly number[],
) {
  const instants = BigInt64Array.from(times, BigInt);
  return [
    coordinate("time", "int64", instants, {
      standard_name: "time",
      units: "seconds since 1970-01-01",
      calendar: "proleptic_gregorian",
      axis: "T",
    }),
    coordinate("latitude", "float64", latitude, {
      standard_name: "latitude",
      units: "degrees_north",
      axis: "Y",
    }),
    coordinate("longitude", "float64", longitude, {
      standard_name: "longitude",
      units: "degrees_east",
      axis: "X",
    }),
    ...(members
      ? [
          coordinate("realization", "int64", BigInt64Array.from(members, BigInt), {
            standard_name: "realization",
            units: "1",
          }),
        ]
      : []),
  ];
}

function coordinate(
  name: string,
  type: "int64" | "float64",
  values: BigInt64Array | Float64Array,
  attributes: Record<string, string>,
): Coordinate {
  return {
    name,
    metadata: coordinateMetadata(name, type, values.length, attributes),
    values: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  };
}

function coordinateMetadata(name: string, type: string, count: number, attributes: Record<string, string>) {
  return {
    zarr_format: 3,
    node_type: "array",
    shape: [count],
    data_type: type,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [count] } },
    chunk_key_encoding: separator("/"),
    fill_value: 0,
    codecs: [bytesCodec],
    dimension_names: [name],
    attributes,
    storage_transformers: [],
  };
}

/** zarr.json of a group, with the metadata of all its arrays inside, so that one read opens it. */
export function groupMetadata(run: RunOrigin, arrays: Record<string, object>) {
  return {
    zarr_format: 3,
    node_type: "group",
    attributes: {
      Conventions: "CF-1.11",
      title: `${run.model}, ${run.dataset}`,
      source: run.source,
      model: run.model,
      ...(run.dataset === "Static" ? {} : { forecast_reference_time: formatInstant(run.referenceTime) }),
    },
    consolidated_metadata: { kind: "inline", must_understand: false, metadata: arrays },
  };
}

/** Origin of a run, as its groups describe it. */
export type RunOrigin = Pick<Run, "dataset" | "source" | "model" | "referenceTime"> & { grid: Grid };

const size = z.int().positive();
const shapeSchema = z.union([z.tuple([size, size, size]), z.tuple([size, size, size, size])]);

const codecSchema = z.object({
  name: z.string(),
  configuration: z.object({ cname: z.string().optional(), shuffle: z.string().optional() }).optional(),
});

/** Describes codecs by their names and by the options that distinguish two forms of blosc. */
const describeCodecs = (codecs: z.infer<typeof codecSchema>[]) =>
  codecs
    .map(({ name, configuration }) =>
      name === "blosc" ? `blosc ${configuration?.cname} ${configuration?.shuffle}` : name,
    )
    .join(", ");

const knownCodecs = new Map(
  (Object.keys(chunkCodecs) as ChunkCodec[]).map((codec) => [describeCodecs(chunkCodecs[codec]), codec]),
);

type StoredShape = z.infer<typeof shapeSchema>;
const membersOf = (shape: StoredShape) => (shape.length === 4 ? shape[1] : undefined);
const withoutMembers = (shape: StoredShape): Shape =>
  shape.length === 4 ? [shape[0], shape[2], shape[3]] : shape;

const arraySchema = z
  .object({
    shape: shapeSchema,
    data_type: z.literal("int16"),
    fill_value: z.literal(FILL),
    codecs: z.tuple([
      z.object({
        name: z.literal("sharding_indexed"),
        configuration: z.object({
          chunk_shape: shapeSchema,
          codecs: z.array(codecSchema),
          index_location: z.literal("end"),
        }),
      }),
    ]),
    attributes: z.object({ scale_factor: z.number(), add_offset: z.number() }),
  })
  .transform(({ shape, codecs: [{ configuration }], attributes }, context) => {
    const described = describeCodecs(configuration.codecs);
    const codec = knownCodecs.get(described);
    if (!codec) {
      context.addIssue({ code: "custom", message: `codecs ${described}` });
      return z.NEVER;
    }
    const [count, places] = [membersOf(shape), membersOf(configuration.chunk_shape)];
    const isWhole = count === undefined ? places === undefined : places !== undefined && count <= places;
    if (!isWhole) {
      context.addIssue({ code: "custom", message: `${count} members in chunks of ${places}` });
      return z.NEVER;
    }
    return {
      shape: withoutMembers(shape),
      chunk: withoutMembers(configuration.chunk_shape),
      ...(count !== undefined && { members: { count, places: places! } }),
      codec,
      scale: attributes.scale_factor,
      offset: attributes.add_offset,
    };
  });

/** The parts of a field's zarr.json that a reader needs. */
export type StoredArray = z.infer<typeof arraySchema>;

/** Parses the zarr.json of a field. Throws if it is not an array as this project writes it. */
export function parseFieldMetadata(bytes: Uint8Array): StoredArray {
  return arraySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
}
