import { monotonicMs } from "#server/platform/clock.ts";
import { IncompleteRunError } from "./errors.ts";
import { emptyManifest, MANIFEST_KEY, parseManifest } from "./manifest.ts";
import { andThen } from "./maybe-promise.ts";
import type { Manifest } from "./run.ts";
import { type ChunkStore, ObjectMissingError } from "./store.ts";

const LOOK_EVERY_MS = 1000;

/** What is published. */
export interface Catalog {
  /**
   * The manifest, at most a second old. It never changes: who answers from one manifest mixes no two states of the
   * archive. Throws `DamagedManifestError`.
   */
  manifest(): Manifest | Promise<Manifest>;
  /** The manifest as it is now. */
  refresh(): Manifest | Promise<Manifest>;
}

export interface CatalogOptions {
  /** Milliseconds that never jump. */
  monotonic?: () => number;
  /** Told of each manifest that takes the place of another: what is kept of the runs it lacks may go. */
  onChange?: (manifest: Manifest) => void;
}

export function openCatalog(
  store: ChunkStore,
  { monotonic = monotonicMs, onChange }: CatalogOptions = {},
): Catalog {
  let known: Manifest | undefined;
  let knownVersion: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function refresh(): Manifest | Promise<Manifest> {
    lookedAt = monotonic();
    // The version is read first: when the manifest changes in between, the next look finds another version.
    return andThen(store.version?.(MANIFEST_KEY), (version) => {
      if (known && store.version && version === knownVersion) return known;
      return andThen(read(store), (manifest) => {
        if (known) {
          store.release?.();
          onChange?.(manifest);
        }
        known = manifest;
        knownVersion = version;
        return manifest;
      });
    });
  }

  return {
    manifest: () => (known && monotonic() - lookedAt < LOOK_EVERY_MS ? known : refresh()),
    refresh,
  };
}

/**
 * Answers from one manifest; once more from the newest, when the run that the first one named has been replaced
 * meanwhile and is gone. Throws `IncompleteRunError` where the newest one names what is not there.
 */
export async function withManifest<T>(
  catalog: Catalog,
  answer: (manifest: Manifest) => T | Promise<T>,
): Promise<T> {
  try {
    return await answer(await catalog.manifest());
  } catch (error) {
    if (!(error instanceof ObjectMissingError)) throw error;
  }
  try {
    return await answer(await catalog.refresh());
  } catch (error) {
    throw error instanceof ObjectMissingError ? new IncompleteRunError({ cause: error }) : error;
  }
}

function read(store: ChunkStore): Manifest | Promise<Manifest> {
  try {
    const bytes = store.get(MANIFEST_KEY);
    return bytes instanceof Promise ? bytes.then(frozen, orEmpty) : frozen(bytes);
  } catch (error) {
    return orEmpty(error);
  }
}

const frozen = (bytes: Uint8Array) => freeze(parseManifest(bytes));

/** An archive into which nothing was published has no manifest. */
function orEmpty(error: unknown): Manifest {
  if (error instanceof ObjectMissingError) return emptyManifest;
  throw error;
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
