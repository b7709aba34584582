import { type Dataset, type Group, File as HdfFile, ready } from "h5wasm/node";
import {
  type Attributes,
  type AttributeValue,
  cellsOf,
  DamagedFileError,
  type NetcdfFile,
  type NetcdfVariable,
  type RawValues,
} from "./file.ts";

/** Attributes of the HDF5 layer that describe how dimensions are stored, not the data. */
const internalAttributes = new Set([
  "CLASS",
  "NAME",
  "DIMENSION_LIST",
  "REFERENCE_LIST",
  "_Netcdf4Dimid",
  "_Netcdf4Coordinates",
  "_nc3_strict",
]);
const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;
const MAX_ATTRIBUTE_BYTES = 1 << 20;
const MAX_VARIABLES = 10_000;
/** Largest chunk, bytes. HDF5 unpacks whole chunks, and a hostile file may claim any size. */
const MAX_CHUNK_BYTES = 1 << 29;

/**
 * Opens a NetCDF-4 (HDF5) file with the variables of its root group.
 *
 * Any failure inside HDF5 may corrupt its state, so the caller must use a new worker after an error.
 *
 * @throws Hdf5Error with HDF5's innermost reason; DamagedFileError for damage that HDF5 accepts.
 */
export async function openNetcdf4(path: string): Promise<NetcdfFile> {
  const hdf5 = await ready;
  // Without the handler HDF5 prints its errors and returns uninitialised memory.
  hdf5.activate_throwing_error_handler();
  return guarded(() => {
    const file = new HdfFile(path, "r");
    const datasets = datasetsOf(file);
    const variables = new Map(
      [...datasets]
        .filter(([, dataset]) => !isBareDimension(dataset))
        .map(([name, dataset]) => [name, describe(name, dataset, datasets)] as const),
    );
    return {
      attributes: attributesOf(file),
      variables,
      read: (name, start, count) => guarded(() => readHyperslab(datasets.get(name), name, start, count)),
      close: () => void file.close(),
    };
  });
}

function datasetsOf(file: HdfFile): Map<string, Dataset> {
  const names = file.keys();
  if (names.length > MAX_VARIABLES) throw new DamagedFileError(`the file claims ${names.length} variables`);
  const datasets = new Map<string, Dataset>();
  for (const name of names) {
    // Groups are not read, because links could lead to any file on this machine.
    const entity = file.get(name);
    if (entity && "slice" in entity) datasets.set(name, entity);
  }
  return datasets;
}

/** Whether a dataset only stands for a dimension without coordinates; NetCDF-4 stores it as an empty dataset. */
function isBareDimension(dataset: Dataset): boolean {
  const name = dataset.attrs.NAME?.value;
  return typeof name === "string" && name.startsWith("This is a netCDF dimension but not a netCDF variable");
}

function describe(name: string, dataset: Dataset, all: ReadonlyMap<string, Dataset>): NetcdfVariable {
  const { metadata } = dataset;
  const shape = (metadata.shape ?? []).map(Number);
  cellsOf(shape);
  const elsewhere = (metadata.virtual_sources?.length ?? 0) > 0;
  return {
    name,
    dimensions: shape.map((length, axis) => ({ name: dimensionName(name, dataset, axis, all), length })),
    attributes: attributesOf(dataset),
    numeric: (metadata.type === INTEGER || metadata.type === FLOAT) && !metadata.vlen && !elsewhere,
    float: metadata.type === FLOAT,
  };
}

/** Name of a dimension: that of the attached dimension scale. A coordinate variable is its own dimension scale. */
function dimensionName(
  name: string,
  dataset: Dataset,
  axis: number,
  all: ReadonlyMap<string, Dataset>,
): string {
  const scale = dataset.get_attached_scales(axis)[0]?.replace(/^\//, "");
  if (scale !== undefined && all.has(scale)) return scale;
  return dataset.metadata.shape?.length === 1 ? name : `${name}[${axis}]`;
}

function attributesOf(owner: Dataset | Group): Attributes {
  const found: Record<string, AttributeValue> = {};
  for (const [name, attribute] of Object.entries(owner.attrs)) {
    if (internalAttributes.has(name)) continue;
    const { type, size, total_size } = attribute.metadata;
    if (size * total_size > MAX_ATTRIBUTE_BYTES) continue;
    if (type !== INTEGER && type !== FLOAT && type !== STRING) continue;
    const value = asAttribute(attribute.value);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function asAttribute(value: unknown): AttributeValue | undefined {
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(String).join(" ");
  if (!ArrayBuffer.isView(value) || value instanceof DataView) return undefined;
  const numbers = Array.from(value as RawValues | BigInt64Array, Number);
  return numbers.length === 1 ? numbers[0]! : numbers;
}

function readHyperslab(
  dataset: Dataset | undefined,
  name: string,
  start: readonly number[],
  count: readonly number[],
): RawValues {
  if (!dataset) throw new DamagedFileError(`the file has no variable ${name}`);
  const { metadata } = dataset;
  const chunk = cellsOf((metadata.chunks ?? []).map(Number)) * metadata.size;
  if (chunk > MAX_CHUNK_BYTES) throw new DamagedFileError(`a chunk of ${name} claims ${chunk} bytes`);
  const values =
    count.length === 0
      ? dataset.value
      : dataset.slice(start.map((first, axis) => [first, first + count[axis]!]));
  if (typeof values === "number" || typeof values === "bigint") return Float64Array.of(Number(values));
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    return Float64Array.from(values, Number);
  }
  if (!ArrayBuffer.isView(values)) throw new DamagedFileError(`variable ${name} holds no numbers`);
  return values as RawValues;
}

/** Calls HDF5 and reduces its error report to the innermost reason. */
function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof DamagedFileError) throw error;
    throw new Hdf5Error(error);
  }
}

class Hdf5Error extends Error {
  override readonly name = "Hdf5Error";
  constructor(cause: unknown) {
    super(innermostReason(cause), { cause });
  }
}

function innermostReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const reasons = text.split("\n").filter((line) => line.trim().length > 0);
  const innermost = reasons.findLast((line) => line.includes("():")) ?? reasons.at(-1) ?? "unknown error";
  return `HDF5: ${innermost.replace(/^.*\(\):\s*/, "").trim()}`;
}
