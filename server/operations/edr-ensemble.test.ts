import { beforeEach, describe, expect, it } from "vitest";
import { formatInstant } from "#lib/time.ts";
import { ensembleArchive, ensembleStart } from "#test/ensembles.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";

const HOUR = 3600;
const at = (hours: number) => formatInstant(ensembleStart + hours * HOUR);
const members = [0, 1, 2, 5];
let run = "";

beforeEach(async () => {
  const made = await ensembleArchive({ members });
  run = made.run.id;
  connectWeather(ensembleStart, { archive: made.archive });
});

const get = (path: string, query: Record<string, string> = {}) =>
  ask("GET", `/edr/collections${path}?${new URLSearchParams(query)}`, { headers: { host: "sea.example" } });
const json = async (...request: Parameters<typeof get>) => JSON.parse(await textOf(await get(...request)));

const place = { coords: "POINT(-5.2 48.5)" };
const name = "Winds_10m_Intensity";

async function atPoint(hours: number) {
  const body = {
    points: [{ latitude: 48.5, longitude: -5.2, timestamp: at(hours) }],
    variables: ["wind"],
    members: true,
  };
  const { result } = JSON.parse(await textOf(await ask("POST", "/MetOcean/ensemble", { body })));
  return result.results[0].conditions[name];
}

