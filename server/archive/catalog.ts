import type { SourceOrder } from "#lib/catalog/source-order.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { IncompleteRunError } from "./errors.ts";
import { emptyManifest, MANIFEST_KEY, type ManifestSource, parseManifest } from "./manifest.ts";
import { objectManifest } from "./remote/object-manifest.ts";
import { isEnsemble, type Manifest, type Run } from "./run.ts";
import { type ChunkStore, ObjectMissingError } from "./store.ts";

const CHECK_EVERY_MS = 1000;
/** How often a list behind a network is read again. Requests do not wait for it. */
const POLL_EVERY_MS = 5000;

/** The published runs of an archive. */
export interface Catalog {
  /**
   * The manifest, at most a second old: an answer made from one manifest never mixes two states of the archive. Throws
   * `DamagedManifestError`. For an archive behind a network it is the last known manifest, which is about five seconds
   * old, or older while the list of runs is unavailable; throws `StoreUnavailableError` if none is known.
   */
  manifest(): Promise<Manifest>;
  /** The manifest as it is now. */
  refresh(): Promise<Manifest>;
}

/** The catalog of an archive, which can be closed. */
interface OpenedCatalog extends Catalog {
  /** Whether a manifest is known, however old. */
  isKnown(): boolean;
  close(): Promise<void>;
}

interface CatalogOptions {
  /** Milliseconds that never jump. */
  monotonic?: () => number;
  /** Receives each manifest that replaces another, so that caches can drop the runs that it lacks. */
  onChange?: (manifest: Manifest) => void;
  /** Where the list of runs comes from; `manifest.json` of the store by default. */
  source?: ManifestSource | undefined;
  /** Receives a problem of the list of runs, in words for the operator, when it begins, and undefined when it ends. */
  onProblem?: (problem: string | undefined, cause?: unknown) => void;
}

export function openCatalog(
  store: ChunkStore,
  { monotonic = monotonicMs, onChange, source = objectManifest(store), onProblem }: CatalogOptions = {},
): OpenedCatalog {
  let known: Manifest | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  function taken(manifest: Manifest): Manifest {
    if (known) {
      store.release?.();
      onChange?.(manifest);
    }
    known = manifest;
    return manifest;
  }

  let knownVersion: string | undefined;
  async function refresh(): Promise<Manifest> {
    checkedAt = monotonic();
    if (source) return poll(source);
    // The version is read first: if the manifest changes in between, the next check finds another version.
    const version = await store.version?.(MANIFEST_KEY);
    if (known && store.version && version === knownVersion) return known;
    const bytes = await store.get(MANIFEST_KEY);
    // An archive into which nothing was published has no manifest.
    const manifest = taken(bytes ? parseManifest(bytes) : emptyManifest);
    knownVersion = version;
    return manifest;
  }

  let problem: string | undefined;
  function report(now: string | undefined, cause?: unknown): void {
    if (now === problem) return;
    problem = now;
    onProblem?.(now, cause);
  }

  let polling: Promise<Manifest> | undefined;
  async function poll(from: ManifestSource): Promise<Manifest> {
    polling ??= from
      .changed()
      .then((found) => {
        const manifest = found ? taken(found) : known!;
        report(from.problem?.());
        return manifest;
      })
      .catch((error: unknown) => {
        report(`the list of runs cannot be read${known ? ": the one that is known answers" : ""}`, error);
        throw error;
      })
      .finally(() => {
        polling = undefined;
      });
    return polling;
  }

  /** A request under way may still return the manifest from before the change. */
  const changed = () => {
    const before = polling ?? Promise.resolve();
    const again = () => refresh().catch(() => {});
    before.then(again, again);
  };
  source?.watch?.(changed);

  async function manifest(): Promise<Manifest> {
    const age = monotonic() - checkedAt;
    if (!known || !source) return known && age < CHECK_EVERY_MS ? known : refresh();
    // `refresh` reports the failure, and the next due call tries again.
    if (age >= POLL_EVERY_MS) refresh().catch(() => {});
    return known;
  }

  return { manifest, refresh, isKnown: () => known !== undefined, close: async () => source?.close?.() };
}

/**
 * Answers from one manifest. If a run that it names was replaced meanwhile and is gone, answers once more from the newest
 * manifest. Throws `IncompleteRunError` if a run of the newest one is gone as well.
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

/** Facts about the sources of runs that are not stored with a run. */
export interface KnownSources {
  /** The order by which `chooseRun` prefers runs. */
  order: SourceOrder;
  /** Facts by the name of the source. */
  about: ReadonlyMap<string, Pick<Run, "credit" | "rhythm" | "system">>;
}

/**
 * Adds to a catalog's manifests the order of sources, and to their runs what is known of their sources, and separates runs
 * of ensembles from the others.
 */
export function withSources(catalog: Catalog, { order, about }: KnownSources): Catalog {
  const described = (run: Run): Run => ({ ...about.get(run.source), ...run });
  // Each manifest of the catalog maps to one object, because caches of derived data use its identity as their key.
  const ordered = new WeakMap<Manifest, Manifest>();
  const withOrder = (manifest: Manifest): Manifest => {
    const known = ordered.get(manifest);
    if (known) return known;
    const runs = manifest.runs.map(described);
    const made = {
      ...manifest,
      runs: runs.filter((run) => !isEnsemble(run)),
      ...(manifest.earlier && { earlier: manifest.earlier.map(described) }),
      ensembles: [...runs, ...(manifest.ensembles ?? [])].filter(isEnsemble),
      sourceOrder: order,
    };
    ordered.set(manifest, made);
    return made;
  };
  return {
    manifest: async () => withOrder(await catalog.manifest()),
    refresh: async () => withOrder(await catalog.refresh()),
  };
}
