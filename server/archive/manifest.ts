import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "#server/platform/files.ts";
import { DamagedManifestError } from "./errors.ts";
import { type Manifest, manifestSchema } from "./run.ts";

export const MANIFEST_KEY = "manifest.json";

/** Manifest of an archive without runs. */
export const emptyManifest: Manifest = { version: 1, runs: [] };

/** Parses a manifest. Throws `DamagedManifestError`. */
export function parseManifest(bytes: Uint8Array): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new DamagedManifestError("it is not JSON", { cause });
  }
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw new DamagedManifestError(z.prettifyError(parsed.error), { cause: parsed.error });
  return parsed.data;
}

/** The manifest of an archive folder; empty if the folder has none. */
export async function readManifest(root: string): Promise<Manifest> {
  try {
    return parseManifest(await readFile(join(root, MANIFEST_KEY)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return emptyManifest;
    throw error;
  }
}

/** Publishes a manifest atomically. */
export function writeManifest(root: string, manifest: Manifest): Promise<void> {
  return replaceFile(join(root, MANIFEST_KEY), JSON.stringify(manifest));
}

/** Source of the list of published runs if reading it takes a while: it is behind a network or in a database. */
export interface ManifestSource {
  /**
   * The manifest as it is now; undefined while it is the one that was returned last. Rejects with UnavailableError. Called
   * once at a time.
   */
  changed(): Promise<Manifest | undefined>;
  /** Calls back whenever there may be another manifest. */
  watch?(onChange: () => void): void;
  /** Describes for the operator what is wrong with the manifest that was returned last. */
  problem?(): string | undefined;
  close?(): void | Promise<void>;
}
