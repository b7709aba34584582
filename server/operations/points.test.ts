import { beforeEach, describe, expect, it } from "vitest";
import { variableNames } from "#lib/catalog/variables.ts";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { pointResponse } from "#lib/contract/point.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import { formatInstant, monthsBefore, parseInstant } from "#lib/time.ts";
import { DamagedManifestError } from "#server/archive/errors.ts";
import type { Manifest } from "#server/archive/run.ts";
import type { Context } from "#server/context.ts";
import { demoManifest } from "#server/demo/runs.ts";
import type { Reply } from "#server/http/api-request.ts";
import { pathSigner } from "#server/http/signed-path.ts";
import { frameCache } from "#server/metocean/frames.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const DAY = 86_400;
const demo = demoArchive(now);

function open(archive: Context["archive"] = demo): void {
  const weather = { now: () => now };
  const context = testRequestContext();
  const framePaths = pathSigner("a secret", context.clock);
  connectContext(testContext({ ...context, weather, archive, frames: frameCache(1e7), framePaths }));
}
beforeEach(() => open());

const send = (method: "GET" | "POST", target: string, body?: object) => ask(method, target, { body });

const point = { latitude: 31.3, longitude: -42.7, timestamp: formatInstant(now) };
const parsed = (reply: Reply) => JSON.parse(String(reply.body));

describe("the demo world through the API", () => {
  it("answers every variable in the published form, marked as synthetic", async () => {
    const reply = await send("POST", "/MetOcean", { points: [point], variables: variableNames });
    expect([reply.status, reply.headers["x-data-provenance"]]).toEqual([200, "synthetic"]);
    const { result } = pointResponse.parse(parsed(reply));
    expect(Object.keys(parsed(reply).result)).toEqual(["results", "execution_time"]);
    expect(Object.values(result.results[0]!.conditions)).not.toContain(null);
  });

  it("answers at both ends of the time window, and rejects one second beyond each", async () => {
    const [first, last] = [monthsBefore(now, 36), now + 10 * DAY];
    const at = (...times: number[]) =>
      send("POST", "/MetOcean", {
        points: times.map((time) => ({ ...point, timestamp: formatInstant(time) })),
        variables: ["wave", "sst", "gust"],
      });
    const inside = parsed(await at(first, last));
    for (const { conditions } of inside.result.results) expect(Object.values(conditions)).not.toContain(null);
    const outside = await at(first - 1, first, last, last + 1);
    expect(outside.status).toBe(422);
    expect(parsed(outside).detail.map(({ loc }: { loc: unknown[] }) => loc[2])).toEqual([0, 3]);
  });
});

