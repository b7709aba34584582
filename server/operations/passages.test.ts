import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { passageLimits } from "#lib/contract/passage.ts";
import { passageResponse } from "#lib/contract/passage-reply.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { openTides } from "#server/tides/tides.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";
import { aheadPoint, allRound, BASE, stormOf } from "#test/storms.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const demo = demoArchive(now);
const tides = openTides({ nonCommercial: false });
afterAll(() => tides.close());

function open(changes: object = {}): void {
  connectWeather(now, { archive: demo, tides, ...changes });
}
beforeEach(() => open());

const SAINT_MALO = "ticon:saint_malo-410-fra-refmar";
const NON_COMMERCIAL = "ticon:a121tg-a12-nld-cmems";

const place = (latitude: number, longitude: number, leg?: string) => ({
  latitude,
  longitude,
  ...(leg && { leg }),
});
const route = [place(40, -42), place(40.4, -42.5), place(40.4, -43, "rhumb")];
const body = { route, departure: formatInstant(now), vessel: { kind: "motor", speed_kt: 12 } };

async function send(request: object) {
  const reply = await ask("POST", "/passages/evaluate", { body: request });
  return { reply, answer: JSON.parse(await textOf(reply)) };
}

async function plansOf(request: object) {
  const { reply, answer } = await send(request);
  expect(reply.status).toBe(200);
  return passageResponse.parse(answer).result;
}

