import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { NoSpaceError, UnavailableError } from "#server/platform/errors.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { workerPool } from "#server/platform/worker-pool.ts";
import { testConversions } from "#test/answers.ts";
import { temporaryFolders } from "#test/databases.ts";
import type { ConversionRequest, Convert } from "./conversions.ts";
import { putGzip } from "./gzip-blobs.ts";

const folders = temporaryFolders();

/** Creates conversions that the test ends one by one. */
function open() {
  const folder = folders();
  const stored = folderBlobStore(folder);
  // Reads run one after another, so that conversions are queued in the order of the calls.
  let last: Promise<unknown> = Promise.resolve();
  const blobs: BlobStore = {
    ...stored,
    getRange: (...range) => {
      const next = last.then(() => stored.getRange(...range));
      last = next;
      return next;
    },
  };
  const started: { to: string; signal: AbortSignal; end(): Promise<void>; fail(error: Error): void }[] = [];
  const convert: Convert = (conversion, signal) =>
    new Promise((resolve, reject) => {
      const end = async () => {
        const { bytes } = await putGzip(blobs, conversion.to, [Buffer.from(conversion.to)]);
        resolve(bytes);
      };
      started.push({ to: conversion.to, signal, end, fail: reject });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const conversions = testConversions(blobs, convert);
  const ask = (file: string, { signal, size = 1, owner = file, ...sent }: Sent = {}) =>
    conversions.reply(
      owner,
      { file, kind: "MetOcean", size, synthetic: false },
      "text/csv",
      requestOf(sent, signal),
    );
  const running = () => started.map(({ to }) => to);
  return { folder, blobs, started, running, ask };
}

interface Sent {
  /** Owner of the request. By default each request has an owner of its own. */
  owner?: string;
  signal?: AbortSignal;
  size?: number;
  method?: string;
  encoding?: string;
}

function requestOf(
  { method = "GET", encoding }: Sent,
  signal = new AbortController().signal,
): ConversionRequest {
  return { method, signal, header: (name) => (name === "accept-encoding" ? encoding : undefined) };
}

const textOf = async ({ body }: { body: Uint8Array | AsyncIterable<Uint8Array> }) =>
  (body instanceof Uint8Array ? Buffer.from(body) : await buffer(body)).toString();

describe("conversions of stored results", () => {
  it("makes a conversion once for all callers that request it meanwhile and later", async () => {
    const { ask, started, running } = open();
    const both = [ask("a"), ask("a")];
    await vi.waitFor(() => expect(running()).toEqual(["a.csv"]));
    await started[0]!.end();
    for (const reply of both) expect(await textOf(await reply)).toBe("a.csv");
    expect(await textOf(await ask("a"))).toBe("a.csv");
    expect(running()).toEqual(["a.csv"]);
  });

  it("lets owners take turns: many conversions of one owner delay another's by only one of them, and cannot fill the queue", async () => {
    const { ask, started, running } = open();
    const asked = Array.from({ length: 9 }, (_, index) => ask(`a${index}`, { owner: "greedy" }));
    await vi.waitFor(() => expect(ask("a9", { owner: "greedy" })).rejects.toThrow(UnavailableError));
    asked.push(ask("b0", { owner: "b" }));
    // A place was left for the others.
    await vi.waitFor(() => expect(running()).toEqual(["a0.csv", "b0.csv"]));
    asked.push(ask("c0", { owner: "c" }), ask("b1", { owner: "b" }));
    for (let at = 0; at < asked.length; at++) {
      await vi.waitFor(() => expect(running().length).toBeGreaterThan(at));
      await started[at]!.end();
    }
    await Promise.all(asked);
    const before = (file: string) => running().slice(0, running().indexOf(`${file}.csv`));
    const greedy = (file: string) => before(file).filter((each) => each.startsWith("a")).length;
    expect(greedy("c0")).toBeLessThanOrEqual(2);
    expect(greedy("b1")).toBeLessThanOrEqual(3);
    expect(running().length).toBe(asked.length);
  });

  it("stops a conversion, or removes it from the queue, when the last caller that waits for it leaves", async () => {
    const { ask, started, running } = open();
    const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()];
    const left = [ask("a", one), ask("a", two), ask("b"), ask("c", three), ask("d")];
    const results = Promise.allSettled(left);
    await vi.waitFor(() => expect(running()).toEqual(["a.csv", "b.csv"]));
    one.abort();
    await expect(left[0]).rejects.toThrow("aborted");
    expect(started[0]!.signal.aborted).toBe(false);
    three.abort();
    two.abort();
    // The place is free for the next one, which is no longer "c".
    await vi.waitFor(() => expect(running()).toEqual(["a.csv", "b.csv", "d.csv"]));
    expect(started[0]!.signal.aborted).toBe(true);
    await started[1]!.end();
    await started[2]!.end();
    expect((await results).map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  });

  it("tries a failed conversion again, and reports a full disk as 503", async () => {
    const { ask, started, running } = open();
    const first = ask("a");
    await vi.waitFor(() => expect(running().length).toBe(1));
    started[0]!.fail(new NoSpaceError("ENOSPC"));
    await expect(first).rejects.toThrow(UnavailableError);
    const second = ask("a");
    await vi.waitFor(() => expect(running().length).toBe(2));
    await started[1]!.end();
    expect(await textOf(await second)).toBe("a.csv");
  });
});

describe("the thread that converts", () => {
  const tasksDir = folders();
  const blobs = folderBlobStore(tasksDir);
  const entry = new URL("./conversion-thread.ts", import.meta.url);
  const pool = workerPool({
    entry,
    data: { blobs: { kind: "folder", folder: tasksDir }, storage: { minFreeBytes: 0 } },
    idleMs: 60_000,
  });
  afterAll(() => pool.terminate());

  it("passes written bytes on at once", async () => {
    const result = {
      coordinates: { latitude: 48.5, longitude: -5.2, timestamp: "2026-01-01T00:00:00Z" },
      conditions: { Winds_10m_Direction: 12.3, Winds_10m_Intensity: null },
    };
    const envelope = `{"task_id":["a"],"status":"SUCCESS","result":{"results":[${JSON.stringify(result)}],"execution_time":"0 s"}}`;
    await putGzip(blobs, "a", [Buffer.from(envelope)]);
    const conversions = testConversions(blobs, (conversion, signal) =>
      pool.call("convert", conversion, { signal }),
    );
    const source = { file: "a", kind: "MetOcean", synthetic: false } as const;
    const [here, there] = [
      await conversions.reply("owner", source, "text/csv", requestOf({}), Buffer.from(envelope)),
      await conversions.reply("owner", source, "text/csv", requestOf({})),
    ];
    const text = await textOf(there);
    expect(text).toBe(await textOf(here));
    expect(text).toContain("48.5,-5.2,2026-01-01T00:00:00Z,12.3,,Not for navigation");
  });
});
