import { createHash } from "node:crypto";
import path from "node:path";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import type { PartialFile } from "#server/platform/fetching/partial-file.ts";

/** What fetching a part from one mirror needs, and what it counts. */
export interface FetchWork {
  fetcher: Fetcher;
  /** Belongs to the part alone, and exists. */
  folder: string;
  signal: AbortSignal;
  /** Whether a part is taken that lacks some of what is wanted. */
  takesIncomplete: boolean;
  count: {
    /** Bytes that arrived. */
    fetched: number;
    /** Bytes of before that were used. */
    reused: number;
  };
}

/** A part that is whole and checked. */
export interface Ready {
  /** What it is to be called in its folder. */
  name: string;
  /** Where it lies until then: a file, or a folder. */
  path: string;
  bytes: number;
  /** What is wanted and is not in it. */
  lacking?: readonly string[];
  /** Waits until the disk has it, and closes it. */
  settle(): Promise<void>;
}

/** A file that is whole. */
export function readyFile(file: PartialFile, name: string): Ready {
  return {
    name,
    path: file.path,
    bytes: file.size,
    async settle() {
      await using settled = file;
      await settled.sync();
    },
  };
}

/** A name for what is fetched from an address: objects of several mirrors lie beside each other. */
export function nameOf(url: string, folder: string, suffix: string): string {
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 16);
  return path.join(folder, `${digest}.${suffix}`);
}
