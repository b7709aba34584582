import type { Catalog } from "#server/archive/catalog.ts";
import type { ArchiveReader } from "#server/archive/reader.ts";

/** The part of the archive that a point answer needs. */
export type PointSource = Catalog & Pick<ArchiveReader, "valuesAt">;
