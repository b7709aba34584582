import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { ensembleResponse } from "#lib/contract/ensemble.ts";
import { formatInstant } from "#lib/time.ts";
import type { Reply } from "#server/http/api-request.ts";
import { openGuests } from "#server/http/guests.ts";
import { openNetcdf3 } from "#server/ingest/netcdf/netcdf3.ts";
import { ensembleArchive, ensembleStart } from "#test/ensembles.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, bytesOf, connectWeather, issuesOf, textOf } from "#test/send.ts";

const HOUR = 3600;
const root = mkdtempSync(join(tmpdir(), "ensemble-"));
afterAll(() => rmSync(root, { recursive: true }));
const { archive } = await ensembleArchive({ root });
beforeEach(() => connectWeather(ensembleStart, { archive }));

const point = (hours = 1) => ({
  latitude: 12.3,
  longitude: -179.9,
  timestamp: formatInstant(ensembleStart + hours * HOUR),
});
const send = (body: object, headers = {}) =>
  ask("POST", "/MetOcean/ensemble", { body: { points: [point()], variables: ["wind"], ...body }, headers });
const parsed = async (reply: Reply) => ensembleResponse.parse(JSON.parse(await textOf(reply))).result;

describe("POST /MetOcean/ensemble", () => {
  it("answers in the published form, with the members that the numbers stand on and what they are not", async () => {
    const { results, meta } = await parsed(
      await send({ variables: ["wind", "wave", "bathy"], members: true, ensemble: "gefs" }),
    );
    expect(results[0]!.coordinates).toEqual(point());
    expect(results[0]!.conditions.Winds_10m_Intensity).toMatchObject({ members: 31 });
    expect(results[0]!.conditions.Winds_10m_Intensity!.values).toHaveLength(31);
    expect(results[0]!.conditions.Bathymetry).toBeNull();
    expect(meta).toMatchObject({ members: Array.from({ length: 31 }, (_, member) => member) });
    expect(meta.ensembles[0]).toMatchObject({ from: "members", size: 31, grid_step: 10, step_h: 3 });
    expect(meta.caution).toContain("not calibrated probabilities");
    expect(meta.caution).toContain("10° (1110 km) does not see straits");
  });

  it.each([
    [
      "an unknown ensemble",
      { ensemble: "ens" },
      "ensemble",
      "There is no ensemble ens: the archive has gefs",
    ],
    ["no points", { points: [] }, "points", "at least 1"],
    [
      "too many points",
      { points: new Array(1001).fill(point()) },
      "points",
      "at most 1000 items: send the rest in another request",
    ],
    ["a percentile beyond 100", { percentiles: [50, 100.1] }, "percentiles.1", "less than or equal to 100"],
    ["too many percentiles", { percentiles: new Array(21).fill(1) }, "percentiles", "at most 20"],
    [
      "a threshold of a direction",
      { thresholds: [{ output: "Winds_10m_Direction", over: 1 }] },
      "thresholds.0.output",
      "",
    ],
    [
      "a threshold without a number",
      { thresholds: [{ output: "Gust_10m", over: null }] },
      "thresholds.0.over",
      "number",
    ],
    ["a time beyond the forecasts", { points: [point(241)] }, "points.0.timestamp", ""],
  ])("refuses %s", async (_what, body, loc, msg) => {
    const reply = await send(body);
    expect(reply.status).toBe(422);
    expect(await issuesOf(reply)).toEqual([[loc, expect.stringContaining(msg)]]);
  });

  it("refuses a threshold that is too large for a number", async () => {
    const text = `{"points":[${JSON.stringify(point())}],"variables":["gust"],"thresholds":[{"output":"Gust_10m","over":1e999}]}`;
    const reply = await ask("POST", "/MetOcean/ensemble", { body: Buffer.from(text) });
    expect(reply.status).toBe(422);
  });

  it("is the same on both sides of the antimeridian", async () => {
    const at = (longitude: number) => ({ ...point(), longitude });
    const { results } = await parsed(await send({ points: [at(180), at(-180)], members: true }));
    expect(results[0]!.conditions).toEqual(results[1]!.conditions);
  });

  it("lets a visitor ask for the hours of the chart of the panel, and for no more", async () => {
    const { clock } = testRequestContext();
    const limit = { count: 5, periodSeconds: 60, text: "5 per 1 minute" };
    const publicUrl = "https://sea.example.org";
    const guests = openGuests({ mode: "api", limit, secret: "a secret", publicUrl, isProxied: false, clock });
    connectWeather(ensembleStart, { archive, guests });
    const ofVisitor = (count: number) =>
      ask("POST", "/MetOcean/ensemble", {
        body: { points: new Array(count).fill(point()), variables: ["wind"], members: true },
        headers: { "x-api-key": undefined },
      });
    expect((await ofVisitor(265)).status).toBe(200);
    const refused = await ofVisitor(266);
    expect([refused.status, await textOf(refused)]).toEqual([
      403,
      expect.stringContaining("at most 265 points"),
    ]);
  });

  it("has a column for each number in CSV, NDJSON, Arrow and NetCDF, with what the numbers are not", async () => {
    const body = {
      points: [point(), point(13)],
      members: true,
      percentiles: [10, 50],
      thresholds: [17.491111, 1e308].map((over) => ({ output: "Winds_10m_Intensity", over })),
    };
    const { results } = await parsed(await send(body));
    const speed = results[0]!.conditions.Winds_10m_Intensity!;
    const csv = (await textOf(await send(body, { accept: "text/csv" }))).trimEnd().split("\r\n");
    const header = csv[0]!.split(",");
    const cell = (row: number, name: string) =>
      csv[row]!.split(",")[header.findIndex((text) => text.startsWith(name))];
    expect(cell(1, "Winds_10m_Intensity_p50 [m/s]")).toBe(String(speed.percentiles![1]));
    expect(cell(1, "Winds_10m_Intensity_over_17.491 [%]")).toBe(String(speed.over![0]!.percent));
    expect(cell(1, "Winds_10m_Intensity_over_1e+308 [%]")).toBe("0");
    expect(cell(1, "Winds_10m_Intensity_member_30")).toBe(String(speed.values![30]));
    expect(cell(2, "Winds_10m_Intensity_mean")).toBe("");

    const line = JSON.parse(
      (await textOf(await send(body, { accept: "application/x-ndjson" }))).split("\n")[0]!,
    );
    expect(line).toMatchObject({ Winds_10m_Intensity_members: 31, Winds_10m_Intensity_spread: speed.spread });

    const arrow = tableFromIPC(
      await bytesOf(await send(body, { accept: "application/vnd.apache.arrow.stream" })),
    );
    expect(arrow.getChild("Winds_10m_Intensity_p10")!.get(0)).toBe(speed.percentiles![0]);

    const bytes = await bytesOf(await send(body, { accept: "application/x-netcdf" }));
    const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
    const file = openNetcdf3({ size: bytes.length, read });
    const attributesOf = (suffix: string) => file.variables.get(`Winds_10m_Intensity_${suffix}`)!.attributes;
    expect(attributesOf("mean")).toMatchObject({
      standard_name: "wind_speed",
      units: "m s-1",
      cell_methods: "realization: mean",
    });
    for (const suffix of ["p10", "member_30"]) {
      expect(attributesOf(suffix)).toMatchObject({ standard_name: "wind_speed" });
      expect(attributesOf(suffix)).not.toHaveProperty("cell_methods");
    }
    for (const suffix of ["members", "over_17.491"])
      expect(attributesOf(suffix)).not.toHaveProperty("standard_name");
    expect(file.attributes.comment).toContain("not calibrated probabilities");
  });

  it("has a column for each threshold, also for two that agree to three decimals", async () => {
    const overs = [8.1234, 8.1231, 8.1234, 0.5];
    const thresholds = overs.map((over) => ({ output: "Winds_10m_Intensity", over }));
    const body = { points: [point()], thresholds, percentiles: [] };
    const { results } = await parsed(await send(body));
    const line = JSON.parse(await textOf(await send(body, { accept: "application/x-ndjson" })));
    const shares = Object.entries(line).filter(([name]) => name.includes("_over_"));
    expect(shares).toEqual(
      [8.1234, 8.1231, 0.5].map((over) => [
        `Winds_10m_Intensity_over_${over}`,
        results[0]!.conditions.Winds_10m_Intensity!.over!.find((one) => one.over === over)!.percent,
      ]),
    );
  });
});
