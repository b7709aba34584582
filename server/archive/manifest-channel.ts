import { BroadcastChannel } from "node:worker_threads";
import { StoreUnavailableError } from "#server/platform/errors.ts";
import type { Catalog } from "./catalog.ts";
import type { ManifestSource } from "./manifest.ts";
import type { Manifest } from "./run.ts";

/** The wait is long because the thread with the catalog may be busy with other work. */
const ANSWER_MS = 20_000;

type Message =
  | { kind: "ask"; id: string; known: number | undefined }
  | { kind: "answer"; id: string; manifest: Manifest | undefined }
  | { kind: "failure"; id: string; message: string }
  | { kind: "changed" };

/**
 * Offers a catalog to the other threads of this process, which have no database.
 *
 * @param name Name of a channel used only by this catalog.
 */
export function offerManifest(name: string, catalog: Pick<Catalog, "refresh">) {
  const channel = openChannel(name, (message) => {
    if (message.kind !== "ask") return;
    const { id, known } = message;
    catalog.refresh().then(
      (manifest) => {
        const isKnown = known !== undefined && manifest.revision === known;
        channel.send({ kind: "answer", id, manifest: isKnown ? undefined : manifest });
      },
      (error: Error) => channel.send({ kind: "failure", id, message: error.message }),
    );
  });
  return {
    /** The caller calls this whenever there is another manifest. */
    changed: () => channel.send({ kind: "changed" }),
    close: channel.close,
  };
}

/** Returns the catalog that another thread of this process offers. */
export function offeredManifest(name: string): ManifestSource {
  let known: number | undefined;
  let asked = 0;
  let onChange: (() => void) | undefined;
  const waiting = new Map<string, PromiseWithResolvers<Manifest | undefined>>();
  const own = crypto.randomUUID();
  const channel = openChannel(name, (message) => {
    if (message.kind === "changed") return onChange?.();
    if (message.kind === "ask") return;
    const reply = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === "answer") reply?.resolve(message.manifest);
    else reply?.reject(new StoreUnavailableError(message.message));
  });
  return {
    async changed() {
      const id = `${own} ${++asked}`;
      const reply = Promise.withResolvers<Manifest | undefined>();
      waiting.set(id, reply);
      const late = setTimeout(() => {
        waiting.delete(id);
        reply.reject(new StoreUnavailableError("The list of runs is not answered"));
      }, ANSWER_MS);
      try {
        channel.send({ kind: "ask", id, known });
        const manifest = await reply.promise;
        if (manifest) known = manifest.revision;
        return manifest;
      } finally {
        clearTimeout(late);
      }
    },
    watch(changed) {
      onChange = changed;
    },
    close: channel.close,
  };
}

function openChannel(name: string, received: (message: Message) => void) {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: { data: unknown }) => received(data as Message);
  // The channel does not keep the process alive: a pending request has a timer that does.
  channel.unref();
  return {
    send: (message: Message) => channel.postMessage(message),
    close: () => channel.close(),
  };
}
