import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { digestOf, feedOf } from "#test/fetched-part.ts";
import { digest, type FetchingTest, fetchingTest } from "#test/fetching.ts";
import { gribMessage } from "#test/grib-objects.ts";
import { stored } from "#test/object-server.ts";
import { seeded } from "#test/seeded.ts";
import { fetchAll } from "./fetch-files.ts";
import { fetchPart } from "./fetch-part.ts";
import type { PartObjects } from "./field-feed.ts";
import type { FetchWork } from "./part-store.ts";

const fixtures = path.join(import.meta.dirname, "../netcdf/fixtures");
let test: FetchingTest;
let folder: string;
let file: Buffer;

beforeEach(async () => {
  test = await fetchingTest();
  folder = await mkdtemp(path.join(tmpdir(), "part-"));
  file = await readFile(path.join(fixtures, "smoc_R20260715.nc"));
});

afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const put = (name: string, bytes: Uint8Array) =>
  test.server.objects.set(`/data.example/store/${name}`, stored(bytes));

const fetchFile = (...objects: string[]) => fetchObjects({ kind: "file", objects });

const fetchObjects = (objects: PartObjects) =>
  fetchPart(feedOf(objects), { cycle: 0, index: 0, times: [0] }, "full", {
    fetcher: test.fetcher({ attempts: 2 }),
    folder,
    clock: test.clock,
    signal: AbortSignal.timeout(20_000),
  });

it("fetches the first of several names that exists, completely, and names the file by its format", async () => {
  put("b.nc", file);
  put("c.nc", Buffer.from("CDF\u0001"));
  const fetched = await fetchFile("a.nc", "b.nc", "c.nc");
  expect(fetched).toMatchObject({
    file: path.join(folder, "file.nc"),
    bytesFetched: file.length,
    mirror: "First",
  });
  expect(await digestOf(fetched)).toBe(digest(file));
  await rm(folder, { recursive: true });
  put("a.nc", gribMessage(Buffer.alloc(9)));
  expect(await fetchFile("a.nc")).toMatchObject({ file: path.join(folder, "file.grib2") });
});

it("is absent where no mirror has any of the names", async () => {
  expect(await fetchFile("a.nc", "b.nc")).toBe("absent");
  expect(test.server.requests).toHaveLength(4);
});

it("continues where an earlier attempt was cut", async () => {
  const random = seeded(4);
  const large = Buffer.concat([
    Buffer.from("CDF\u0002"),
    Buffer.from(Array.from({ length: 500_000 }, () => random() * 256)),
  ]);
  put("a.nc", large);
  test.server.fault = () => (test.server.requests.length < 2 ? { cutAfter: 300_000 } : { status: 500 });
  await expect(fetchFile("a.nc")).rejects.toThrow("First: data.example");
  test.server.fault = () => undefined;
  const fetched = await fetchFile("a.nc");
  expect(await digestOf(fetched)).toBe(digest(large));
  expect(test.server.requests.at(-1)!.headers.range).toMatch(/^bytes=[1-3]\d{5}-/);
});

it("starts again where the object is no longer the one of the earlier attempt", async () => {
  put("a.nc", Buffer.concat([file, Buffer.alloc(200_000)]));
  test.server.fault = () => (test.server.requests.length < 2 ? { cutAfter: 150_000 } : { status: 500 });
  await expect(fetchFile("a.nc")).rejects.toThrow();
  put("a.nc", file);
  test.server.fault = () => undefined;
  expect(await digestOf(await fetchFile("a.nc"))).toBe(digest(file));
});

it.each([
  ["nothing", () => Buffer.alloc(0), "the file is empty"],
  ["a page", () => Buffer.from("<html>Are you a robot?</html>"), "neither GRIB nor NetCDF"],
  ["a part of a file that was published whole", () => file.subarray(0, 5000), "bytes of the"],
  [
    "a GRIB file that ends early",
    () => gribMessage(Buffer.alloc(99)).subarray(0, 150),
    "does not end with 7777",
  ],
])("refuses %s", async (_, bytes, words) => {
  put("a.nc", bytes());
  const failure = fetchFile("a.nc");
  await expect(failure).rejects.toThrow("First: ");
  await expect(failure).rejects.toThrow(words);
});

it("accepts what a program generates while it answers, without a version and without a length", async () => {
  test.server.objects.set("/data.example/store/a.nc?var=u", { bytes: file });
  expect(await digestOf(await fetchFile("a.nc?var=u"))).toBe(digest(file));
});

it.each([
  ["plain", (bytes: Buffer) => bytes],
  ["gzip", (bytes: Buffer) => gzipSync(bytes)],
])(
  "one of several files (%s) that was published cut is fetched again, and the others are not",
  async (_, pack) => {
    const message = gribMessage(Buffer.alloc(300));
    const fetchBoth = () => fetchObjects({ kind: "all", objects: ["a", "b"] });
    put("a", pack(message));
    put("b", pack(message.subarray(0, 200)));
    await expect(fetchBoth()).rejects.toThrow("does not end with 7777");
    const packed = pack(message);
    put("b", packed.subarray(0, packed.length - 20));
    await expect(fetchBoth()).rejects.toThrow();
    put("b", packed);
    const fetched = await fetchBoth();
    expect(await digestOf(fetched)).toBe(digest(Buffer.concat([message, message])));
    expect(test.server.requests.filter((request) => request.path === "/data.example/store/a")).toHaveLength(
      1,
    );
  },
);

const packed = path.join(import.meta.dirname, "fixtures");

