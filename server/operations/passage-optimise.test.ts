import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { passageResponse } from "#lib/contract/passage-reply.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { DAY_S, formatInstant, parseInstant } from "#lib/time.ts";
import { openTides } from "#server/tides/tides.ts";
import { demoArchive } from "#test/demo-archive.ts";
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

const place = (latitude: number, longitude: number) => ({ latitude, longitude });
const vessel = { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 5 };
const body = { route: [place(40, -42), place(40.25, -42.4)], departure: formatInstant(now), vessel };

async function send(request: object, headers: Record<string, string> = {}) {
  const reply = await ask("POST", "/passages/optimise", { body: request, headers });
  const text = await textOf(reply);
  return { reply, text, answer: text.startsWith("{") ? JSON.parse(text) : undefined };
}

async function answered(request: object) {
  const { reply, answer } = await send(request);
  expect(reply.status).toBe(200);
  const { results, meta } = passageResponse.parse(answer).result;
  return { own: results[0]!, better: results[1]!, found: meta.better!, meta };
}

describe("POST /passages/optimise", () => {
  it("gives the own plan and the better one as POST /passages/evaluate makes them, and the difference", async () => {
    const { own, better, found, meta } = await answered({ ...body, objective: "fastest" });
    for (const [plan, route] of [
      [own, body.route],
      [better, found.route],
    ] as const) {
      const reply = await ask("POST", "/passages/evaluate", { body: { ...body, route } });
      expect(JSON.parse(await textOf(reply)).result.results).toEqual([plan]);
    }
    expect(better.totals.duration_s).toBeLessThanOrEqual(own.totals.duration_s);
    expect(found.difference.duration_s).toBe(better.totals.duration_s - own.totals.duration_s);
    expect(found.route[0]).toMatchObject(body.route[0]!);
    expect(found.route.at(-1)).toMatchObject(body.route[1]!);
    expect(meta.departures).toHaveLength(2);
    expect(meta.knowledge.at(-1)).toContain("Natural Earth 1:10 million");
  });

  it("keeps the limits where a way exists, and says so where none does", async () => {
    const { found, better } = await answered(body);
    expect(found.keeps_limits).toBe(found.over_limits_s.better === 0);
    const least = await answered({ ...body, limits: { wind_kt: 0.1 } });
    expect(least.found.keeps_limits).toBe(false);
    expect(least.better).toMatchObject({ verdict: "NO", ending: "arrived" });
    expect(least.found.over_limits_s.better).toBeLessThanOrEqual(least.found.over_limits_s.own);
    expect(better.ending).toBe("arrived");
  });

  it("goes around land that the own route crosses", async () => {
    // Through Flores of the Azores.
    const route = [place(39.45, -31.6), place(39.45, -30.8)];
    const { found, better } = await answered({ ...body, route, vessel: { kind: "fixed", speed_kt: 6 } });
    expect(found).toMatchObject({ own_crosses_land: true });
    expect(found.route.length).toBeGreaterThan(2);
    expect(better.ending).toBe("arrived");
  });

  it("keeps clear of storms by the user's distance, where they are asked for", async () => {
    const ahead = [0, 6].map((hour) => aheadPoint(hour, place(40.2, -42), allRound(60, 30, null)));
    const entry = { ...stormOf(ahead, { id: "AL012026" }) };
    const published = () => ({ entries: [entry], synthetic: true, newestTextAt: BASE });
    open({ weather: { now: () => BASE }, storms: { published }, archive: demoArchive(BASE) });
    const limits = { storm_km: 20 };
    const request = {
      ...body,
      limits,
      route: [place(40, -44), place(40, -40)],
      departure: formatInstant(BASE),
    };
    const fast = {
      ...request,
      vessel: { kind: "fixed", speed_kt: 16 },
      storms: "jtwc",
      objective: "fastest",
    };
    const { own, better, found } = await answered(fast);
    expect(own.storms!.results[0]!.danger!.enters).not.toBeNull();
    expect(better.storms!.results[0]!.danger!.enters).toBeNull();
    expect(found.over_limits_s.own).toBeGreaterThan(1800);
  });

  it("goes by way of a gate that the own route misses, and waits before it until it opens", async () => {
    const station = "ticon:saint_malo-410-fra-refmar";
    const through = (from_h: number, to_h: number) => ({
      ...body,
      vessel: { kind: "fixed", speed_kt: 8 },
      objective: "fastest",
      route: [
        place(40, -42),
        { ...place(40.1, -42.2), gate: { kind: "high_water", station, from_h, to_h } },
        place(40.25, -42.4),
      ],
    });
    const open = await answered(through(-12, 12));
    for (const { gates, deciding } of [open.own, open.better]) {
      expect(gates).toMatchObject([{ holds: true, waited_s: 0 }]);
      expect(deciding?.by).not.toBe("gate_missed");
    }
    const missed = await Promise.all([-5, 1].map((from_h) => answered(through(from_h, from_h + 2))));
    expect(missed.map(({ own }) => own.deciding!.by)).toEqual(["gate_missed", "gate_missed"]);
    for (const { own, better, found } of missed) {
      expect(better.gates).toMatchObject([{ holds: true, waited_s: expect.any(Number) }]);
      expect(better.gates![0]!.waited_s).toBeGreaterThan(0);
      expect(found.text).toMatch(/^misses 0 gates instead of 1, waits \d+ (h|min) before gates/);
      const at = found.route.findIndex(({ gate }) => gate);
      expect(found.route[at]).toMatchObject({ ...place(40.1, -42.2), gate: { wait: true } });
      expect(parseInstant(better.gates![0]!.eta!) + better.gates![0]!.waited_s).toBeGreaterThanOrEqual(
        parseInstant(own.gates![0]!.window!.from!) - 30,
      );
      expect(own.gates![0]!.gate.wait).toBe(false);
      const { vessel } = through(0, 0);
      const reply = await ask("POST", "/passages/evaluate", {
        body: { ...body, vessel, route: found.route },
      });
      expect(JSON.parse(await textOf(reply)).result.results).toEqual([better]);
    }
  });

  it.each([
    ["text/csv", /^latitude/],
    ["application/geo+json", /^\{"type":"FeatureCollection"/],
    ["application/gpx+xml", /<rte>[\s\S]*<rte>/],
  ])("answers as %s where Accept asks for it, with both routes", async (accept, begins) => {
    const { reply, text } = await send({ ...body, objective: "fastest" }, { accept });
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, accept]);
    expect(text).toMatch(begins);
  });

  it.each([
    [
      "a limit of an unknown name",
      { limits: { wind: 20 } },
      ["body", "limits", "wind"],
      "Extra inputs are not permitted",
    ],
    [
      "a start on land",
      { route: [place(51, -1.5), place(49.8, -3)] },
      ["body", "route", 0],
      "nearest water is at 50.",
    ],
    [
      "an end on land",
      { route: [place(49.8, -3), place(51, -1.5)] },
      ["body", "route", 1],
      "The end is on land",
    ],
    [
      "a start far inland",
      { route: [place(47, 95), place(40, -42)] },
      ["body", "route", 0],
      "no water within 60 n mi",
    ],
    [
      "a route too long",
      { route: [place(40, -42), place(-40, 100)] },
      ["body", "route"],
      "at most 6000 n mi",
    ],
    ["a long one at once", { route: [place(40, -42), place(40, -20)] }, ["body", "route"], '"async": true'],
    [
      "a late departure",
      { departure: formatInstant(now + 11 * DAY_S) },
      ["body", "departure"],
      "10 days ahead",
    ],
    [
      "a forecast that ends",
      { route: [place(40, -42), place(40, -20)], departure: formatInstant(now + 10 * DAY_S), async: true },
      ["body", "departure"],
      "the forecast ends 0 h after the departure",
    ],
    [
      "a round trip",
      { route: [place(40, -42), place(41, -42), place(40, -42)] },
      ["body", "route"],
      "ends where it begins",
    ],
    ["no route", { route: [] }, ["body", "route"], "at least 2 items"],
    ["one place", { route: [place(40, -42)] }, ["body", "route"], "at least 2 items"],
  ])("refuses %s, and says where and what to do", async (_, part, loc, message) => {
    const { reply, answer } = await send({ ...body, ...part });
    expect(reply.status).toBe(422);
    expect(answer.detail).toEqual([expect.objectContaining({ loc, msg: expect.stringContaining(message) })]);
  });

  it("offers water that is accepted", async () => {
    const { answer } = await send({ ...body, route: [place(51, -1.5), place(50.3, -1.3)] });
    const water = answer.detail[0].ctx.nearest_water;
    expect(distanceKm(water, place(51, -1.5))).toBeLessThan(60);
    const { reply } = await send({ ...body, objective: "fastest", route: [water, place(50.3, -1.3)] });
    expect(reply.status).toBe(200);
  });

  it("fails with a sentence where there is no way by water", async () => {
    const { reply, answer } = await send({
      ...body,
      route: [place(42, 50.5), place(43, 38)],
      vessel: { kind: "fixed", speed_kt: 50 },
    });
    expect([reply.status, answer.status]).toEqual([200, "FAILURE"]);
    expect(answer.error).toContain("No way by water");
  });
});
