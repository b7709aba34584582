import { distanceKm } from "@open-metocean/geo/sphere";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { passageResponse } from "#lib/contract/passage-reply.ts";
import { DAY_S, formatInstant, parseInstant } from "#lib/time.ts";
import { openTides } from "#server/tides/tides.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, issuesOf, textOf } from "#test/send.ts";

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
    expect(meta.knowledge.at(-1)).toContain("OpenStreetMap, 2017");
  });

  it("keeps a mile off the coast, and is proposed instead of an own route that does not, though it takes longer", async () => {
    const route = [place(50.05, -4.6), place(49.945, -5.2), place(49.93, -6)];
    const noLimits = {
      wind_kt: null,
      gust_kt: null,
      apparent_ahead_kt: null,
      head_sea_m: null,
      beam_sea_m: null,
    };
    const limits = {
      ...noLimits,
      following_sea_m: null,
      acceleration_g: null,
      current_against_wind_kt: null,
    };
    const { own, better, found } = await answered({
      ...body,
      route,
      limits: { ...limits, rain_mm_h: null, cape_j_kg: null },
      vessel: { kind: "fixed", speed_kt: 7 },
    });
    expect([own.deciding?.by, own.near_coast?.distance_nm]).toEqual(["near_coast", 0.8]);
    expect(better.near_coast).toBeUndefined();
    expect(found.origin).not.toBe("own");
    expect(found.keeps_limits).toBe(true);
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

  it.each([
    [{ limits: { wind: 20 } }, "limits.wind", "Extra inputs are not permitted"],
    [{ route: [place(51, -1.5), place(49.8, -3)] }, "route.0", "nearest water is at 50."],
    [{ route: [place(49.8, -3), place(51, -1.5)] }, "route.1", "The end is on land"],
    [{ route: [place(47, 95), place(40, -42)] }, "route.0", "no water within 60 n mi"],
    [{ route: [place(40, -42), place(-40, 100)] }, "route", "at most 6000 n mi"],
    [{ route: [place(40, -42), place(40, -20)] }, "route", '"async": true'],
    [{ departure: formatInstant(now + 11 * DAY_S) }, "departure", "10 days ahead"],
    [
      { route: [place(40, -42), place(40, -20)], departure: formatInstant(now + 10 * DAY_S), async: true },
      "departure",
      "the forecast ends 0 h after the departure",
    ],
    [{ route: [place(40, -42), place(41, -42), place(40, -42)] }, "route", "should not end where it begins"],
    [{ route: [] }, "route", "at least 2 items"],
    [{ route: [place(40, -42)] }, "route", "at least 2 items"],
  ] as [object, string, string][])(
    "refuses %j, and says where and what to do",
    async (part, loc, message) => {
      const { reply } = await send({ ...body, ...part });
      expect(reply.status).toBe(422);
      expect(await issuesOf(reply)).toEqual([[loc, expect.stringContaining(message)]]);
    },
  );

  it("goes by way of a gate that the own route misses, and waits before it until it opens", async () => {
    const station = "ticon:saint_malo-410-fra-refmar";
    const gate = place(40.1, -42.2);
    const through = (from_h: number, to_h: number) => ({
      ...body,
      vessel: { kind: "fixed", speed_kt: 8 },
      objective: "fastest",
      route: [body.route[0], { ...gate, gate: { kind: "high_water", station, from_h, to_h } }, body.route[1]],
    });
    const open = await answered(through(-12, 12));
    for (const { gates } of [open.own, open.better])
      expect(gates).toMatchObject([{ holds: true, waited_s: 0 }]);
    for (const from_h of [-5, 1]) {
      const { own, better, found } = await answered(through(from_h, from_h + 2));
      expect(own).toMatchObject({ deciding: { by: "gate_missed" }, gates: [{ gate: { wait: false } }] });
      const [met] = better.gates!;
      expect(met!.holds).toBe(true);
      expect(parseInstant(met!.eta!) + met!.waited_s).toBeGreaterThanOrEqual(
        parseInstant(own.gates![0]!.window!.from!) - 30,
      );
      expect(found.text).toMatch(/^misses 0 gates instead of 1, waits \d+ (h|min) before gates/);
      expect(found.route.find((one) => one.gate)).toMatchObject({ ...gate, gate: { wait: true } });
    }
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
