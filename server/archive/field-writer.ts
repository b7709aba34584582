import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { FILL, type Field, type FieldName, fields } from "#lib/catalog/fields.ts";
import { mapFields } from "#lib/catalog/map-fields.ts";
import { type Grid, strided } from "#lib/field/grid.ts";
import { writeSynced } from "#server/platform/files.ts";
import { type ChunkEncoder, chunkEncoder } from "./chunk-encoder.ts";
import { chunkCounts, everyNth, mapChunk, pointChunk, type Shape } from "./layout.ts";
import { type Packing, type PackingCounts, pack } from "./packing.ts";
import { ShardWriter, type WrittenFile } from "./shard-writer.ts";
import {
  type ArrayLayout,
  type ChunkCodec,
  fieldMetadata,
  mapsGroup,
  pointsGroup,
  SHARD_KEY,
} from "./zarr-metadata.ts";

/** Overrides of the form of arrays, for measurements, and for tests of the forms of older versions. */
export interface ArrayForms {
  pointChunk?: Shape;
  points?: ChunkCodec;
  /** Whole steps as arrays too, beside the frames. */
  maps?: ChunkCodec;
  /** Whether fields have maps of which nothing asks for whole steps. */
  mapsOfAll?: boolean;
  /** Packing of fields, where not that of the catalog. */
  packing?: Partial<Record<FieldName, Packing>>;
}

/** Where a field of a staged run is written. */
export interface FieldTarget {
  /** Folder of the staged run. */
  folder: string;
  grid: Grid;
  timeCount: number;
  levels: readonly number[];
  forms?: ArrayForms;
}

/** Result of writing a field. */
export interface WrittenField {
  counts: PackingCounts;
  /** Indices of the steps that had data. */
  steps: number[];
  /** The array's entry in the consolidated metadata, by group. */
  metadata: Map<string, object>;
  /** By path below the run's folder. */
  files: Map<string, WrittenFile>;
}

interface Part {
  group: string;
  stride: number;
  layout: ArrayLayout;
  shard: ShardWriter;
  encoder: ChunkEncoder;
}

/**
 * Writes a field into the points layout, step by step. On failure everything written of it is removed.
 *
 * @param readStep Called once for each step, in order; see `RunWriter.writeField`.
 */
export async function writeFieldTo(
  target: FieldTarget,
  name: FieldName,
  attributes: { steps?: readonly number[]; comment?: string },
  readStep: (timeIndex: number) => Promise<Float32Array | undefined>,
  signal?: AbortSignal,
): Promise<WrittenField> {
  const parts: Part[] = [];
  const field = { ...fields[name], ...target.forms?.packing?.[name] };
  try {
    await openParts(target, name, parts);
    const written = await writeSteps(target, name, field, attributes.steps, parts, readStep, signal);
    const metadata = new Map<string, object>();
    const files = new Map<string, WrittenFile>();
    for (const { group, layout, shard } of parts) {
      files.set(`${group}/${name}`, await shard.finish());
      metadata.set(group, fieldMetadata(field, layout, attributes.comment));
      await writeSynced(join(target.folder, group, name, "zarr.json"), JSON.stringify(metadata.get(group)));
    }
    return { ...written, metadata, files };
  } catch (error) {
    for (const { shard } of parts) await shard.close();
    for (const group of groupsOf(target.levels, target.forms))
      await rm(join(target.folder, group, name), { recursive: true, force: true });
    throw error;
  }
}

/** Whether the steps of a field are stored as arrays too, as older versions did. */
export function hasMaps(forms: ArrayForms | undefined, name: FieldName): boolean {
  return forms?.maps !== undefined && (forms.mapsOfAll === true || mapFields.has(name));
}

/** Groups of a run: one for the points, and in older forms one for each level of the maps. */
export function groupsOf(levels: readonly number[], forms: ArrayForms | undefined): string[] {
  return [pointsGroup, ...(forms?.maps === undefined ? [] : levels.map(mapsGroup))];
}

async function openParts(target: FieldTarget, name: FieldName, parts: Part[]): Promise<void> {
  const { grid, timeCount, forms = {} } = target;
  const native: Shape = [timeCount, grid.latitude.count, grid.longitude.count];
  const chunk = forms.pointChunk ?? pointChunk(native);
  const planned: Omit<Part, "shard" | "encoder">[] = [
    {
      group: pointsGroup,
      stride: 1,
      layout: { shape: native, chunk, codec: forms.points ?? "planes" },
    },
  ];
  for (const stride of hasMaps(forms, name) ? target.levels : []) {
    const shape: Shape = [
      timeCount,
      strided(grid.latitude, stride).count,
      strided(grid.longitude, stride).count,
    ];
    const layout: ArrayLayout = { shape, chunk: mapChunk(shape), codec: forms.maps ?? "bytes" };
    planned.push({ group: mapsGroup(stride), stride, layout });
  }
  for (const plan of planned) {
    const folder = join(target.folder, plan.group, name);
    await mkdir(folder);
    const [times, rows, columns] = chunkCounts(plan.layout.shape, plan.layout.chunk);
    const shard = await ShardWriter.create(join(folder, SHARD_KEY), times * rows * columns);
    parts.push({ ...plan, shard, encoder: chunkEncoder(shard, plan.layout) });
  }
}

async function writeSteps(
  { grid, timeCount }: FieldTarget,
  name: FieldName,
  field: Field,
  wanted: readonly number[] | undefined,
  parts: readonly Part[],
  readStep: (timeIndex: number) => Promise<Float32Array | undefined>,
  signal: AbortSignal | undefined,
): Promise<Pick<WrittenField, "counts" | "steps">> {
  const nodes = grid.latitude.count * grid.longitude.count;
  const counts: PackingCounts = { values: 0, missing: 0, outOfRange: 0 };
  const steps: number[] = [];
  const packed = new Int16Array(nodes);
  for (let time = 0; time < timeCount; time++) {
    signal?.throwIfAborted();
    const values = !wanted || wanted.includes(time) ? await readStep(time) : undefined;
    if (values && values.length !== nodes)
      throw new RangeError(`${name}: a step of ${values.length} values on a grid of ${nodes} nodes`);
    if (values) {
      steps.push(time);
      pack(values, field, packed, counts);
    } else packed.fill(FILL);
    for (const { encoder, stride, layout } of parts)
      await encoder.add(
        stride === 1
          ? packed
          : everyNth(packed, grid.longitude.count, stride, layout.shape[1], layout.shape[2]),
      );
  }
  signal?.throwIfAborted();
  for (const { encoder } of parts) await encoder.end();
  return { counts, steps };
}
