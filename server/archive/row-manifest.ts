import { StoreUnavailableError, UnavailableError } from "#server/platform/errors.ts";
import type { Listener, NotificationHandler } from "#server/platform/listen-notify.ts";
import type { ManifestSource } from "./manifest-source.ts";
import { ARCHIVE_CHANNEL, type RunRows } from "./run-rows.ts";

/** A notification may be lost: what is published is looked up in any case. Milliseconds. */
const LOOK_EVERY_MS = 5000;

export interface RowManifestDeps {
  rows: Pick<RunRows, "revision" | "manifest">;
  /** Listens to a channel of the database. */
  listen(channel: string, handler: NotificationHandler): Listener;
  /** Calls again and again. @returns Stops it. */
  every?(milliseconds: number, look: () => void): () => void;
}

/** The catalog in PostgreSQL: changes are notified, and looked for every five seconds. */
export function rowManifest({ rows, listen, every = byTimer }: RowManifestDeps): ManifestSource {
  let known: number | undefined;
  let listener: Listener | undefined;
  let stop: (() => void) | undefined;
  return {
    async changed() {
      try {
        if ((await rows.revision()) === known) return undefined;
        const manifest = await rows.manifest();
        known = manifest.revision;
        return manifest;
      } catch (cause) {
        if (cause instanceof UnavailableError) throw cause;
        throw new StoreUnavailableError("The list of runs cannot be read from the database", { cause });
      }
    },
    watch(onChange) {
      listener = listen(ARCHIVE_CHANNEL, { notified: onChange, connected: onChange });
      stop = every(LOOK_EVERY_MS, onChange);
    },
    async close() {
      stop?.();
      await listener?.close();
    },
  };
}

function byTimer(milliseconds: number, look: () => void): () => void {
  const timer = setInterval(look, milliseconds).unref();
  return () => clearInterval(timer);
}
