import "./without-eval.ts";
import { pause } from "@open-metocean/client/connect";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { DAY_S } from "#lib/time.ts";
import { type AreaWish, areaChanges, areaStores, DESCRIPTION, type SavedArea } from "./saved-areas.ts";
import { areaPrefixes, FRAMES, forgetCount, frameName, savedCopy } from "./saved-replies.ts";

/** The manifests and frames that are saved for an area. */
export interface AreaPlan {
  wish: AreaWish;
  /** Last saved time, Unix seconds; undefined if nothing of it changes with time. */
  until: number | undefined;
  /** Manifests of its layers that list only what is saved, under their names among saved replies. */
  manifests: readonly { name: string; manifest: FieldManifest }[];
  /** Size of each frame on the device, bytes, by signed path. */
  frames: ReadonlyMap<string, number>;
  /** Size of all of them. */
  bytes: number;
}

/** Why an area was not saved: no space on the device, or a reply that is no frame. */
export class AreaError extends Error {
  override readonly name = "AreaError";
  readonly why: "full" | "lost";
  constructor(why: "full" | "lost", cause?: unknown) {
    super(why === "full" ? "The device has no space for the area" : "The area was not read to its end", {
      cause,
    });
    this.why = why;
  }
}

/** Requests of one area at the same time; the map keeps some of those that a browser opens to a host. */
const PARALLEL = 3;

/** Wait after a 429 without Retry-After, ms. */
const LIMITED_MS = 5000;

interface Saving {
  /** The area that this completes or replaces; a whole one stays until the new one is whole. */
  former: SavedArea | undefined;
  signal: AbortSignal;
  /** @param bytes Saved so far. */
  onProgress(bytes: number): void;
  /** Unix seconds. */
  now: number;
  /** Waits some milliseconds; rejects with the reason of the signal. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Saves an area. What an interrupted attempt has saved is not requested again. It sends its requests itself, because
 * replies that the page requests would displace other saved ones.
 *
 * @throws AreaError if the device is full, after which nothing of the area is left, or if a frame cannot be read, after
 * which the attempt can be continued; the reason of the signal if it aborts.
 */
export async function saveArea(key: string, plan: AreaPlan, saving: Saving): Promise<SavedArea> {
  const { former, signal, onProgress, now, wait = pause } = saving;
  const [prefix] = await areaPrefixes(key);
  // A part that was saved without a key is read again, because replies to a key are not stored for visitors.
  const isContinued = former?.state === "part" && (await caches.has(prefix + former.id));
  const id = isContinued ? former.id : `${now.toString(36)}${crypto.randomUUID().slice(0, 4)}`;
  const begun = forgetCount();
  const area: SavedArea = {
    ...plan.wish,
    id,
    until: plan.until,
    bytes: plan.bytes,
    frames: plan.frames.size,
    at: now,
    state: "part",
  };
  const cache = await caches.open(prefix + id);
  // A request that ends after the key was forgotten must not bring its store back.
  const put = async (name: string, reply: Response) => {
    if (begun !== forgetCount()) throw new AreaError("lost");
    await cache.put(name, reply);
  };
  const describe = (state: SavedArea["state"]) =>
    put(DESCRIPTION, Response.json({ ...area, state } satisfies SavedArea));
  try {
    await describe("part");
    areaChanges.set(areaChanges.read() + 1);
    const names = new Map([...plan.frames].map(([path, size]) => [frameName(path) ?? path, { path, size }]));
    const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    let bytes = 0;
    const missing: [string, { path: string; size: number }][] = [];
    for (const [name, frame] of names) {
      if (there.has(name)) bytes += frame.size;
      else missing.push([name, frame]);
    }
    onProgress(bytes);
    const left = missing.values();
    // After a failure the other requests are useless.
    const stop = new AbortController();
    const until = AbortSignal.any([signal, stop.signal]);
    const work = async () => {
      for (const [name, { path, size }] of left) {
        await put(name, await fetchFrame(path, size, { now, signal: until, wait }));
        until.throwIfAborted();
        bytes += size;
        onProgress(bytes);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work)).finally(() => stop.abort());
    // An attempt that began with an older run has saved frames that are not needed any more.
    for (const name of there) if (name.startsWith(FRAMES) && !names.has(name)) await cache.delete(name);
    for (const { name, manifest } of plan.manifests)
      await put(name, savedCopy(JSON.stringify(manifest), jsonHeaders, now));
    await describe("whole");
  } catch (error) {
    if (isFull(error) || begun !== forgetCount()) await caches.delete(prefix + id);
    areaChanges.set(areaChanges.read() + 1);
    if (isFull(error)) throw new AreaError("full", error);
    throw error;
  }
  if (former && !isContinued) await deleteStores(key, former.id);
  areaChanges.set(areaChanges.read() + 1);
  return { ...area, state: "whole" };
}

const jsonHeaders = new Headers({ "content-type": "application/json" });

const isFull = (error: unknown) => error instanceof DOMException && error.name === "QuotaExceededError";

/** @param size Expected size, bytes: a reply of another size, such as that of a captive portal, is no frame. */
async function fetchFrame(
  path: string,
  size: number,
  { now, signal, wait }: Required<Pick<Saving, "now" | "signal" | "wait">>,
): Promise<Response> {
  for (;;) {
    const reply = await fetch(path, { signal, priority: "low" }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new AreaError("lost", error);
    });
    if (reply.status === 429) {
      const seconds = Number(reply.headers.get("retry-after"));
      await reply.body?.cancel();
      await wait(seconds > 0 ? 1000 * seconds : LIMITED_MS, signal);
      continue;
    }
    const body = reply.ok
      ? await reply.arrayBuffer().catch((error: unknown) => {
          if (signal.aborted) throw error;
          throw new AreaError("lost", error);
        })
      : undefined;
    if (body?.byteLength !== size) throw new AreaError("lost");
    return savedCopy(body, reply.headers, now);
  }
}

