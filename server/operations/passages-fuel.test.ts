import { describe, expect, it } from "vitest";
import { type PassagePlan, passageResponse } from "#lib/contract/passage-reply.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, issuesOf, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const archive = demoArchive(now);

const place = (latitude: number, longitude: number) => ({ latitude, longitude });
const route = [place(40, -42), place(40.4, -42.5), place(40.4, -43)];
const departure = formatInstant(now);
const curve = [
  { speed_kt: 5, rate: 2 },
  { speed_kt: 8, rate: 9 },
  { speed_kt: 12, rate: 31 },
];
const motor = { kind: "motor", speed_kt: 12, fuel: { curve } };

async function send(path: string, body: object) {
  connectWeather(now, { archive });
  return await ask("POST", path, { body });
}

async function resultOf(body: object, path = "/passages/evaluate") {
  const reply = await send(path, body);
  const answer = JSON.parse(await textOf(reply));
  expect(reply.status, JSON.stringify(answer)).toBe(200);
  return passageResponse.parse(answer).result;
}

/** Litres per hour by the curve above. */
function litresAt(knots: number): number {
  if (knots <= 5) return 2;
  return knots <= 8 ? 2 + (7 * (knots - 5)) / 3 : 9 + (22 * (knots - 8)) / 4;
}

/** Adds up the fuel of the pieces of an answer. */
const byHand = ({ pieces = [] }: PassagePlan) =>
  pieces.reduce(
    (sum, { mode, stw_kt, duration_s }) =>
      mode === "motor" ? sum + (litresAt(stw_kt) * duration_s) / 3600 : sum,
    0,
  );

describe("the fuel of a passage", () => {
  it("is the sum of the answer's own pieces by hand, at the speed that each makes through the water", async () => {
    const { results, meta } = await resultOf({ route, departure, vessel: motor });
    const [plan] = results;
    const speeds = new Set(plan!.pieces!.map(({ stw_kt }) => stw_kt));
    expect(speeds.size).toBeGreaterThan(2);
    expect(Math.abs(plan!.totals.fuel_l! - byHand(plan!))).toBeLessThan(0.3);
    expect(plan!.totals.fuel_l).toBeGreaterThan(20);
    expect(plan!.totals.motor_s).toBe(plan!.totals.duration_s);
    expect(plan!.totals).not.toHaveProperty("co2_t");
    expect(meta.knowledge.join()).toContain("Fuel is what the consumption states");
    const without = await resultOf({ route, departure, vessel: { ...motor, fuel: undefined } });
    expect(without.results[0]!.totals).not.toHaveProperty("fuel_l");
    expect(without.meta.knowledge.join()).not.toContain("Fuel");
  });

  it("of a sailing boat is burnt under motor only", async () => {
    const sail = {
      kind: "sail",
      polar_name: "cruising_10m",
      motor_speed_kt: 8,
      motor_below_kt: 3.5,
      fuel: { curve },
    };
    const departures = { from: departure, to: formatInstant(now + 8 * DAY_S), step_hours: 24 };
    const { results } = await resultOf({ route, departures, vessel: sail, include_pieces: true });
    for (const plan of results) {
      expect(plan.totals.fuel_l).toBeCloseTo((9 * plan.totals.motor_s) / HOUR_S, 0);
      expect(Math.abs(plan.totals.fuel_l! - byHand(plan))).toBeLessThan(0.3);
    }
    const [least, most] = [Math.min, Math.max].map((of) =>
      of(...results.map(({ totals }) => totals.fuel_l!)),
    );
    expect(least).toBeLessThan(most!);
  });

  it("of a ship is in tonnes, with its CO₂, in plans, files and the difference of a better route", async () => {
    const fuel = { unit: "t_day", curve: [{ speed_kt: 14, rate: 36 }], co2_factor: 3.114 };
    const ship = { kind: "fixed", speed_kt: 14, fuel };
    const { results } = await resultOf({ route, departure, vessel: ship });
    const { totals } = results[0]!;
    expect(totals.fuel_t).toBeCloseTo((36 * totals.duration_s) / DAY_S, 2);
    expect(totals.co2_t).toBeCloseTo((3.114 * 36 * totals.duration_s) / DAY_S, 2);
    const csv = await textOf(
      await send("/passages/evaluate", { route, departure, vessel: ship, include_pieces: false }),
    );
    expect(csv).toContain("co2_t");
    const around = [place(40, -42), place(41, -42.5), place(40.4, -43)];
    const better = await resultOf(
      { route: around, departure, vessel: ship, objective: "fastest" },
      "/passages/optimise",
    );
    const [own, found] = better.results.map((plan) => plan.totals);
    const { difference, text } = better.meta.better!;
    expect(difference.fuel_t).toBeCloseTo(found!.fuel_t! - own!.fuel_t!, 2);
    expect(difference.fuel_t).toBeLessThan(-1);
    expect(difference.co2_t).toBeCloseTo(3.114 * difference.fuel_t!, 1);
    expect(text).toContain(`${found!.fuel_t!.toFixed(2)} t of fuel instead of ${own!.fuel_t!.toFixed(2)} t`);
  });

  it("beyond its limit is NO, where so much is used, and from 80 % of it CAUTION", async () => {
    const limits = Object.fromEntries(
      Object.keys((await resultOf({ route, departure, vessel: motor })).meta.limits).map((name) => [
        name,
        null,
      ]),
    );
    const fixed = (limit: number) => ({ kind: "fixed", speed_kt: 8, fuel: { curve, limit } });
    const planWith = async (limit: number) =>
      (await resultOf({ route, departure, vessel: fixed(limit), limits })).results[0]!;
    const { totals } = await planWith(1000);
    const used = totals.fuel_l!;
    const over = await planWith(used / 2);
    expect(over).toMatchObject({
      verdict: "NO",
      deciding: { by: "fuel", ratio: expect.closeTo(2, 2), value: expect.closeTo(used, 0), limit: used / 2 },
    });
    expect(parseInstant(over.deciding!.at.timestamp) - now).toBeCloseTo(totals.duration_s / 2, -2);
    expect(over.deciding!.text).toMatch(/^Fuel: [\d.]+ l; limit [\d.]+ l$/);
    expect(await planWith(used / 0.9)).toMatchObject({ verdict: "CAUTION", deciding: { by: "fuel" } });
    expect((await planWith(used / 0.7)).verdict).toBe("GO");
    expect(await planWith(0)).toMatchObject({ verdict: "NO", deciding: { by: "fuel", ratio: 10 } });
  });
});

it.each([
  [{}, "curve", "either curve or both"],
  [{ curve: curve.slice(0, 2) }, "curve", "known up to 8 kt, and the vessel makes 12 kt"],
  [{ curve, limits: 3 }, "limits", "Extra inputs"],
  [{ curve, limit: -1 }, "limit", "greater than or equal to 0"],
] as [object, string, string][])(
  "a consumption of %j is refused, and says where",
  async (fuel, loc, message) => {
    const reply = await send("/passages/evaluate", { route, departure, vessel: { ...motor, fuel } });
    expect(reply.status).toBe(422);
    expect(await issuesOf(reply)).toContainEqual([`vessel.fuel.${loc}`, expect.stringContaining(message)]);
  },
);