describe("an ensemble in OGC API – EDR", () => {
  it("is a collection with the dimension realization and its statistics as parameters", async () => {
    const { collections } = await json("");
    const ids = collections.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(["forecast.gefs", "waves.gefs"]));
    expect(ids).not.toContain("static.gefs");
    const { extent, parameter_names } = await json("/forecast.gefs");
    expect(extent.custom).toEqual([
      {
        id: "realization",
        interval: [[0, 5]],
        values: members,
        reference: expect.stringContaining("realization"),
      },
    ]);
    expect(Object.keys(parameter_names)).toEqual(
      expect.arrayContaining([name, `${name}_mean`, `${name}_p90`, "Winds_10m_Direction_mean"]),
    );
    expect(Object.keys(parameter_names)).not.toContain("Winds_10m_Direction_spread");
  });

  it("answers with the member that realization names, the control by default, and so does a run", async () => {
    const { control, values } = await atPoint(4);
    const query = { ...place, datetime: at(4), "parameter-name": name };
    const read = async (path: string, more = {}) =>
      (await json(`${path}/position`, { ...query, ...more })).ranges[name].values[0];
    expect(await read("/forecast.gefs")).toBe(control);
    expect(await read("/forecast.gefs", { realization: "5" })).toBe(values[3]);
    expect(await read(`/forecast.gefs/instances/${run}`, { realization: "2" })).toBe(values[2]);
    const cube = { bbox: "-10,40,0,50", datetime: at(3), "parameter-name": name, realization: "5" };
    const { ranges } = await json("/forecast.gefs/cube", cube);
    expect(ranges[name].shape).toEqual([1, 2, 2]);
    const others = await json("/forecast.gefs/cube", { ...cube, realization: "1" });
    expect(others.ranges[name].values).not.toEqual(ranges[name].values);
  });

  it("has statistics of all members as a series, and says what they are not", async () => {
    const names = ["members", "mean", "spread", "p10"].map((suffix) => `${name}_${suffix}`);
    const query = { ...place, datetime: `${at(0)}/${at(6)}`, "parameter-name": names.join() };
    const coverage = await json("/forecast.gefs/position", query);
    expect(coverage.domain.axes.t.values).toEqual([at(0), at(3), at(6)]);
    const points = await Promise.all([0, 3, 6].map(atPoint));
    expect(coverage.ranges[`${name}_mean`].values).toEqual(points.map(({ mean }) => mean));
    expect(coverage.ranges[`${name}_p10`].values).toEqual(points.map(({ percentiles }) => percentiles[0]));
    expect(coverage.ranges[`${name}_members`].values).toEqual([4, 4, 4]);
    expect(coverage.parameters[`${name}_members`].unit.symbol.value).toBe("1");
    expect(coverage.parameters[`${name}_p10`]).toMatchObject({
      unit: { symbol: { value: "m/s" } },
      observedProperty: { id: expect.stringMatching(/\/wind_speed\/$/) },
    });
    expect(coverage.notice).toContain("not calibrated probabilities");
  });

  it.each([
    ["/forecast.gefs", { realization: "3" }, "realization: should be one of 0, 1, 2, 5"],
    ["/forecast.gefs", { realization: "-1" }, "realization: should be one of"],
    ["/forecast", { realization: "0" }, "realization: this collection has no members"],
    ["/forecast.gefs", { "parameter-name": `${name},${name}_mean` }, "not for both at once"],
    [
      "/forecast.gefs",
      { "parameter-name": `${name}_mean,${name}_p11` },
      "one name is not of this collection",
    ],
    ["/forecast.gefs", { "parameter-name": `${name}_mean`, realization: "1" }, "over all members"],
    [
      "/forecast.gefs",
      { "parameter-name": `${name}_mean`, f: "CSV" },
      "statistics of an ensemble are CoverageJSON",
    ],
  ])("refuses %s with %j", async (path, query, msg) => {
    const reply = await get(`${path}/position`, { ...place, datetime: at(3), ...query });
    expect([reply.status, JSON.parse(await textOf(reply)).description]).toEqual([
      400,
      expect.stringContaining(msg),
    ]);
  });

  it("that keeps statistics alone offers those that are stored, and no members", async () => {
    const statistics = ["wind_speed_mean", "wind_speed_p90"] as const;
    const { archive, run: stored } = await ensembleArchive({ fields: [], statistics: [...statistics] });
    connectWeather(ensembleStart, { archive });
    const { extent, parameter_names, data_queries, description } = await json("/forecast.gefs");
    expect(extent).not.toHaveProperty("custom");
    const names = [`${name}_mean`, `${name}_p90`];
    expect(Object.keys(parameter_names)).toEqual(names);
    expect(Object.keys(data_queries)).toEqual(["position", "instances"]);
    expect(description).toContain("the members are not kept");
    const query = { ...place, datetime: `${at(0)}/${at(6)}` };
    const { domain, ranges } = await json("/forecast.gefs/position", query);
    expect(domain.axes.t.values).toEqual([at(0), at(3), at(6)]);
    expect(Object.keys(ranges)).toEqual(names);
    for (const range of names) expect(ranges[range].values).toEqual([0, 3, 6].map(() => expect.any(Number)));
    const refusals = [
      ["/forecast.gefs/position", { realization: "0" }, "realization: this collection has no members"],
      [
        "/forecast.gefs/position",
        { "parameter-name": name },
        `not of this collection, which has ${names.join(", ")}`,
      ],
      [`/forecast.gefs/instances/${stored.id}/position`, {}, "not of its runs"],
    ] as const;
    for (const [path, more, msg] of refusals)
      expect(JSON.parse(await textOf(await get(path, { ...query, ...more }))).description).toContain(msg);
    const own = await json(`/forecast.gefs/instances/${stored.id}`);
    expect(own.parameter_names).toEqual({});
    expect(own.description).toMatch(
      /This run keeps statistics over the members alone, which the collection answers\.$/,
    );
  });

  it("offers values of members in its runs, which are not asked for statistics", async () => {
    expect((await json("/forecast.gefs")).description).toContain("Position also has statistics");
    const { parameter_names, description } = await json(`/forecast.gefs/instances/${run}`);
    expect(description).toMatch(/chooses: 0 is the control\.$/);
    expect(Object.keys(parameter_names)).toEqual(["Winds_10m_Direction", name, "Gust_10m"]);
  });

  it("is not found under another name, with those that are there", async () => {
    const reply = await get("/forecast.ens");
    expect([reply.status, await textOf(reply)]).toEqual([404, expect.stringContaining("forecast.gefs")]);
  });
});
