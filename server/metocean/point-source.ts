import type { FieldName } from "#lib/catalog/fields.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Manifest, Run } from "#server/archive/run.ts";

/** The part of the archive that a point answer needs. */
export interface PointSource {
  /** What is published now. One answer reads one manifest, so that it never mixes two states of the archive. */
  manifest(): Manifest | Promise<Manifest>;
  /**
   * Writes one value per point into `out` (NaN = missing); each chunk is decoded once.
   *
   * @param indices Which points; all of them where undefined.
   */
  valuesAt(
    run: Run,
    field: FieldName,
    points: PointColumns,
    indices: Int32Array | undefined,
    out: Float64Array,
    signal: AbortSignal,
  ): void | Promise<void>;
}
