import { createHash } from "node:crypto";
import { andThen } from "#server/platform/and-then.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { StoreUnavailableError } from "#server/platform/errors.ts";
import { IncompleteRunError } from "./errors.ts";
import { emptyManifest, MANIFEST_KEY, parseManifest } from "./manifest.ts";
import type { Manifest } from "./run.ts";
import { type ChunkStore, ObjectMissingError } from "./store.ts";

const CHECK_EVERY_MS = 1000;
/** Of a store behind a network. Requests do not wait for it. */
const POLL_EVERY_MS = 5000;

/** What is published. */
export interface Catalog {
  /**
   * The manifest, at most a second old and frozen: an answer made from one manifest never mixes two states of the archive.
   * Throws `DamagedManifestError`. Of a store behind a network it is the one known, which is some five seconds old, or older
   * while the store is away; `StoreUnavailableError` if none is known.
   */
  manifest(): Manifest | Promise<Manifest>;
  /** The manifest as it is now. */
  refresh(): Manifest | Promise<Manifest>;
}

export interface CatalogOptions {
  /** Milliseconds that never jump. */
  monotonic?: () => number;
  /** Called with each manifest that replaces another: what is cached of runs that it lacks can be dropped. */
  onChange?: (manifest: Manifest) => void;
}

export function openCatalog(
  store: ChunkStore,
  { monotonic = monotonicMs, onChange }: CatalogOptions = {},
): Catalog {
  let known: Manifest | undefined;
  let knownVersion: string | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;

  function taken(bytes: Uint8Array | undefined, version: string | undefined): Manifest {
    // An archive into which nothing was published has no manifest.
    const manifest = bytes ? freeze(parseManifest(bytes)) : emptyManifest;
    if (known) {
      store.release?.();
      onChange?.(manifest);
    }
    known = manifest;
    knownVersion = version;
    return manifest;
  }

  function refresh(): Manifest | Promise<Manifest> {
    checkedAt = monotonic();
    if (store.getChanged) return poll();
    // The version is read first: if the manifest changes in between, the next check finds another version.
    return andThen(store.version?.(MANIFEST_KEY), (version) => {
      if (known && store.version && version === knownVersion) return known;
      return andThen(store.get(MANIFEST_KEY), (bytes) => taken(bytes, version));
    });
  }

  /** Of the known one: not every web server tells versions. */
  let knownSum: string | undefined;
  let polling: Promise<Manifest> | undefined;
  async function poll(): Promise<Manifest> {
    polling ??= store.getChanged!(MANIFEST_KEY, known && knownVersion)
      .then((found) => {
        if (found === "unchanged") return known!;
        // Nobody withdraws an archive so; a web server or a bucket that was set up anew looks like that.
        if (!found && known && known.runs.length > 0)
          throw new StoreUnavailableError("The list of runs is gone from the archive's store");
        const sum = found && createHash("sha256").update(found.bytes).digest("hex");
        const isKnown = known && sum !== undefined && sum === knownSum;
        knownSum = undefined;
        const manifest = isKnown ? known! : taken(found?.bytes, found?.version);
        knownSum = sum;
        knownVersion = found?.version;
        return manifest;
      })
      .finally(() => {
        polling = undefined;
      });
    return polling;
  }

  function manifest(): Manifest | Promise<Manifest> {
    const age = monotonic() - checkedAt;
    if (!known || !store.getChanged) return known && age < CHECK_EVERY_MS ? known : refresh();
    // What fails is found by `refresh`, and tried again when it is due.
    if (age >= POLL_EVERY_MS) Promise.resolve(refresh()).catch(() => {});
    return known;
  }

  return { manifest, refresh };
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

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
