import type { SourceOrder } from "#lib/catalog/source-order.ts";
import { andThen } from "#server/platform/and-then.ts";
import type { Catalog } from "./catalog.ts";
import type { Manifest } from "./run.ts";

/** A catalog whose manifests have an order of sources, by which `chooseRun` prefers runs. */
export function withSourceOrder(catalog: Catalog, order: SourceOrder): Catalog {
  // One manifest for each of the catalog's: what is derived from a manifest is cached by its identity.
  const ordered = new WeakMap<Manifest, Manifest>();
  const withOrder = (manifest: Manifest): Manifest => {
    const known = ordered.get(manifest);
    if (known) return known;
    const made = Object.freeze({ ...manifest, sourceOrder: order });
    ordered.set(manifest, made);
    return made;
  };
  return {
    manifest: () => andThen(catalog.manifest(), withOrder),
    refresh: () => andThen(catalog.refresh(), withOrder),
  };
}
