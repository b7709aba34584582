import { distanceKm } from "@open-metocean/geo/sphere";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { passageLimits } from "#lib/contract/passage.ts";
import { passageResponse } from "#lib/contract/passage-reply.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { rateGroups } from "#server/http/authenticate.ts";
import { openTides } from "#server/tides/tides.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, connectWeather, issuesOf, textOf } from "#test/send.ts";
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
  it("answers a visitor for one departure at once, and nothing larger", async () => {
    open({
      guests: { mode: "api", limit: rateGroups.data, isOpen: async () => true, hasSession: () => false },
    });
    const visit = async (request: object) => {
      const headers = { "x-api-key": undefined };
      const reply = await ask("POST", "/passages/evaluate", { headers, body: request, address: "192.0.2.1" });
      return `${reply.status} ${/Visitors [a-z A-Z]+/.exec(await textOf(reply)) ?? ""}`;
    };
    expect(await visit(body)).toBe("200 ");
    const departures = { from: body.departure, to: formatInstant(now + 6 * HOUR_S), step_hours: 6 };
    const slow = { ...body, route: [place(40, -20), place(40, -70)], vessel: { kind: "fixed", speed_kt: 1 } };
    for (const larger of [
      { ...body, async: true },
      { ...body, departure: undefined, departures },
      { ...body, ensemble: "gefs" },
      slow,
    ])
      expect(await visit(larger)).toMatch(/^403 Visitors without an API key may evaluate one departure/);
  });

  it("of a route close to a cape is no GO at any departure, and says where; further off it is another matter", async () => {
    const lizard = (latitude: number) => [place(50.05, -4.6), place(latitude, -5.2), place(49.93, -6)];
    const sweep = {
      ...body,
      vessel: { kind: "fixed", speed_kt: 6 },
      departures: { from: formatInstant(now), to: formatInstant(now + 12 * HOUR_S), step_hours: 6 },
      departure: undefined,
      include_pieces: true,
    };
    const { results } = await plansOf({ ...sweep, route: lizard(49.945) });
    expect(results).toHaveLength(3);
    for (const { verdict, deciding, near_coast, pieces } of results) {
      expect(verdict).not.toBe("GO");
      expect(near_coast).toMatchObject({
        leg: 0,
        // Lizard Point lies at 49.959° N.
        distance_nm: 0.8,
        at: { latitude: expect.closeTo(49.946, 2), longitude: expect.closeTo(-5.194, 2) },
      });
      if (verdict === "CAUTION")
        expect(deciding).toMatchObject({
          by: "near_coast",
          value: 0.8,
          limit: 1,
          leg: 0,
          at: near_coast!.at,
        });
      const flagged = pieces!.filter(({ flags }) => flags.includes("near_coast"));
      expect(flagged.length).toBeGreaterThan(0);
      expect(flagged.length).toBeLessThan(pieces!.length / 4);
    }
    const off = await plansOf({ ...sweep, route: lizard(49.9) });
    for (const { deciding, near_coast, pieces } of off.results) {
      expect([deciding?.by === "near_coast", near_coast]).toEqual([false, undefined]);
      expect(pieces!.some(({ flags }) => flags.includes("near_coast"))).toBe(false);
    }
  });

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
    expect(meta.knowledge.join()).toMatch(/land.*depths.*horizon.*storms are not considered/i);
    expect(meta.limits.wind_kt).toBe(22);
    expect(meta.motor_table!.head_kt[0]).toBe(12);
    expect(meta.provenance.map(({ variable }) => variable)).toContain("wave");
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
    [{ station: "noaa:nowhere" }, "station", "no such station"],
    [{ station: NON_COMMERCIAL }, "station", "forbids commercial use"],
    [{ station: "noaa:SFB1203" }, "kind", "needs a tide station"],
    [{ kind: "slack", min_m: undefined, within_h: 1 }, "kind", "needs a stream station"],
    [{ datum: "NAVD88" }, "datum", "this station has heights above"],
    [{ kind: "slack", min_m: undefined, within_h: -1 }, "within_h", "greater than or equal to 0"],
    [{ kind: "high_water", min_m: undefined, from_h: 2, to_h: -2 }, "to_h", "not close before it opens"],
  ] as [object, string, string][])("refuses a gate of %j, and says where", async (part, loc, message) => {
    const gated = [route[0], { ...route[1], gate: { ...gate, ...part } }];
    for (const async of [false, true]) {
      const { reply, answer } = await send({ ...body, route: gated, async });
      expect(reply.status).toBe(422);
      const where = ["body", "route", 1, "gate", loc];
      const msg = expect.stringContaining(message);
      expect(answer.detail).toEqual([expect.objectContaining({ loc: where, msg })]);
    }
  });

  it.each([
    [
      { route: Array.from({ length: 21 }, (_, at) => ({ ...place(40 + at / 100, -42), gate })) },
      "The route has 21 gates",
    ],
    [
      {
        route: [place(40, -42), place(-40, 100), { ...place(40, -42), gate }],
        vessel: { kind: "fixed", speed_kt: 2 },
        include_pieces: false,
        async: true,
      },
      "gates are predicted for at most 300",
    ],
  ] as [object, string][])("refuses %j", async (part, message) => {
    const { reply, answer } = await send({ ...body, ...part });
    expect(reply.status).toBe(422);
    expect(answer.detail[0]).toMatchObject({ loc: ["body", "route"], msg: expect.stringContaining(message) });
  });

  it.each([
    [{ departure: undefined }, "departure", "either departure or departures"],
    [{ route: [place(1, 180), place(1, -180)] }, "route", "at the same place"],
    [{ vessel: { kind: "fixed" } }, "vessel.speed_kt", "needs speed_kt"],
    [{ vessel: { kind: "sail" } }, "vessel.polar", "either polar or polar_name"],
    [{ vessel: { kind: "sail", polar: "TWA;5\n40;x\n50;1" } }, "vessel.polar", "Line 2"],
    [{ route: [place(1, 180)] }, "route", "at least 2 items"],
    [{ departure: formatInstant(now + 11 * DAY_S) }, "departure", "10 days ahead"],
    [{ limits: { wind_kts: 20, gust_kt: 30 } }, "limits.wind_kts", "Extra inputs are not permitted"],
    [
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
      "vessel.table.head_kt",
      "2 speeds",
    ],
  ] as [object, string, string][])(
    "refuses %j, and says where and what to do",
    async (part, loc, message) => {
      const { reply } = await send({ ...body, ...part });
      expect(reply.status).toBe(422);
      expect(await issuesOf(reply)).toEqual([[loc, expect.stringContaining(message)]]);
    },
  );

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
