import { BEST } from "#lib/catalog/source-order.ts";
import { mediaTypeNames, oneModelMediaTypes } from "#lib/contract/media-types.ts";
import type { Catalog } from "#server/archive/catalog.ts";
import { ensemblesIn, membersWith } from "#server/archive/ensembles.ts";
import { modelOf, modelsIn } from "#server/archive/one-model.ts";
import type { Manifest } from "#server/archive/run.ts";
import { invalid, type ValidationIssue } from "#server/http/reply.ts";
import { publishers } from "#server/ingest/publishers/registry.ts";

/** Models that the feeds of this service can provide, whether they are turned on or not. */
const known = new Set(
  publishers.map(({ name, system }) => modelOf({ source: name, ...(system && { system }) })),
);

/**
 * Refuses names of models that neither a publisher nor the archive has. A known model without runs is no mistake of the
 * request: its values are null.
 *
 * @param loc Where the request names them: at `models`, or one at `model`.
 */
export async function requireModels(
  archive: Pick<Catalog, "manifest">,
  models: readonly string[] | undefined,
  loc: ValidationIssue["loc"],
): Promise<void> {
  if (!models) return;
  const present = modelsIn(await archive.manifest());
  const at = models.findIndex((name) => name !== BEST && !known.has(name) && !present.includes(name));
  if (at < 0) return;
  const msg = `There is no model ${models[at]}: the archive has ${[BEST, ...present].join(", ")}`;
  throw invalid({ type: "value_error", loc: [...loc, ...(loc.at(-1) === "models" ? [at] : [])], msg });
}

/**
 * Refuses the name of an ensemble that the archive does not have.
 *
 * @param loc Where the request names it.
 */
export async function requireEnsemble(
  archive: Pick<Catalog, "manifest">,
  ensemble: string,
  loc: ValidationIssue["loc"],
): Promise<void> {
  const present = ensemblesIn(await archive.manifest());
  if (!present.includes(ensemble)) throw noEnsemble(`There is no ensemble ${ensemble}`, present, loc);
}

/**
 * Refuses the name of an ensemble whose members the archive does not have: statistics of them are not enough.
 *
 * @param loc Where the request names it.
 * @returns The manifest in which it was found.
 */
export async function requireMembers(
  archive: Pick<Catalog, "manifest">,
  ensemble: string,
  loc: ValidationIssue["loc"],
): Promise<Manifest> {
  const manifest = await archive.manifest();
  const present = ensemblesIn(manifest).filter((name) => membersWith(manifest, name, "wind").length > 0);
  if (present.includes(ensemble)) return manifest;
  throw noEnsemble(`There are no members of an ensemble ${ensemble}`, present, loc);
}

function noEnsemble(problem: string, present: readonly string[], loc: ValidationIssue["loc"]) {
  const has = present.length > 0 ? `has ${present.join(", ")}` : "has none";
  return invalid({ type: "value_error", loc: [...loc], msg: `${problem}: the archive ${has}` });
}

/**
 * Refuses several models in a format that does not name them.
 *
 * @param type Media type of the answer. @param loc Where the request names models or the format.
 */
export function refuseManyModels(
  type: string,
  models: readonly string[] | undefined,
  loc: ValidationIssue["loc"],
): void {
  if (new Set(models).size < 2 || !oneModelMediaTypes.includes(type)) return;
  const { name } = mediaTypeNames[type]!;
  const msg = `The format ${name} does not name models: choose another format, or request one model at a time`;
  throw invalid({ type: "value_error", loc, msg });
}
