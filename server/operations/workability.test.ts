import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { workabilityRequest, workabilityResponse } from "#lib/contract/workability.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { workabilityOf } from "#server/metocean/workability.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { temporaryFolders } from "#test/databases.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { claimedTask, computeAll, countedArchive, storeRequest, now as taskNow } from "#test/piecewise.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";
import { pieceComputer } from "./task-pieces.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const demo = demoArchive(now);
const folder = temporaryFolders();

beforeEach(() => connectWeather(now, { archive: demo }));

const at = (hours: number) => formatInstant(now + hours * HOUR_S);
const biscay = { latitude: 46, longitude: -6.5 };
/** The box has too many places to make them before they are counted. */
const globe = { type: "box", latitude: [-90, 90], longitude: [-180, 180], spacing_deg: 0.05 };
const body = {
  area: { type: "point", ...biscay },
  from: at(-72),
  to: at(48),
  limits: [
    { quantity: "Winds_10m_Intensity", max: 9 },
    { quantity: "Waves_Significant_Height", max: 2, levels: [3, 1, 1] },
  ],
  window_hours: 6,
};

async function send(request: object, headers: Record<string, string> = {}) {
  const reply = await ask("POST", "/workability", { body: request, headers });
  return { status: reply.status, headers: reply.headers, text: await textOf(reply) };
}

async function answered(request: object) {
  const { status, text } = await send(request);
  expect(status, text).toBe(200);
  return workabilityResponse.parse(JSON.parse(text)).result;
}

/** Returns the conditions of POST /MetOcean at the hours of the request. */
async function series(places: object[]) {
  const points = places.flatMap((place) =>
    Array.from({ length: 120 }, (_, hour) => ({ ...place, timestamp: at(hour - 72) })),
  );
  const reply = await ask("POST", "/MetOcean", { body: { points, variables: ["wind", "wave"] } });
  const { results } = JSON.parse(await textOf(reply)).result;
  return results.map(({ conditions }: { conditions: Record<string, number | null> }) => conditions);
}

describe("POST /workability", () => {
  it("counts the hours of POST /MetOcean, by month and in all", async () => {
    const { results, meta } = await answered(body);
    const hours = await series([biscay]);
    const within = hours.filter(
      (one: Record<string, number>) => one.Winds_10m_Intensity! <= 9 && one.Waves_Significant_Height! <= 2,
    );
    expect(results[0]).toMatchObject({
      month: null,
      hours: 120,
      within_hours: within.length,
      missing_hours: 0,
    });
    expect(results.slice(1).map(({ month }) => month)).toEqual([9]);
    const waves = hours.map((one: Record<string, number>) => one.Waves_Significant_Height!);
    expect(results[0]!.quantities[1]).toMatchObject({ most: Math.max(...waves), least: Math.min(...waves) });
    expect(meta.limits[1]).toMatchObject({ unit: "m", max: 2, min: null, levels: [1, 3], places_without: 0 });
    expect(results[0]!.quantities[1]!.exceeded[0]).toBeCloseTo(
      waves.filter((height: number) => height > 1).length / 120,
      4,
    );
    expect(meta.method).toContain("DNV-RP-N103");
    expect(meta.provenance.map(({ variable }) => variable)).toContain("wave");
  });

  it("hours without data are missing, in no share, and never within", async () => {
    const inland = { latitude: 47, longitude: 10 };
    const waves = [{ quantity: "Waves_Significant_Height", max: 20 }];
    const { results, meta } = await answered({ ...body, area: { type: "point", ...inland }, limits: waves });
    expect(results[0]).toMatchObject({ hours: 120, missing_hours: 120, within_hours: 0, within_share: null });
    expect(meta.limits[0]!.places_without).toBe(1);
  });

  it("as CSV has a line for all and one a month, with limits, time and method in its notice", async () => {
    const { headers, text } = await send(body, { accept: "text/csv" });
    expect(headers["content-type"]).toBe("text/csv");
    const [head, all, september, ...rest] = text.trimEnd().split("\r\n");
    expect(head).toContain("within_share [1],");
    expect(head).toContain("longest_wait_hours [h],wait_is_lower_bound [1],");
    expect(head).toContain("Waves_Significant_Height_above_3 [1]");
    expect([all!.split(",")[0], september!.split(",")[0], rest]).toEqual(["all", "9", []]);
    expect(all).toContain("Winds_10m_Intensity at most 9 m/s");
    expect(all).toContain("windows of 6 h");
  });

  it.each([
    [{ limits: [{ quantity: "Waves_Significant_Height" }] }, "limits", "max or min"],
    [{ limits: [{ quantity: "Winds_10m_Direction", max: 9 }] }, "limits", "Input should be"],
    [{ to: at(-73) }, "to", "one step after from"],
    [{ from: at(-4 * 366 * 24) }, "from", "3 years back"],
    [{ from: at(-10_100), to: at(0) }, "to", '"async": true'],
    [{ area: { type: "box", latitude: [0, 50], longitude: [0, 50] } }, "area", "larger spacing_deg"],
    [{ area: globe }, "area", "The box has 25927200 places"],
  ])("422 for %o", async (change, where, words) => {
    const { status, text } = await send({ ...body, ...change });
    expect(status).toBe(422);
    const [{ loc, msg }] = JSON.parse(text).detail;
    expect(loc[1]).toBe(where);
    expect(msg).toContain(words);
  });
});

it("a task gives what an answer at once gives", async () => {
  const archive = countedArchive();
  const blobs = folderBlobStore(folder());
  const request = {
    ...body,
    from: formatInstant(taskNow - 2 * DAY_S),
    to: formatInstant(taskNow + DAY_S),
    async: true,
  };
  const task = claimedTask({ kind: "workability" });
  await storeRequest(blobs, task, request);
  await computeAll(pieceComputer({ archive, blobs, resultSeconds: 1000 }), task);
  const { rows, meta } = await workabilityOf(
    archive,
    await archive.manifest(),
    workabilityRequest.parse(request),
    taskNow,
    new AbortController().signal,
  );
  const { result } = JSON.parse(gunzipSync((await blobs.get("the-result"))!).toString());
  expect(workabilityResponse.shape.result.parse(result)).toMatchObject({ results: rows, meta });
});