/**
 * Bytes that the network carries for a plan, estimated by the compressed sizes of one time of each layer; undefined if
 * the service does not say them.
 */
export async function bytesToLoad(
  { frames, bytes, manifests }: AreaPlan,
  signal: AbortSignal,
): Promise<number | undefined> {
  const paths = [...frames.keys()];
  const asked = manifests.flatMap(({ manifest: { runs } }) => {
    const run = runs[Math.floor(runs.length / 2)];
    const time = run?.times[Math.floor(run.times.length / 2)];
    if (!run || !time) return [];
    const start = `${run.frames}/${encodeURIComponent(time)}/`;
    return paths.filter((path) => path.startsWith(start));
  });
  let [plain, packed] = [0, 0];
  for (const path of asked) {
    const reply = await fetch(path, { method: "HEAD", signal });
    const length = Number(reply.headers.get("content-length"));
    if (!reply.ok || !(length > 0)) return undefined;
    plain += frames.get(path) ?? 0;
    packed += length;
  }
  return plain > 0 ? (bytes * packed) / plain : undefined;
}

/** Space that the browser still grants, bytes; undefined if it does not say. */
export async function freeSpace(): Promise<number | undefined> {
  const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
  return quota === undefined || usage === undefined ? undefined : Math.max(0, quota - usage);
}

/**
 * Asks the browser not to delete what is saved when the device is short of space. @returns Whether it promises that.
 */
export async function keepForGood(): Promise<boolean> {
  return (await navigator.storage?.persist?.()) ?? false;
}

export async function deleteArea(key: string, id: string): Promise<void> {
  await deleteStores(key, id);
  areaChanges.set(areaChanges.read() + 1);
}

async function deleteStores(key: string, id: string): Promise<void> {
  for (const prefix of await areaPrefixes(key)) await caches.delete(prefix + id);
}

/** How long an area is kept after its last saved time, seconds. */
const KEPT_S = DAY_S;

/**
 * Deletes what areas have saved whose last time is past by a day; their descriptions stay, so that the user is told.
 *
 * @param now Weather clock, Unix seconds.
 */
export async function removeOldAreas(key: string, now: number): Promise<void> {
  for (const { name, area } of await areaStores(key)) {
    if (area.state === "removed" || area.until === undefined || area.until + KEPT_S >= now) continue;
    await caches.delete(name);
    const cache = await caches.open(name);
    await cache.put(DESCRIPTION, Response.json({ ...area, state: "removed" } satisfies SavedArea));
    areaChanges.set(areaChanges.read() + 1);
  }
}
