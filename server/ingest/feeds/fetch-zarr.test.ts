import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createDecoder } from "#server/ingest/decoder.ts";
import { feedOf } from "#test/fetched-part.ts";
import { type FetchingTest, fetchingTest } from "#test/fetching.ts";
import { stored } from "#test/object-server.ts";
import { fetchPart } from "./fetch-part.ts";

/** Keys of a store of six hourly steps by zarr-python. The fixture has those of hours 3 and 4, except for one chunk. */
const keys: Record<string, string> = JSON.parse(
  await readFile(path.join(import.meta.dirname, "../zarr/fixtures/smoc.zarr.json"), "utf8"),
);
const cycle = Date.UTC(2026, 10, 23) / 1000;
const prefix = "/data.example/store/currents.zarr";
let test: FetchingTest;
let folder: string;

beforeEach(async () => {
  test = await fetchingTest();
  folder = await mkdtemp(path.join(tmpdir(), "part-"));
  for (const [key, text] of Object.entries(keys)) put(key, Buffer.from(text, "base64"));
});

afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** @param written When the chunk was written, Unix seconds. */
function put(key: string, bytes: Uint8Array, written = cycle + 43_200): void {
  test.server.objects.set(`${prefix}/${key}`, { ...stored(bytes), lastModified: written });
}

const fetchHours = (...hours: number[]) => fetchArrays(["utotal", "vtotal"], ...hours);

const fetchArrays = (arrays: readonly string[], ...hours: number[]) => fetchSome(arrays, hours);

const fetchSome = (arrays: readonly string[], hours: readonly number[], mustBeWhole = false) =>
  fetchPart(
    feedOf({
      kind: "zarr",
      store: "currents.zarr",
      arrays,
      instead: { ttotal: ["vtotal"] },
      writtenFrom: cycle + 6 * 3600,
    }),
    { cycle, index: 0, times: hours.map((hour) => cycle + hour * 3600) },
    "full",
    {
      fetcher: test.fetcher({ attempts: 2 }),
      folder,
      clock: test.clock,
      signal: AbortSignal.timeout(20_000),
      mustBeWhole,
    },
  );

const asked = () => test.server.requests.map((request) => request.path.slice(prefix.length + 1)).sort();

