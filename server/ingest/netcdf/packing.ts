import type { AttributeValue, NetcdfVariable, RawValues } from "./file.ts";

/** How stored numbers are unpacked to values. */
export interface Packing {
  scale: number;
  offset: number;
  /** Stored numbers that mean missing. */
  missing: readonly number[];
  /** Stored numbers outside this inclusive range are missing too. */
  min: number;
  max: number;
}

/** NetCDF's default fill value of floats and doubles, for variables that name none. */
const DEFAULT_FLOAT_FILL = 9.969209968386869e36;

/** Reads scale factor, offset, fill values and valid range of a variable. By CF they apply to stored numbers. */
export function readPacking({ attributes, float }: NetcdfVariable): Packing {
  const [min, max] = numbers(attributes.valid_range);
  const named = [...numbers(attributes._FillValue), ...numbers(attributes.missing_value)];
  return {
    scale: numbers(attributes.scale_factor)[0] ?? 1,
    offset: numbers(attributes.add_offset)[0] ?? 0,
    missing: named.length === 0 && float ? [DEFAULT_FLOAT_FILL] : named,
    min: numbers(attributes.valid_min)[0] ?? min ?? Number.NEGATIVE_INFINITY,
    max: numbers(attributes.valid_max)[0] ?? max ?? Number.POSITIVE_INFINITY,
  };
}

/** Unpacks stored numbers; missing ones become NaN. */
export function unpack(raw: RawValues, { scale, offset, missing, min, max }: Packing): Float64Array {
  // A float32 variable is compared with its fill value as a float32: files write 9.96921e+36 in either precision.
  const fills = raw instanceof Float32Array ? missing.map(Math.fround) : missing;
  const fill = fills.length > 0 ? fills[0]! : Number.NaN;
  const others = fills.slice(1);
  const values = new Float64Array(raw.length);
  for (let i = 0; i < raw.length; i++) {
    const stored = raw[i]!;
    const absent =
      stored === fill || !(stored >= min && stored <= max) || (others.length > 0 && others.includes(stored));
    values[i] = absent ? Number.NaN : stored * scale + offset;
  }
  return values;
}

function numbers(value: AttributeValue | undefined): readonly number[] {
  if (typeof value === "number") return [value];
  return typeof value === "string" || value === undefined ? [] : value;
}