/** Fetches the part that these files of the folder form, and returns its bytes. */
async function fetched(
  objects: readonly string[],
  options?: { maxBytes?: number; maxUnpackMs?: number; signal?: AbortSignal },
) {
  const { signal = new AbortController().signal, ...limits } = options ?? {};
  const work = { folder, count: { fetched: 0 }, signal } as unknown as FetchWork;
  const ready = await fetchAll(folder, { kind: "all", objects }, work, limits);
  return ready === "absent" ? ready : (await stat(ready.path)).size;
}

it("reads nothing of a file in a folder that is too large", async () => {
  const message = gribMessage(Buffer.alloc(100));
  await writeFile(path.join(folder, "a"), message);
  expect(await fetched(["a"], { maxBytes: message.length })).toBe(message.length);
  await expect(fetched(["a"], { maxBytes: message.length - 1 })).rejects.toThrow(/a has more than \d+ bytes/);
});

it("accepts files whose total is exactly the limit, and no more", async () => {
  const message = gribMessage(Buffer.alloc(100));
  const all = 3 * message.length;
  await writeFile(path.join(folder, "a"), message);
  await writeFile(path.join(folder, "b"), gzipSync(message));
  // The streams of two tools are joined.
  await writeFile(
    path.join(folder, "c"),
    Buffer.concat([gzipSync(message.subarray(0, 50)), gzipSync(message.subarray(50))]),
  );
  expect(await fetched(["a", "b", "c"], { maxBytes: all })).toBe(all);
  await expect(fetched(["a", "b", "c"], { maxBytes: all - 1 })).rejects.toThrow(
    `c cannot be used: the part has more than ${all - 1} bytes`,
  );
  await expect(fetched(["b", "a"], { maxBytes: message.length + 1 })).rejects.toThrow(
    /a cannot be used: the part/,
  );
});

it("puts several files of NetCDF into a folder, each whole, and refuses a mixture of forms", async () => {
  const variables = ["wind_speed_at_10m", "wind_direction_at_10m"];
  const from = path.join(import.meta.dirname, "../publishers/fixtures/ukmo");
  const contents = await Promise.all(
    variables.map((name) => readFile(path.join(from, `20261123T0000Z-PT0000H00M-${name}.nc`))),
  );
  for (const [index, bytes] of contents.entries()) await writeFile(path.join(folder, `${index}`), bytes);
  await writeFile(path.join(folder, "packed"), gzipSync(contents[1]!));
  await writeFile(path.join(folder, "message"), gribMessage(Buffer.alloc(100)));
  const work = { folder, count: { fetched: 0 } } as unknown as FetchWork;
  const all = (objects: readonly string[], maxBytes = 1e6) =>
    fetchAll(
      folder,
      { kind: "all", objects },
      { ...work, signal: new AbortController().signal },
      { maxBytes },
    );
  const ready = await all(["0", "packed"]);
  if (ready === "absent") throw new Error("the files are there");
  await ready.settle();
  expect(ready.name).toBe("files");
  for (const [index, bytes] of contents.entries())
    expect(await readFile(path.join(ready.path, `${index}.nc`))).toEqual(bytes);
  expect(await all(["0", "none"])).toBe("absent");
  const size = contents[0]!.length + contents[1]!.length;
  await expect(all(["0", "packed"], size - 1)).rejects.toThrow("packed cannot be used");
  await expect(all(["0", "message"])).rejects.toThrow("message is not a nc file as the others");
  await expect(all(["message", "0"])).rejects.toThrow("0 is not a grib2 file as the others");
});

const zeros = gzipSync(Buffer.alloc(50e6));

it.each<[string, () => Promise<Buffer>]>([
  ["gzip", async () => zeros],
  ["bzip2", () => readFile(path.join(packed, "zeros.bz2"))],
])("unpacks %s in a thread, up to the size and time limits", async (_, bytes) => {
  await writeFile(path.join(folder, "a"), await bytes());
  await expect(fetched(["a"], { maxBytes: 1e6 })).rejects.toThrow("the part has more than 1000000 bytes");
  await expect(fetched(["a"], { maxUnpackMs: 1 })).rejects.toThrow("it takes more than 0.001 s");
  const cancelled = new AbortController();
  const ended = expect(fetched(["a"], { signal: cancelled.signal })).rejects.toThrow("the service ends");
  // This thread continues meanwhile.
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
  cancelled.abort(new Error("the service ends"));
  await ended;
});

const ofRegional = path.join(
  import.meta.dirname,
  "../sources/fixtures/own/regional/00/pmsl/regional_2026010100_001_PMSL.grib2.bz2",
);

it("unpacks bzip2 completely, even of several streams, and refuses damaged or cut data", async () => {
  const whole = await readFile(ofRegional);
  const put = (bytes: Uint8Array) => writeFile(path.join(folder, "a"), bytes);
  await put(whole);
  const size = Number(await fetched(["a"]));
  await put(Buffer.concat([whole, whole]));
  expect(await fetched(["a"])).toBe(2 * size);
  const damaged = Buffer.from(whole);
  damaged[whole.length - 4]! ^= 1;
  await put(damaged);
  await expect(fetched(["a"])).rejects.toThrow(/a cannot be used: Data error: Bad stream CRC/);
  await put(whole.subarray(0, -1));
  await expect(fetched(["a"])).rejects.toThrow("a cannot be used: it ends early");
  await put(await readFile(path.join(packed, "between-blocks.bz2")));
  await expect(fetched(["a"])).rejects.toThrow("a cannot be used: it ends early");
  await put(gzipSync(whole).subarray(0, -1));
  await expect(fetched(["a"])).rejects.toThrow("a cannot be used: unexpected end of file");
});
