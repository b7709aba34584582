import { expect, it } from "vitest";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { ChunkCache } from "./chunks.ts";
import type { Shape } from "./layout.ts";
import { OpenArrays, type PointArray } from "./open-arrays.ts";
import type { Run } from "./run.ts";
import type { ChunkStore } from "./store.ts";
import { fieldMetadata } from "./zarr-metadata.ts";

const CHUNK: Shape = [8, 16, 16];
const CHUNK_BYTES = 2 * 8 * 16 * 16;
/** The shape has 40,500 chunks. */
const SHAPE: Shape = [80, 720, 1440];
const CHUNKS_PER_PAGE = 32;
const BUDGET = 100_000;
const [FIRST, SECOND] = ["eastward_wind_10m", "northward_wind_10m"] as const;

const run: Run = {
  id: "run",
  path: "runs/run",
  dataset: "Forecast",
  source: "test",
  model: "Test",
  referenceTime: 0,
  grid: {
    latitude: { start: -90, step: 0.25, count: SHAPE[1] },
    longitude: { start: 0, step: 0.25, count: SHAPE[2] },
  },
  times: Array.from({ length: SHAPE[0] }, (_, hour) => 3600 * (hour + 1)),
  levels: [1],
  fields: { [FIRST]: {}, [SECOND]: {} },
};

const store: ChunkStore = {
  get: (key) => {
    const name = key.split("/").at(-2) as FieldName;
    const metadata = fieldMetadata(fields[name], { shape: SHAPE, chunk: CHUNK, codec: "plain" });
    return Buffer.from(JSON.stringify(metadata));
  },
  getRange: () => undefined,
  evenChunks: () => CHUNK_BYTES,
};

it("keeps tables that grow within the budget: unused pages are freed first, then arrays that nobody uses are closed", async () => {
  const cache = new ChunkCache(2 ** 18, CHUNK_BYTES / 2);
  const arrays = new OpenArrays(store, cache, BUDGET);
  const open = async (field: FieldName) => {
    const array = arrays.opened(run, field) ?? (await arrays.open(run, field, new AbortController().signal));
    array.users = 0;
    return array;
  };
  const askFor = ({ table }: PointArray, pages: number) => {
    for (let page = 0; page < pages; page++) table.find(page * CHUNKS_PER_PAGE);
  };
  const [first, second] = [await open(FIRST), await open(SECOND)];
  askFor(first, 300);
  cache.put(first.number, 5, new Uint8Array(CHUNK_BYTES));
  askFor(second, 600);
  expect(arrays.byteLength).toBeLessThan(BUDGET);
  expect(await open(FIRST)).toBe(first);
  expect(first.table.get(5)).toBeGreaterThan(0);

  // This array alone exceeds the budget.
  first.users = 1;
  askFor(second, 700);
  expect(arrays.opened(run, FIRST)).toBe(first);
  first.users = 0;
  askFor(second, 1000);
  expect(await open(FIRST)).not.toBe(first);
});