it("fetches metadata, coordinates and the chunks of the wanted times, which the decoder reads", async () => {
  const fetched = await fetchHours(3);
  expect(fetched).toMatchObject({
    file: path.join(folder, "store.zarr"),
    mirror: "First",
  });
  const wanted = Object.keys(keys).filter((key) => !/\/4\.|VHM0|^at\//.test(key));
  // The metadata is fetched twice, because it is compared at the end. The head of the first chunk is fetched first, for
  // its age.
  expect(asked()).toEqual([...wanted, ".zmetadata", "utotal/3.0.0.0"].sort());
  const found = (await readdir(path.join(folder, "store.zarr"), { recursive: true })).filter((name) =>
    wanted.includes(name),
  );
  expect(found.sort()).toEqual(wanted.sort());
  const decoder = createDecoder();
  try {
    const { records } = await decoder.scan(path.join(folder, "store.zarr"));
    expect(records.map((record) => record.validTime)).toEqual([cycle + 10_800, cycle + 10_800]);
    for (const record of records) expect((await decoder.decode(record)).length).toBe(17 * 36);
  } finally {
    await decoder.close();
  }
});

it("is absent where the store does not reach the time, lacks a chunk, or does not exist", async () => {
  expect(await fetchHours(3, 6)).toBe("absent");
  expect(await fetchHours(4)).toBe("absent");
  test.server.objects.clear();
  expect(await fetchHours(3)).toBe("absent");
});

it("accepts no chunk of the previous run, which the store does not name, even if that run came late", async () => {
  put("vtotal/3.0.1.1", Buffer.from(keys["vtotal/3.0.1.1"]!, "base64"), cycle + 3600);
  expect(await fetchHours(3)).toBe("absent");
  put("vtotal/3.0.1.1", Buffer.from(keys["vtotal/3.0.1.1"]!, "base64"));
  expect(await fetchHours(3)).toMatchObject({ mirror: "First" });
});

it("checks a store of the day before with a few bytes, however often it is checked", async () => {
  const [old, chunks] = [cycle - 43_200, Object.keys(keys).filter((key) => /total\/3\./.test(key))];
  for (const key of chunks) put(key, Buffer.from(keys[key]!, "base64"), old);
  expect(await fetchHours(3)).toBe("absent");
  test.server.requests.length = 0;
  expect(await fetchHours(3)).toBe("absent");
  const first = test.server.requests.filter(({ path: requested }) => requested.startsWith(prefix));
  expect(
    first.map(({ path: requested, headers }) => [requested.slice(prefix.length + 1), headers.range]),
  ).toEqual([
    [".zmetadata", undefined],
    ["utotal/3.0.0.0", "bytes=0-15"],
  ]);
  for (const key of chunks) put(key, Buffer.from(keys[key]!, "base64"));
  expect(await fetchHours(3)).toMatchObject({ mirror: "First" });
});

it.each([
  ["garbage", { garbage: true as const }, "is not a whole Blosc frame"],
  ["a cut body", { cutAfter: 100 }, "it ended after 100"],
])("accepts no chunk that is %s", async (_, fault, words) => {
  test.server.fault = (requested) => (requested.endsWith("utotal/3.0.1.0") ? fault : undefined);
  await expect(fetchHours(3)).rejects.toThrow(words);
  test.server.fault = () => undefined;
  expect(await fetchHours(3)).toMatchObject({ mirror: "First" });
});

it("starts again where the store was updated while its chunks were fetched", async () => {
  const metadata = Buffer.from(keys[".zmetadata"]!, "base64").toString();
  test.server.fault = (requested) => {
    if (requested.endsWith("utotal/3.0.1.0")) put(".zmetadata", Buffer.from(`${metadata}\n`));
    return undefined;
  };
  expect(await fetchHours(3)).toMatchObject({ mirror: "First" });
  expect(asked().filter((key) => key === "utotal/3.0.0.1")).toHaveLength(2);
});

it("refuses a store whose metadata is damaged or lacks an array", async () => {
  put(".zmetadata", Buffer.from("{"));
  await expect(fetchHours(3)).rejects.toThrow("First: the Zarr store has no readable .zmetadata");
  put(".zmetadata", Buffer.from('{"metadata":{}}'));
  await expect(fetchHours(3)).rejects.toThrow("First: the store has no array utotal");
  const metadata = Buffer.from(keys[".zmetadata"]!, "base64").toString();
  put(".zmetadata", Buffer.from(metadata.replace(/\b17\b/g, "17000000000")));
  await expect(fetchHours(3)).rejects.toThrow("too many chunks");
});

it("fetches the arrays that the store has where it lacks another", async () => {
  expect(await fetchArrays(["utotal", "salinity"], 3)).toMatchObject({ mirror: "First" });
  expect(await readdir(path.join(folder, "store.zarr"))).not.toContain("vtotal");
  expect(await readdir(path.join(folder, "store.zarr"))).toContain("utotal");
});

it("keeps an incomplete part until the store has every array, and then fetches all", async () => {
  const metadata = Buffer.from(keys[".zmetadata"]!, "base64").toString();
  put(".zmetadata", Buffer.from(metadata.replaceAll("vtotal/", "other/")));
  const arrays = ["utotal", "vtotal"];
  const lacking = ["vtotal"];
  expect(await fetchSome(arrays, [3])).toMatchObject({ lacking });
  put(".zmetadata", Buffer.from(metadata));
  test.server.fault = (requested) => (requested.includes("vtotal/3") ? { status: 500 } : undefined);
  await expect(fetchSome(arrays, [3], true)).rejects.toThrow("status 500");
  expect(await fetchSome(arrays, [3])).toMatchObject({ lacking, bytesFetched: 0 });
  test.server.fault = () => undefined;
  expect(await fetchSome(arrays, [3], true)).toMatchObject({ lacking: [] });
  expect(await fetchSome(arrays, [3])).toMatchObject({ lacking: [], bytesFetched: 0 });
  expect(await readdir(path.join(folder, "store.zarr"))).toContain("vtotal");
});

it("fetches the substitutes of an array that the store lacks", async () => {
  expect(await fetchArrays(["utotal", "ttotal"], 3)).toMatchObject({ mirror: "First" });
  expect(await readdir(path.join(folder, "store.zarr"))).toContain("vtotal");
});
