import { type VariableName, variable } from "#lib/catalog/variables.ts";
import type { Catalog } from "#server/archive/catalog.ts";
import { UnavailableError } from "#server/platform/errors.ts";

/** A first step arrives within a minute on a good line. */
const RETRY_S = 15;

/**
 * Nulls are an answer: until the first forecast is there, a service whose feeds bring one answers that it has no data yet.
 * Depths are there before, and stay those of the archive.
 *
 * @param brought Variables that the feeds bring.
 * @returns Throws `UnavailableError` until there is a forecast or a hindcast.
 */
export function firstData(
  archive: Pick<Catalog, "manifest">,
  brought: ReadonlySet<VariableName>,
): () => Promise<void> {
  const isExpected = [...brought].some((name) => !variable(name).static);
  return async () => {
    if (!isExpected) return;
    const { runs } = await archive.manifest();
    if (runs.some(({ dataset }) => dataset !== "Static")) return;
    throw new UnavailableError(
      "No data yet: the first forecast is being fetched. GET /feeds says how far it is",
      RETRY_S,
    );
  };
}
