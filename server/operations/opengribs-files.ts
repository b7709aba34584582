import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Limit } from "#lib/contract/limits.ts";
import { type OpengribsRequest, opengribsFileName } from "#lib/opengribs/request.ts";
import { HOUR_S } from "#lib/time.ts";
import type { Manifest } from "#server/archive/run.ts";
import type { Queue } from "#server/http/queue.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { Poller } from "#server/platform/poller.ts";
import { SharedRuns } from "#server/platform/shared-runs.ts";
import { type MadeFile, type OpengribsFile, runsOfModel } from "./opengribs-file.ts";

/** Folder of the files in the blob store. */
const FOLDER = "downloads";

/** How long a file can be downloaded at least, and how long it is kept at most, seconds. */
const OFFERED_S = HOUR_S / 2;
const KEPT_S = HOUR_S;

const SWEEP_MS = 5 * 60_000;

/** Files that are remembered. A forgotten one is made again. */
const MAX_REMEMBERED = 1000;

/**
 * Limits of the queue of files. They are made one after another, so that they leave the other processor to requests.
 * XyGrib waits as long as it takes.
 */
export const opengribsLimits = {
  running: 1,
  runningOfOwner: 1,
  waiting: 32,
  waitingOfOwner: 2,
  answerSeconds: 600,
};

/** A file that can be downloaded. */
export interface OfferedFile extends MadeFile {
  /** Path below the address of the service: `/downloads/<number>/<name>.grb2`. */
  path: string;
}

/** The files and limits of the protocol, where it is switched on. */
export interface OpengribsService {
  files: Pick<OpengribsFiles, "file" | "read">;
  /** Limit of the requests of one address. */
  limit: Limit;
}

interface OpengribsDeps {
  blobs: Pick<BlobStore, "read" | "getRange" | "list" | "delete">;
  /** Makes a file away from the thread of requests. */
  make(file: OpengribsFile, signal: AbortSignal): Promise<MadeFile>;
  queue: Pick<Queue, "run">;
  /** Largest file, bytes. */
  maxBytes: number;
  /** The time of the machine, Unix seconds: that of the blobs. */
  now(): number;
  onError(error: unknown): void;
}

/** The files of the OpenGribs protocol: each is made once for equal requests, and deleted after an hour. */
export class OpengribsFiles {
  readonly #deps: OpengribsDeps;
  readonly #running = new SharedRuns<OfferedFile>();
  readonly #made: LRUCache<string, OfferedFile & { until: number }>;
  readonly #sweeping: Poller;

  constructor(deps: OpengribsDeps) {
    this.#deps = deps;
    this.#made = new LRUCache({ max: MAX_REMEMBERED });
    this.#sweeping = new Poller({
      everyMs: SWEEP_MS,
      work: () => this.sweep(),
      onError: deps.onError,
    });
  }

  start(): void {
    this.#sweeping.start();
  }

  close(): Promise<void> {
    return this.#sweeping.close();
  }

  /**
   * Returns the file for a request, made now unless it was made within half an hour from the same runs.
   *
   * @param owner Whose turn it takes.
   * @param weather Weather clock, Unix seconds.
   * @param maxBytes Size to which the file is thinned. Without it a file that is too large is refused.
   * @throws ProcessingError, UnavailableError, or the signal's reason.
   */
  async file(
    owner: string,
    request: OpengribsRequest,
    manifest: Manifest,
    weather: number,
    signal: AbortSignal,
    maxBytes?: number,
  ): Promise<OfferedFile> {
    const newest = request.parts.map(({ model }) => runsOfModel(manifest, model)[0]?.id ?? "");
    const id = createHash("sha256").update(JSON.stringify({ request, newest, maxBytes })).digest("hex");
    const known = this.#made.get(id);
    if (known && known.until > this.#deps.now()) return known;
    return this.#running.run(
      id,
      async (aborter) => {
        const made = this.#deps.now();
        // Clients show a number in this place.
        const number = BigInt(`0x${id.slice(0, 15)}`);
        const name = opengribsFileName(request.parts, made);
        const file = {
          request,
          key: keyOf(String(number), name),
          now: weather,
          maxBytes: Math.min(maxBytes ?? this.#deps.maxBytes, this.#deps.maxBytes),
          isThinned: maxBytes !== undefined,
        };
        const result = await this.#deps.queue.run({ owner, aborter }, () =>
          this.#deps.make(file, aborter.signal),
        );
        const offered = { ...result, path: `/${FOLDER}/${number}/${name}` };
        this.#made.set(id, { ...offered, until: this.#deps.now() + OFFERED_S });
        return offered;
      },
      signal,
    );
  }

  /**
   * Returns the bytes of a file; undefined where there is none of that name.
   *
   * @param number Part of the path, as is `name`.
   */
  async read(number: string, name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    if (!/^\d{1,20}$/.test(number) || !/^\w{1,100}\.grb2$/.test(name)) return undefined;
    const key = keyOf(number, name);
    if ((await this.#deps.blobs.getRange(key, 0, 4)) === undefined) return undefined;
    return this.#deps.blobs.read(key);
  }

  /** Deletes files that are older than an hour, and leftovers of killed writers. */
  async sweep(): Promise<void> {
    const before = this.#deps.now() - KEPT_S;
    for await (const { key, modified } of this.#deps.blobs.list(FOLDER))
      if (modified < before) await this.#deps.blobs.delete(key);
  }
}

/** Key of a file. It is no folder of its own, which would outlive the file. */
function keyOf(number: string, name: string): string {
  return `${FOLDER}/${number}-${name}`;
}
