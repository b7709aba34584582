import { buffer } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { networks, postOnce } from "#server/alerts/post-once.ts";
import { httpSource } from "#server/archive/remote/http-source.ts";
import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import { compileOwnSource, ownSourceSchema } from "#server/ingest/sources/own-source.ts";
import { createFetcher } from "#server/platform/fetching/fetcher.ts";
import { smtpMailer } from "#server/platform/mail.ts";
import { s3BlobStore } from "#server/platform/s3-blob-store.ts";
import { temporaryFolder } from "./archive.ts";
import { piecesOf } from "./blob-stores.ts";
import { hostileHost, type Misbehaviour, misbehaviours } from "./hostile-host.ts";

/** Limits in real milliseconds, because sockets use real time. */
const limits = { connectMs: 120, idleMs: 120, wholeMs: 400, transferMs: 400 };
const { signal } = new AbortController();
const clock = { now: () => Date.UTC(2026, 0, 1, 12) / 1000 };
const sleep = async () => {};
const random = () => 0.5;

/** Each place of the service that calls another machine, with the address of a host. */
const callers: Record<string, (address: string) => Promise<unknown>[]> = {
  "webhooks and topics": (address) => [
    postOnce(
      { allowed: networks(["127.0.0.0/8"]), maxMs: limits.wholeMs },
      { url: new URL(address), headers: {}, body: "{}", signal },
    ),
  ],
  feeds: (address) => {
    const fetcher = fetcherOf(address);
    const get = (more = {}) => fetcher.get("https://data.example/a", { maxBytes: 1e7, signal, ...more });
    return [get(), get({ into: () => {} }), get({ range: { from: 10, to: 20 } })];
  },
  "own sources": (address) => {
    const feed = compileOwnSource(
      ownSourceSchema.parse({
        name: "wrf",
        credit: "us",
        cycles: { every: 24 },
        delay: { first: 6, whole: 7 },
        leads: ["0-2"],
        mirrors: [{ base: "https://data.example" }],
        files: "{YYYY}{MM}{DD}{HH}/{FF}",
        fields: { air_temperature: { grib: [0, 0, 0], level: [103, 2], units: "K" } },
      }),
      () => "",
    );
    const [part] = feed.parts(clock.now() - 12 * 3600, "standard");
    const folder = temporaryFolder();
    return [fetchPart(feed, part!, "standard", { fetcher: fetcherOf(address), clock, signal, folder })];
  },
  "archives of web servers": (address) => {
    const source = httpSource(address, { limits, sleep, random });
    onTestFinished(() => source.close?.());
    return [source.get("manifest.json", signal), source.getRange("a", 0, 10, signal)];
  },
  buckets: (address) => {
    vi.stubEnv("AWS_ENDPOINT_URL_S3", address);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "a");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "b");
    const blobs = s3BlobStore({ bucket: "bucket", prefix: "", isPathStyle: true }, { attempts: 1, limits });
    onTestFinished(() => blobs.close());
    return [
      blobs.get("a"),
      blobs.getRange("a", 0, 10),
      blobs.getRange("a", -10, 10),
      blobs.getChanged("a", undefined),
      buffer(blobs.read("a")),
      blobs.put("a", piecesOf(new Uint8Array(10))),
      blobs.delete("a"),
      Array.fromAsync(blobs.list()),
    ];
  },
  mail: (address) => {
    const { protocol, host } = new URL(address);
    const scheme = protocol === "https:" ? "smtps" : "smtp";
    const mailer = smtpMailer(`${scheme}://${host}`, "service@example.org", limits);
    onTestFinished(() => mailer.close());
    const mail = { id: "a", to: "mate@example.org", subject: "a", text: "a", html: "a" };
    return [mailer.send(mail)];
  },
};

function fetcherOf(mirror: string) {
  const fetcher = createFetcher({
    ...{ hosts: { "data.example": {} }, mirror, userAgent: "test", clock, sleep, random, limits },
    bytesADay: Number.POSITIVE_INFINITY,
    spend: () => 0,
    attempts: 1,
  });
  onTestFinished(() => fetcher.close());
  return fetcher;
}

/**
 * Numbers of the requests of each place that succeeded at a host. All requests have settled, and no connection is left.
 */
async function succeeded(how: Misbehaviour, secure = false): Promise<Record<string, number[]>> {
  const asking = Object.entries(callers).map(async ([place, ask]) => {
    // Mail servers speak first.
    await using host = await hostileHost(how, secure || place === "mail");
    const settled = await Promise.allSettled(ask(`${secure ? "https" : "http"}://127.0.0.1:${host.port}`));
    await expect.poll(host.open, { message: place }).toBe(0);
    return [place, settled.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []))] as const;
  });
  return Object.fromEntries(await Promise.all(asking));
}

/** Time after which a test reports a hang, milliseconds. */
const HANGS_MS = 15_000;

const none = Object.fromEntries(Object.keys(callers).map((place) => [place, []]));

it.each(Object.keys(misbehaviours) as Misbehaviour[])(
  "every request to another machine ends in time where it %s",
  async (how) => {
    expect(await succeeded(how)).toEqual(none);
  },
  HANGS_MS,
);

it("every request to another machine ends in time where TLS is never established", {
  timeout: HANGS_MS,
}, async () => {
  expect(await succeeded("says nothing", true)).toEqual(none);
});