describe("models of a request", () => {
  const points = [point, { ...point, timestamp: formatInstant(now + 5 * DAY) }];
  const at = (models: string[], more = {}) =>
    send("POST", "/MetOcean", { points, variables: ["wind", "wave"], models, ...more });

  it("answer one after another in the published form; what the model lacks is null with its reason", async () => {
    const { result } = pointResponse.parse(
      parsed(await at(["best", "demo-early", "demo-late"], { include_meta: true })),
    );
    expect(result.results.map(({ coordinates }) => coordinates.model)).toEqual([
      ...["best", "best", "demo-early", "demo-early"],
      ...["demo-late", "demo-late"],
    ]);
    const speeds = result.results.map(({ conditions }) => conditions.Winds_10m_Intensity);
    expect(new Set([speeds[1], speeds[3], speeds[5]]).size).toBe(3);
    expect(result.meta!.nulls).toContainEqual({
      variable: "wave",
      reason: "out_of_archive",
      points: [4, 5],
    });
    expect(new Set(result.meta!.provenance.map(({ answer, source }) => `${answer} ${source}`))).toEqual(
      new Set(["best demo-world", "demo-early demo-early", "demo-late demo-late"]),
    );
  });

  it("that do not exist are refused by name; a known one without runs is null", async () => {
    const unknown = await at(["best", "gsf"]);
    expect(unknown.status).toBe(422);
    expect(parsed(unknown).detail).toEqual([
      {
        type: "value_error",
        loc: ["body", "models", 1],
        msg: "There is no model gsf: the archive has best, demo-world, demo-early, demo-late",
      },
    ]);
    const { result } = parsed(await at(["gfs"]));
    expect(Object.values(result.results[0].conditions).every((value) => value === null)).toBe(true);
  });

  it.each([[[]], [["a b"]], [Array.from({ length: 9 }, (_, index) => `m${index}`)]])(
    "%j are refused",
    async (models) => {
      expect((await at(models)).status).toBe(422);
    },
  );

  it("are listed for the map, which draws the runs of one of them", async () => {
    const manifest = async (query: string) =>
      fieldManifest.parse(parsed(await send("GET", `/2DMetOcean/manifest?${query}`)));
    const names = async (variable: string) =>
      (await manifest(`variable=${variable}`)).models?.map(({ name }) => name);
    expect(await names("wind")).toEqual(["demo-world", "demo-early", "demo-late"]);
    expect(await names("wave")).toEqual(["demo-world", "demo-early"]);
    expect(await names("bathy")).toBeUndefined();
    expect((await manifest("variable=wind")).runs[0]!.source).toBe("demo-world");
    const { runs } = await manifest("variable=wind&model=demo-late");
    expect(runs.map(({ source }) => source)).toEqual(["demo-late"]);
    expect((await manifest("variable=wave&model=demo-late")).runs).toEqual([]);
    expect((await send("GET", "/2DMetOcean/manifest?variable=wind&model=gsf")).status).toBe(422);
  });

  it("are listed with their earlier runs where these are asked for, and the same run answers first", async () => {
    const runsOf = async (query: string) =>
      fieldManifest.parse(parsed(await send("GET", `/2DMetOcean/manifest?variable=wind${query}`))).runs;
    const [plain, all] = [await runsOf(""), await runsOf("&earlier=true")];
    const basesOf = (runs: typeof plain) =>
      runs
        .filter(({ source, condensed }) => source === "demo-world" && !condensed)
        .map(({ reference_time }) => reference_time);
    expect(new Set(basesOf(plain)).size).toBe(1);
    expect(new Set(basesOf(all)).size).toBe(5);
    const time = formatInstant(now + DAY);
    const answering = (runs: typeof plain) => runs.find(({ from, to }) => from <= time && time <= to)!;
    expect(answering(all).run).toBe(answering(plain).run);
    const before = all.find((run) => run.reference_time < answering(all).reference_time && run.to >= time)!;
    const frameOf = async ({ run }: { run: string }) => {
      const reply = await send("GET", `/2DMetOcean/frames/Forecast/${run}/wind/${time}/4/all`);
      expect(reply.status).toBe(200);
      return decodeFrame(reply.body as Uint8Array);
    };
    const [newest, earlier] = [await frameOf(answering(all)), await frameOf(before)];
    expect(earlier.grid).toEqual(newest.grid);
    expect(earlier.values).not.toEqual(newest.values);
    expect(await runsOf("&earlier=true&model=demo-late")).toHaveLength(
      (await runsOf("&model=demo-late")).length,
    );
  });

  it("multiply the points, of which there is a limit", async () => {
    const many = { points: Array.from({ length: 5001 }, () => point), variables: ["wind"] };
    const reply = await send("POST", "/MetOcean", { ...many, models: ["best", "demo-early"] });
    expect(parsed(reply).detail[0].msg).toBe(
      "Points times models should be at most 10000, and are 10002: send fewer of either",
    );
  });
});

it("with one real run nothing is marked synthetic, and what the run lacks is null", async () => {
  const real: Manifest = {
    version: 1,
    runs: [{ ...demoManifest(now).runs[0]!, id: "etopo", source: "etopo", provenance: undefined }],
  };
  open({ ...demoArchive(now, real), valuesAt: async () => undefined });
  const reply = await send("POST", "/MetOcean", { points: [point], variables: ["wind"] });
  expect(reply.headers).not.toHaveProperty("x-data-provenance");
  expect(Object.values(parsed(reply).result.results[0].conditions)).toEqual([null, null]);
});

it("a damaged manifest of the archive is 503 with Retry-After", async () => {
  const damaged = () => {
    throw new DamagedManifestError("it is not JSON");
  };
  open({ ...demo, manifest: damaged, refresh: damaged });
  const reply = await send("POST", "/MetOcean", { points: [point], variables: ["wind"] });
  expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "60"]);
  expect(parsed(reply)).toEqual({ detail: "The archive's manifest.json is damaged: it is not JSON" });
});
