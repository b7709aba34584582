import { afterEach, expect, it } from "vitest";
import type { FaultName } from "./faults.ts";
import { type Mirror, startMirror } from "./mirror.ts";

const CYCLE = Date.UTC(2026, 8, 1) / 1000;
const HOUR_S = 3600;
const AWS = "/noaa-gfs-bdp-pds.s3.amazonaws.com/gfs.20260901/00/atmos/gfs.t00z.pgrb2.0p25.f006";
const NOMADS =
  "/nomads.ncep.noaa.gov/pub/data/nccf/com/gfs/prod/gfs.20260901/00/atmos/gfs.t00z.pgrb2.0p25.f006";

let now = CYCLE + 6 * HOUR_S;
let mirror: Mirror;

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${mirror.url}${path}`, { headers, method, redirect: "manual" });

async function start(fault?: FaultName, match = "f006$"): Promise<void> {
  now = CYCLE + 6 * HOUR_S;
  mirror = await startMirror({ now: () => now, planet: { resolution: 2.5 } });
  if (fault) mirror.faults.add({ fault, match });
}

afterEach(() => mirror.close());

it("has a file when its host has published it, and not before", async () => {
  await start();
  now = CYCLE + 3 * HOUR_S;
  expect((await get(AWS)).status).toBe(404);
  now = CYCLE + 4 * HOUR_S;
  expect((await get(AWS)).status).toBe(200);
  expect((await get(`${AWS}.idx`)).status).toBe(200);
  expect((await get(AWS.replace("f006", "f384"))).status).toBe(404);
  now = CYCLE + 72 * HOUR_S;
  expect((await get(AWS)).status).toBe(200);
  expect((await get(NOMADS)).status).toBe(403);
});

it("has what no feed has never", async () => {
  await start();
  for (const path of [
    "/",
    "/example.org/x",
    AWS.replace("f006", "f121"),
    AWS.replace("20260901", "20260931"),
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
});

it("answers one range, and several with the whole object, as S3 does", async () => {
  await start();
  const whole = new Uint8Array(await (await get(AWS)).arrayBuffer());
  const part = await get(AWS, { range: "bytes=100-20000" });
  expect(part.status).toBe(206);
  expect(part.headers.get("content-range")).toBe(`bytes 100-20000/${whole.length}`);
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(whole.subarray(100, 20_001));
  const rest = await get(AWS, { range: `bytes=${whole.length - 10}-` });
  expect(new Uint8Array(await rest.arrayBuffer())).toEqual(whole.subarray(-10));
  expect((await get(AWS, { range: "bytes=0-1,4-5" })).status).toBe(200);
  expect((await get(AWS, { range: `bytes=${whole.length}-` })).status).toBe(416);
  const head = await get(AWS, {}, "HEAD");
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(whole.length)]);
});

it("answers conditions by ETag", async () => {
  await start();
  const etag = (await get(AWS, {}, "HEAD")).headers.get("etag")!;
  expect((await get(AWS, { "if-none-match": etag })).status).toBe(304);
  expect((await get(AWS, { "if-match": etag, range: "bytes=0-9" })).status).toBe(206);
  expect((await get(AWS, { "if-match": '"another"' })).status).toBe(412);
});

it("has an object that is replaced between its index and its ranges", async () => {
  await start("replaced", "f006");
  const etag = (await get(AWS, {}, "HEAD")).headers.get("etag")!;
  const index = await (await get(`${AWS}.idx`)).text();
  expect((await get(AWS, { "if-match": etag, range: "bytes=0-9" })).status).toBe(412);
  expect(await (await get(`${AWS}.idx`)).text()).not.toBe(index);
});

it.each([
  ["bot-page", 302],
  ["forbidden", 403],
  ["missing", 404],
  ["throttled", 429],
  ["error", 500],
  ["slow-down", 503],
] as const)("answers %s with %i as often as was asked, then as usual", async (fault, status) => {
  await start();
  const body = JSON.stringify({ fault, match: "f006$", times: 2 });
  expect((await fetch(`${mirror.url}/faults`, { method: "POST", body })).status).toBe(201);
  const statuses = [await get(AWS), await get(AWS), await get(AWS)].map((reply) => reply.status);
  expect(statuses).toEqual([status, status, 200]);
  expect(mirror.log.map(({ faults }) => faults)).toEqual([[fault], [fault], []]);
});

it("cuts an answer in the middle, so that its reader sees less than was announced", async () => {
  await start("cut");
  await expect(get(AWS).then((reply) => reply.arrayBuffer())).rejects.toThrow();
});

it.each(["garbage", "yesterday", "not-numbers", "out-of-range", "mean-jump"] as const)(
  "serves %s in the place of the true bytes",
  async (fault) => {
    await start();
    const range = { range: "bytes=0-9999" };
    const bytes = async () => new Uint8Array(await (await get(AWS, range)).arrayBuffer());
    const first = await bytes();
    mirror.faults.add({ fault, match: "f006$" });
    expect(await bytes()).not.toEqual(first);
  },
);

it("serves an object whose upload ended early, with an index that ends there too", async () => {
  await start();
  const sizes = async () => {
    const index = await (await get(`${AWS}.idx`)).text();
    return [index.length, Number((await get(AWS, {}, "HEAD")).headers.get("content-length"))];
  };
  const [index, object] = await sizes();
  mirror.faults.add({ fault: "truncated", match: "f006" });
  const [shortIndex, shortObject] = await sizes();
  expect(shortIndex).toBeLessThan(index!);
  expect(shortObject).toBeLessThan(object!);
});

it("cuts an index alone", async () => {
  await start();
  const size = async () => Number((await get(AWS, {}, "HEAD")).headers.get("content-length"));
  const whole = await size();
  mirror.faults.add({ fault: "index-cut", match: "f006" });
  expect(await (await get(`${AWS}.idx`)).text()).not.toMatch(/\n$/);
  expect(await size()).toBe(whole);
});

it("has a clock that may be wrong", async () => {
  await start("clock-skew");
  const date = Date.parse((await get(AWS)).headers.get("date")!) / 1000;
  expect(Math.abs(date - now)).toBeGreaterThan(24 * HOUR_S);
});
