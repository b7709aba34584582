import type { FieldName } from "#lib/catalog/fields.ts";
import type { Catalog } from "#server/archive/catalog.ts";
import type { PointColumns } from "#server/archive/reader.ts";
import type { Run } from "#server/archive/run.ts";

/** The part of the archive that a point answer needs. */
export interface PointSource extends Catalog {
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
