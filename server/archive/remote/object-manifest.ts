import { createHash } from "node:crypto";
import { emptyManifest, MANIFEST_KEY, type ManifestSource, parseManifest } from "#server/archive/manifest.ts";
import type { Manifest } from "#server/archive/run.ts";
import type { ChunkStore } from "#server/archive/store.ts";
import { StoreUnavailableError } from "#server/platform/errors.ts";

/** Reads `manifest.json` of a store behind a network; undefined for any other store. */
export function objectManifest(store: ChunkStore): ManifestSource | undefined {
  const getChanged = store.getChanged?.bind(store);
  if (!getChanged) return undefined;
  let known: Manifest | undefined;
  let knownVersion: string | undefined;
  /** The checksum detects changes because some web servers send no version. */
  let knownSum: string | undefined;
  let problem: string | undefined;
  return {
    async changed() {
      const found = await getChanged(MANIFEST_KEY, known && knownVersion);
      if (found === "unchanged") return undefined;
      // An archive is never withdrawn by removing its list; the web server or bucket was probably set up again.
      if (!found && known && known.runs.length > 0)
        throw new StoreUnavailableError("The list of runs is gone from the archive's store");
      problem = found ? undefined : NO_LIST;
      const sum = found && createHash("sha256").update(found.bytes).digest("hex");
      if (known && sum === knownSum) {
        knownVersion = found?.version;
        return undefined;
      }
      const manifest = found ? parseManifest(found.bytes) : emptyManifest;
      if (isOlder(manifest, known)) {
        problem = "an older list of runs came than the one that is known, perhaps of a cache on the way";
        return undefined;
      }
      known = manifest;
      knownVersion = found?.version;
      knownSum = sum;
      return manifest;
    },
    problem: () => problem,
  };
}

const NO_LIST = `the store has no ${MANIFEST_KEY}: nothing was published there, or ARCHIVE_URL names another place`;

function isOlder({ revision }: Manifest, known: Manifest | undefined): boolean {
  return revision !== undefined && known?.revision !== undefined && revision < known.revision;
}
