import { copyFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { entriesOf, piecesOf, randomBytes, testBlobStore } from "#test/blob-stores.ts";
import { BUCKET, startS3InEnv, type TestStore } from "#test/s3/start-s3.ts";
import { NoSpaceError, UnavailableError } from "./errors.ts";
import { type S3BlobStore, s3BlobStore, s3Failure } from "./s3-blob-store.ts";

let store: TestStore;
let blobs: S3BlobStore;
let prefixes = 0;

beforeAll(async () => {
  store = await startS3InEnv();
});
beforeEach(() => {
  blobs = s3BlobStore({ isPathStyle: true, bucket: BUCKET, prefix: `replica/${prefixes++}/` });
  store.proxy.requests.length = 0;
});
afterEach(() => {
  blobs.close();
  store.proxy.faults = [];
  store.proxy.always = undefined;
});
afterAll(async () => {
  await store.close();
});

// A blob above 8 MiB is uploaded in parts.
testBlobStore(() => blobs, 9 * 2 ** 20);

it("lists the blobs of its prefix with size and age, more than one page of them", async () => {
  const other = s3BlobStore({ isPathStyle: true, bucket: BUCKET, prefix: "" });
  await other.put("elsewhere", piecesOf(randomBytes(2)));
  // One page lists 1,000 blobs.
  const wanted = Array.from({ length: 1010 }, (_, index) => `task/${String(index).padStart(4, "0")}`);
  await blobs.put(wanted[0]!, piecesOf(randomBytes(3)));
  // The other blobs are written straight to the store's folder, because uploading so many takes seconds.
  const kept = path.join(store.folder, BUCKET, `replica/${prefixes - 1}/task`);
  for (const key of wanted.slice(1))
    for (const end of ["object", "object.md5", "metadata.json"])
      copyFileSync(`${kept}/0000._S3rver_${end}`, `${kept}/${key.slice(5)}._S3rver_${end}`);
  store.proxy.requests.length = 0;
  const entries = await entriesOf(blobs);
  expect(store.proxy.requests).toHaveLength(2);
  expect(entries.map(({ key }) => key)).toEqual(wanted);
  expect(entries.every(({ bytes, modified }) => bytes === 3 && modified > 1.7e9)).toBe(true);
  other.close();
});

it("gets the same bytes from a store that slows down, breaks connections and cuts bodies", async () => {
  const bytes = randomBytes(500_000);
  store.proxy.faults = [{ kind: "slow-down" }, { kind: "refuse" }];
  await blobs.put("a", piecesOf(bytes));
  for (const faults of [
    [{ kind: "slow-down" }],
    [{ kind: "truncate", after: 100_000 }, { kind: "truncate", after: 1 }, { kind: "refuse" }],
    [{ kind: "truncate", after: 0 }],
  ] as const) {
    for (const get of [() => blobs.get("a"), () => buffer(blobs.read("a"))]) {
      store.proxy.faults = [...faults];
      expect(Buffer.compare((await get())!, bytes)).toBe(0);
      expect(store.proxy.faults).toEqual([]);
    }
    store.proxy.faults = [...faults];
    expect(Buffer.compare((await blobs.getRange("a", 7, 400_000))!, bytes.subarray(7, 400_007))).toBe(0);
  }
});

it("says that the store cannot be reached and when to retry while the store stays away", async () => {
  await blobs.put("a", piecesOf(randomBytes(10)));
  const impatient = s3BlobStore(
    { isPathStyle: true, bucket: BUCKET, prefix: `replica/${prefixes - 1}/` },
    { attempts: 1 },
  );
  for (const kind of ["refuse", "slow-down"] as const) {
    store.proxy.always = { kind };
    for (const asked of [
      () => impatient.get("a"),
      () => buffer(impatient.read("a")),
      () => impatient.put("b", piecesOf(randomBytes(10))),
      () => impatient.delete("a"),
      () => impatient.list()[Symbol.asyncIterator]().next(),
    ]) {
      const error = await Promise.resolve(asked()).then(
        () => undefined,
        (failure) => failure,
      );
      expect(error).toBeInstanceOf(UnavailableError);
      expect(error).toMatchObject({ message: "The object store cannot be reached", retryAfter: 5 });
    }
  }
  store.proxy.always = undefined;
  expect(await impatient.get("a")).toHaveLength(10);
  impatient.close();
});

it("ends what is in flight, and tries nothing again, when it is closed", async () => {
  store.proxy.always = { kind: "stall" };
  const asked = Promise.allSettled([
    blobs.get("a"),
    buffer(blobs.read("a")),
    blobs.put("a", piecesOf(randomBytes(10))),
    blobs.delete("a"),
    entriesOf(blobs),
  ]);
  await expect.poll(() => store.proxy.requests.length).toBe(5);
  blobs.close();
  const reasons = (await asked).map((each) => (each.status === "rejected" ? each.reason : "settled"));
  expect(reasons).toEqual(new Array(5).fill(expect.any(UnavailableError)));
  expect(store.proxy.requests).toHaveLength(5);
});

it("rejects a whole object where a part was requested", async () => {
  const object = randomBytes(100);
  await blobs.put("a", piecesOf(object));
  const whole = { kind: "whole", object } as const;
  for (const [offset, length] of [
    [10, 20],
    [0, 20],
  ] as const) {
    store.proxy.faults = [whole];
    await expect(blobs.getRange("a", offset, length)).rejects.toThrow("answers no ranges");
  }
  store.proxy.faults = [whole];
  expect(Buffer.compare((await blobs.getRange("a", 0, 100))!, object)).toBe(0);
});

const failure = (name: string, httpStatusCode?: number) =>
  s3Failure(Object.assign(new Error(name), { name, $metadata: { httpStatusCode } }));

it.each([
  ["AccessDenied", 403],
  // A reply without a body, as to HEAD, has no error name of its own.
  ["403", 403],
  ["PermanentRedirect", 301],
  ["ExpiredToken", 400],
])("tells the operator that the store refuses access, and why: %s", (name, status) => {
  expect(failure(name, status).toString()).toContain(`The object store refuses this service (${name})`);
});

it("distinguishes a missing object, a range beyond the end, a full store and one that does not answer", () => {
  expect([failure("NoSuchKey", 404), failure("NotFound", 404), failure("416", 416)]).toEqual([
    "missing",
    "missing",
    "beyond",
  ]);
  expect(failure("XMinioStorageFull", 507)).toBeInstanceOf(NoSpaceError);
  for (const away of [failure("SlowDown", 503), failure("InternalError", 500), failure("Error")])
    expect(away).toMatchObject({ message: "The object store cannot be reached" });
});