describe("POST /passages/evaluate", () => {
  it("answers one departure with its pieces, in the published form, and says what it does not know", async () => {
    const { reply, answer } = await send(body);
    expect([reply.status, reply.headers["x-data-provenance"]]).toEqual([200, "synthetic"]);
    const { results, meta } = passageResponse.parse(answer).result;
    expect(Object.keys(answer)).toEqual(["task_id", "status", "result"]);
    const [plan] = results;
    expect(plan).toMatchObject({ departure: body.departure, ending: "arrived", no_forecast_from: null });
    expect(meta.legs.map(({ kind }) => kind)).toEqual(["great_circle", "rhumb"]);
    expect(plan!.totals.distance_nm).toBeCloseTo(meta.distance_nm, 1);
    expect(plan!.pieces!.length).toBeGreaterThan(8);
    expect(plan!.pieces![0]!.to_go_nm).toBe(meta.distance_nm);
    expect(parseInstant(plan!.arrival!) - now).toBeCloseTo(plan!.totals.duration_s, -1);
    expect(distanceKm(plan!.end, route[2]!)).toBeLessThan(0.01);
    expect(meta.knowledge[0]).toBe("Not for navigation");
    expect(meta.knowledge.join()).toMatch(/land.*depths.*horizon.*storms are not looked at/i);
    expect(meta.limits.wind_kt).toBe(22);
    expect(meta.motor_table!.head_kt[0]).toBe(12);
    expect(meta.provenance.map(({ variable }) => variable)).toContain("wave");
  });

  it("is NO where a leg crosses land, with the leg, in a plan, a sweep and without pieces", async () => {
    // From the Gulf of Maine over Cape Cod into Nantucket Sound.
    const overCapeCod = [place(42.4, -70), place(42.2, -69.9), place(41.4, -70.1)];
    const crossing = { ...body, route: overCapeCod };
    const { results, meta } = await plansOf({ ...crossing, include_pieces: false });
    expect(results[0]).toMatchObject({
      verdict: "NO",
      deciding: {
        by: "crosses_land",
        leg: 1,
        text: expect.stringMatching(/^Leg 2 crosses land, \d+(\.\d)? n mi of it$/),
      },
    });
    expect(meta.crosses_land).toEqual([
      {
        leg: 1,
        latitude: expect.closeTo(41.9, 0),
        longitude: expect.closeTo(-70, 0),
        land_nm: expect.any(Number),
      },
    ]);
    const { from, to } = { from: formatInstant(now), to: formatInstant(now + DAY_S) };
    const sweep = { ...crossing, departure: undefined, departures: { from, to, step_hours: 12 } };
    const swept = await plansOf(sweep);
    expect(swept.results.map(({ deciding }) => deciding!.by)).toEqual(Array(3).fill("crosses_land"));
    const around = [place(42.4, -70), place(42.2, -69.7), place(41.3, -69.6)];
    const clear = await plansOf({ ...body, route: around });
    expect(clear.meta.crosses_land).toEqual([]);
    expect(clear.results[0]!.deciding!.by).not.toBe("crosses_land");
    expect(clear.results[0]!.totals.min_depth_m).toBeGreaterThan(0);
  });

  it("has in each piece the conditions that POST /MetOcean gives there and then", async () => {
    const { results } = await plansOf(body);
    const pieces = results[0]!.pieces!;
    const points = pieces.map(({ at }) => at);
    const variables = [
      "current",
      "wind",
      "gust",
      "wave",
      "bathy",
      "sst",
      "extra_wave",
      "rain",
      "mucape",
      "temp",
      "cloud",
      "pressure",
    ];
    const reply = await ask("POST", "/MetOcean", { body: { points, variables } });
    const { result } = JSON.parse(await textOf(reply));
    expect(pieces.map(({ conditions }) => conditions)).toEqual(
      result.results.map(({ conditions }: { conditions: object }) => conditions),
    );
    expect(Object.values(pieces[0]!.conditions)).not.toContain(null);
  });

  it("answers a sweep with a verdict for each departure, without pieces, and their orders", async () => {
    const departures = { from: formatInstant(now), to: formatInstant(now + 2 * DAY_S), step_hours: 12 };
    const { results, meta } = await plansOf({ ...body, departure: undefined, departures });
    expect(results.map(({ departure }) => parseInstant(departure) - now)).toEqual(
      [0, 12, 24, 36, 48].map((hours) => hours * HOUR_S),
    );
    expect(results.every(({ pieces, deciding }) => pieces === undefined && deciding !== null)).toBe(true);
    const shortest = results.map(({ totals }) => totals.duration_s);
    expect(meta.order.fastest.map((index) => shortest[index])).toEqual(shortest.toSorted((a, b) => a - b));
    expect([...meta.order.balanced].sort()).toEqual([0, 1, 2, 3, 4]);
  });

  it("gives a departure the same plan alone and in a sweep", async () => {
    const departures = { from: formatInstant(now), to: formatInstant(now + 6 * HOUR_S), step_hours: 3 };
    const swept = await plansOf({ ...body, departure: undefined, departures, include_pieces: true });
    for (const plan of swept.results) {
      const alone = await plansOf({ ...body, departure: plan.departure });
      expect(alone.results).toEqual([plan]);
    }
  });

  it("keeps a departure visible that the forecast does not reach, as CAUTION where nothing else decides", async () => {
    const limits = {
      head_sea_m: 30,
      beam_sea_m: 30,
      following_sea_m: 30,
      acceleration_g: 9,
      gust_kt: 200,
      wind_kt: 200,
    };
    const late = { ...body, limits, departure: formatInstant(now + 10 * DAY_S - HOUR_S) };
    const [plan] = (await plansOf(late)).results;
    expect(plan).toMatchObject({ verdict: "CAUTION", deciding: { by: "no_forecast" }, ending: "arrived" });
    expect(parseInstant(plan!.no_forecast_from!)).toBeGreaterThan(now + 10 * DAY_S);
    expect(plan!.pieces!.at(-1)).toMatchObject({
      wind_kt: null,
      sog_kt: 12,
      flags: ["typical_speed", "no_forecast"],
    });
  });

  it.each([
    ["text/csv", /^latitude.*verdict|^latitude.*sog_kt/],
    ["application/geo+json", /^\{"type":"FeatureCollection"/],
    ["application/gpx+xml", /<rtept lat="40"/],
  ])("answers as %s where Accept asks for it", async (accept, begins) => {
    const reply = await ask("POST", "/passages/evaluate", { body, headers: { accept } });
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, accept]);
    expect(await textOf(reply)).toMatch(begins);
  });

  it("takes a sail with a polar of its own, or a generic one, and names the limit that decides", async () => {
    const vessel = { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 5 };
    const { results, meta } = await plansOf({ ...body, vessel, limits: { wind_kt: 1, gust_kt: null } });
    expect(meta.limits).toMatchObject({ wind_kt: 1, gust_kt: null, head_sea_m: 2.5 });
    expect(results[0]).toMatchObject({ verdict: "NO", deciding: { by: "wind_kt", limit: 1 } });
    const polar = "TWA\\TWS;5;10;20\n40;3;5;6\n90;5;7;8\n180;3;5;7";
    expect((await plansOf({ ...body, vessel: { kind: "sail", polar } })).results[0]!.ending).toBe("arrived");
  });

  it("holds the route against storms as POST /storms/approach does", async () => {
    const ahead = [0, 24, 48].map((hour) => aheadPoint(hour, place(40, -43), allRound(200, 90, null)));
    const entry = { ...stormOf(ahead, { id: "AL012026" }) };
    const published = () => ({ entries: [entry], synthetic: true, newestTextAt: BASE });
    open({ weather: { now: () => BASE }, storms: { published }, archive: demoArchive(BASE) });
    const request = { ...body, departure: formatInstant(BASE), storms: "jtwc" };
    const { results, meta } = await plansOf(request);
    const plan = results[0]!;
    expect(plan).toMatchObject({ verdict: "NO", deciding: { by: "storm_km", value: 0, limit: 185 } });
    expect(meta.knowledge.at(-1)).toContain("one provider");
    const asked = {
      provider: "jtwc",
      route: [...plan.pieces!.map(({ start }) => start), plan.end],
    };
    const approach = JSON.parse(await textOf(await ask("POST", "/storms/approach", { body: asked })));
    expect(
      plan.storms!.results.map(({ id, closest, danger }) => [id, closest.distance_km, danger?.enters]),
    ).toEqual(
      approach.results.map(({ id, closest, danger }: NonNullable<typeof plan.storms>["results"][number]) => [
        id,
        expect.closeTo(closest.distance_km, 0),
        danger?.enters,
      ]),
    );
    open({ storms: { published: () => undefined } });
    expect((await send(request)).reply.status).toBe(503);
    expect((await send({ ...request, async: true })).reply.status).toBe(503);
  });

  it("holds the route against the tide and the stream of real stations, and says when a gate opens next", async () => {
    const gates = [
      { kind: "height", station: SAINT_MALO, min_m: 10 },
      { kind: "slack", station: "noaa:SFB1203", within_h: 1 },
    ];
    const gated = route.map((waypoint, at) => ({ ...waypoint, ...(at > 0 && { gate: gates[at - 1] }) }));
    const departures = { from: formatInstant(now), to: formatInstant(now + 12 * HOUR_S), step_hours: 1 };
    const { results, meta } = await plansOf({ ...body, route: gated, departure: undefined, departures });
    expect(meta.gates).toMatchObject([
      { waypoint: 1, station: { id: SAINT_MALO, name: "Saint Malo", kind: "tide" }, datum: "LAT" },
      { waypoint: 2, station: { kind: "stream" }, datum: null },
    ]);
    expect(meta.knowledge.join()).toContain(meta.gates![0]!.attribution);
    for (const { gates, deciding, verdict } of results) {
      const [tide] = gates!;
      const period = { from: `${tide!.eta!.slice(0, 16)}:00Z`, to: "2026-09-18", step: 1, days: 1, now };
      const prediction = await tides.station(SAINT_MALO, period);
      const [height] = prediction.kind === "tide" ? prediction.curve!.heights_m : [];
      expect(Math.abs(tide!.height_m! - height!)).toBeLessThanOrEqual(0.02);
      if (Math.abs(height! - 10) > 0.1) expect(tide!.holds).toBe(height! > 10);
      const missed = gates!.findIndex(({ holds }) => !holds);
      const decided = [verdict, deciding!.by, deciding!.gate];
      if (missed >= 0) expect(decided).toEqual(["NO", "gate_missed", missed]);
      else expect(deciding!.by).not.toBe("gate_missed");
    }
    const text = results.find(({ deciding }) => deciding!.gate === 0)!.deciding!.text;
    expect(text).toMatch(/^[\d.]+ m at Saint Malo at \d\d:\d\d UTC, 10 m needed; next from \d\d:\d\d$/);
    expect(new Set(results.map(({ gates }) => gates![0]!.holds))).toEqual(new Set([true, false]));
  });

  it("lets others ask for tides between its gates", async () => {
    const { queues } = testRequestContext();
    const asked: string[] = [];
    const station = (id: string, question: Parameters<typeof tides.station>[1]) => {
      asked.push(id);
      const other = { owner: "other", aborter: new AbortController() };
      if (asked.length === 1) void queues.tides.run(other, async () => asked.push("other"));
      return tides.station(SAINT_MALO, question);
    };
    open({ queues, tides: { station } });
    const gated = ["a:1", "b:1"].map((station, at) => ({ ...route[at]!, gate: { ...gate, station } }));
    await plansOf({ ...body, route: gated });
    expect(asked).toEqual(["a:1", "other", "b:1"]);
  });

  const gate = { kind: "height", station: SAINT_MALO, min_m: 3 };
  it.each([
    ["an unknown station", { station: "noaa:nowhere" }, ["station"], "no such station"],
    [
      "a station whose licence forbids commercial use",
      { station: NON_COMMERCIAL },
      ["station"],
      "forbids commercial use",
    ],
    ["a height of a stream", { station: "noaa:SFB1203" }, ["kind"], "needs a tide station"],
    [
      "slack water of a tide",
      { kind: "slack", min_m: undefined, within_h: 1 },
      ["kind"],
      "needs a stream station",
    ],
    ["a datum that the station lacks", { datum: "NAVD88" }, ["datum"], "this station has heights above"],
    [
      "negative hours",
      { kind: "slack", min_m: undefined, within_h: -1 },
      ["within_h"],
      "greater than or equal to 0",
    ],
    [
      "a gate that closes before it opens",
      { kind: "high_water", min_m: undefined, from_h: 2, to_h: -2 },
      ["to_h"],
      "not close before it opens",
    ],
  ])("refuses a gate with %s, and says where", async (_, part, loc, message) => {
    const gated = [route[0], { ...route[1], gate: { ...gate, ...part } }];
    for (const async of [false, true]) {
      const { reply, answer } = await send({ ...body, route: gated, async });
      expect(reply.status).toBe(422);
      const where = ["body", "route", 1, "gate", ...loc];
      const msg = expect.stringContaining(message);
      expect(answer.detail).toEqual([expect.objectContaining({ loc: where, msg })]);
    }
  });

  it.each([
    [
      "more gates than are looked at",
      { route: Array.from({ length: 21 }, (_, at) => ({ ...place(40 + at / 100, -42), gate })) },
      "These are 21 gates",
    ],
    [
      "gates of a route of a year",
      {
        route: [place(40, -42), place(-40, 100), { ...place(40, -42), gate }],
        vessel: { kind: "fixed", speed_kt: 2 },
        include_pieces: false,
        async: true,
      },
      "gates are looked at for at most 300",
    ],
  ])("refuses %s", async (_, part, message) => {
    const { reply, answer } = await send({ ...body, ...part });
    expect(reply.status).toBe(422);
    expect(answer.detail[0]).toMatchObject({ loc: ["body", "route"], msg: expect.stringContaining(message) });
  });

  it.each([
    ["no departure", { departure: undefined }, ["body", "departure"], "either departure or departures"],
    ["one place", { route: [place(1, 180), place(1, -180)] }, ["body", "route"], "all one place"],
    ["no speed", { vessel: { kind: "fixed" } }, ["body", "vessel", "speed_kt"], "needs speed_kt"],
    ["no polar", { vessel: { kind: "sail" } }, ["body", "vessel", "polar"], "either polar or polar_name"],
    [
      "a wrong polar",
      { vessel: { kind: "sail", polar: "TWA;5\n40;x\n50;1" } },
      ["body", "vessel", "polar"],
      "Line 2",
    ],
    ["a single waypoint", { route: [place(1, 180)] }, ["body", "route"], "at least 2 items"],
    [
      "a late departure",
      { departure: formatInstant(now + 11 * DAY_S) },
      ["body", "departure"],
      "10 days ahead",
    ],
    [
      "a limit of an unknown name",
      { limits: { wind_kts: 20, gust_kt: 30 } },
      ["body", "limits", "wind_kts"],
      "Extra inputs are not permitted",
    ],
    [
      "a table without speeds",
      {
        vessel: {
          kind: "motor",
          speed_kt: 8,
          table: {
            heights_m: [0, 2],
            head_kt: [8, 6, 5],
            bow_kt: [8, 6],
            quarter_kt: [8, 7],
            following_kt: [8, 7],
          },
        },
      },
      ["body", "vessel", "table", "head_kt"],
      "2 speeds",
    ],
  ])("refuses %s, and says where", async (_, part, loc, message) => {
    const { reply, answer } = await send({ ...body, ...part });
    expect(reply.status).toBe(422);
    expect(answer.detail).toEqual([expect.objectContaining({ loc, msg: expect.stringContaining(message) })]);
  });

  it("counts the places before it computes, and says the number and what to do", async () => {
    const departures = { from: formatInstant(now), to: formatInstant(now + 9 * DAY_S), step_hours: 1 };
    const far = { ...body, departure: undefined, route: [place(40, -10), place(30, -75)], departures };
    const { reply, answer } = await send(far);
    expect(reply.status).toBe(422);
    const [{ ctx, msg, loc }] = answer.detail;
    expect(loc).toEqual(["body", "route"]);
    expect(ctx.most).toBe(passageLimits.places.sync);
    expect(msg).toContain(`${ctx.places} places (217 departures of ${ctx.places / 217} pieces)`);
    expect(msg).toContain('"async": true');
    const withPieces = await send({ ...far, async: true, include_pieces: true });
    expect(withPieces.answer.detail[0].msg).toContain("leave out include_pieces");
  });
});
