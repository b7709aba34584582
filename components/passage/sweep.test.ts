import { fromKnots } from "@open-metocean/geo/knots";
import { describe, expect, it } from "vitest";
import { type PlanWithVessel, passageRequest } from "#lib/contract/passage.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { passage } from "#lib/messages/generated/en/passage.ts";
import type { PredictedGate } from "#lib/passage/gates.ts";
import { knowledgeOf as serviceKnowledge } from "#lib/passage/to-wire.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { metaOf, northward, planOf } from "#test/passage.ts";
import { nextLook } from "./next-look.ts";
import { knowledgeOf } from "./passage-facts.tsx";
import {
  betterRequest,
  departureOf,
  hasRoute,
  oneBody,
  sweepRequest,
  usualSweep,
} from "./passage-request.ts";
import { shareStep, sharesOf } from "./route-shares.ts";
import { barsOf, departuresIn, leastBad } from "./sweep-table.tsx";

const { outlook: words } = passage;

const NOW = parseInstant("2026-09-15T12:20:00Z");
const storms = { provider: "jtwc", method: "classic" } as const;
const short: PlanWithVessel = { name: "", route: northward, vessel: { kind: "fixed", speed_kt: 6 } };

describe("a request", () => {
  it("of the next five days begins at the next full hour, and is answered at once with storms", () => {
    const request = sweepRequest(short, usualSweep(short, NOW), storms, {}, NOW);
    expect(request).toMatchObject({ as: "answer", departures: 41 });
    if (request.as === "refused") throw new Error(request.why);
    expect(request.body).toMatchObject({
      departures: { from: "2026-09-15T13:00:00Z", to: "2026-09-20T13:00:00Z", step_hours: 3 },
      include_pieces: false,
      storms: "jtwc",
    });
    expect(passageRequest.safeParse(request.body).success).toBe(true);
  });

  it("with a latest arrival compares the departures until then, with the shortest step of which there are not too many", () => {
    const by = (hours: number) => ({ ...short, arrive: { by: formatInstant(at(hours)) } });
    const at = (hours: number) => parseInstant("2026-09-15T13:00:00Z") + hours * HOUR_S;
    for (const [hours, step] of [
      [40, 1],
      [61, 3],
      [200, 6],
    ] as const) {
      const sweep = usualSweep(by(hours), NOW);
      expect(sweep).toEqual({ from: at(0), to: at(hours), step });
      const request = sweepRequest(by(hours), sweep, storms, {}, NOW);
      if (request.as === "refused") throw new Error(request.why);
      expect(request.body.arrive).toEqual(by(hours).arrive);
      expect(passageRequest.safeParse(request.body).success).toBe(true);
    }
    const later = sweepRequest(by(10), { from: at(0), to: at(50), step: 1 }, storms, {}, NOW);
    expect(later).toMatchObject({ departures: 11 });
    expect(oneBody(by(10), NOW, storms)).toMatchObject({ arrive: by(10).arrive });
    const { limits: _, ...search } = short;
    expect(
      JSON.stringify(betterRequest({ ...search, ...by(10) }, NOW, "fastest", storms, {}, NOW)),
    ).not.toContain("arrive");
  });

  const far = {
    ...short,
    name: "Round trip",
    route: [...northward, { ...northward[0]!, latitude: 15, longitude: -60 }],
  };
  const round = { ...far, route: Array.from({ length: 40 }, (_, index) => far.route[index % 4]!) };

  it("that is large becomes a task with the name of the plan, with storms too", () => {
    const task = sweepRequest(far, { ...usualSweep(far, NOW), step: 1 }, storms, {}, NOW);
    expect(task).toMatchObject({
      as: "task",
      body: { async: true, task_name: "Round trip", storms: "jtwc" },
    });
  });

  it.each<[string, PlanWithVessel, number, number]>([
    ["range", short, 0, -1],
    ["arrival", { ...short, arrive: { by: "2026-09-15T12:00:00Z" } }, 1, 5],
    ["departures", short, -2400, 0],
    ["vessel", { ...short, vessel: { kind: "sail" } }, 0, 1],
    ["places", round, 0, 100],
  ])("that cannot be answered is refused with the reason: %s", (why, plan, from, to) => {
    const range = { from: NOW + from * HOUR_S, to: NOW + to * HOUR_S, step: 1 } as const;
    expect(sweepRequest(plan, range, storms, {}, NOW)).toEqual({ as: "refused", why });
  });

  it("for one departure leaves at the next full hour unless the plan says when, without names of waypoints", () => {
    expect(departureOf(short, NOW)).toBe(parseInstant("2026-09-15T13:00:00Z"));
    const departure = "2026-09-16T04:00:00Z";
    expect(departureOf({ ...short, departure }, NOW)).toBe(parseInstant(departure));
    const named = { ...short, route: short.route.map((place) => ({ ...place, name: "Ushant" })) };
    const body = oneBody(named, NOW, storms);
    expect(JSON.stringify(body)).not.toContain("Ushant");
    expect(passageRequest.safeParse(body).success).toBe(true);
    expect([short, { ...short, route: [northward[0]!, northward[0]!] }].map(hasRoute)).toEqual([true, false]);
  });
});

describe("departures", () => {
  const wind = (knots: number) => () => ({
    Winds_10m_Intensity: fromKnots(knots),
    Winds_10m_Direction: 270,
    Waves_Significant_Height: 0.5,
    Waves_Mean_Direction: 270,
    Waves_Mean_Period: 8,
    Currents_Intensity: 0,
  });
  const at = (hours: number) => NOW + hours * HOUR_S;
  const strong = planOf(wind(30), at(0));
  const calm = planOf(wind(8), at(3));
  const unknown = planOf(({ time }) => (time < at(8) ? wind(8)() : {}), at(6));
  const plans = [strong, calm, unknown];

  it("are sorted as the service says, and those that the forecast does not reach stay, marked, at the end", () => {
    const balanced = departuresIn(plans, metaOf(plans), "balanced");
    expect(balanced.map(({ plan }) => plan.verdict)).toEqual(["GO", "NO", "CAUTION"]);
    expect(balanced.map(({ isWhole }) => isWhole)).toEqual([true, true, false]);
    expect(departuresIn(plans, metaOf(plans), "departure").map(({ plan }) => plan)).toEqual(plans);
  });

  it("of which none is good: the least bad is that which exceeds its limits least, however long it takes", () => {
    const gale = planOf(wind(45), at(9));
    const ratio = (plan: PassagePlan, worst: number | null): PassagePlan => ({
      ...plan,
      totals: { ...plan.totals, duration_s: 10 * plan.totals.duration_s, mean_ratio: 9 },
      deciding: { ...plan.deciding!, ratio: worst },
    });
    const long = ratio(strong, 1.1);
    const ashore = ratio(strong, null);
    const least = (...among: PassagePlan[]) => leastBad(departuresIn(among, metaOf(among), "balanced"));
    expect(departuresIn([gale, long], metaOf([gale, long]), "balanced")[0]!.plan).toBe(gale);
    expect(least(gale, long)).toBe(long);
    expect(least(ashore, gale)).toBe(gale);
    expect(least(unknown, long)).toBe(long);
  });

  it("are bars from departure to arrival, coloured by the worst share of a limit, known until the forecast ends", () => {
    const { bars, from, to } = barsOf(plans);
    expect(from).toBe(NOW);
    expect(to).toBeGreaterThan(at(15));
    expect(bars.map(({ step }) => step)).toEqual([3, 0, 5]);
    expect(bars[1]).toMatchObject({ known: bars[1]!.to });
    expect(bars[2]!.known).toBeLessThan(bars[2]!.to);
    for (const { from: start, to: end, decided } of bars)
      expect(decided).toBeGreaterThanOrEqual(start - 1e-9 * end);
    expect([0.5, 0.51, 1, 1.3, null].map(shareStep)).toEqual([0, 1, 2, 4, 5]);
  });

  it("are looked at again when the forecast will reach an arrival, in a day where all are judged, never for land", () => {
    // The forecast ends 8 h from now; a passage of 10 h that leaves in 6 h arrives 8 h after that.
    const look = nextLook([strong, unknown], NOW)!;
    const reach = parseInstant(unknown.end.timestamp) - parseInstant(unknown.no_forecast_from!);
    expect(look).toBeGreaterThanOrEqual(NOW + reach);
    expect(look).toBeLessThan(NOW + reach + 6 * HOUR_S);
    expect(look % (6 * HOUR_S)).toBe(0);
    expect(nextLook([strong], NOW)).toBe(parseInstant("2026-09-16T18:00:00Z"));
    const deciding = { ...strong.deciding!, by: "crosses_land" as const };
    expect(nextLook([{ ...strong, deciding }], NOW)).toBeUndefined();
  });

  it("colour the way by the share of a limit that each part is at, without a gap", () => {
    const parts = sharesOf(unknown);
    expect(parts.map(({ step }) => step)).toEqual([0, 5]);
    expect(parts[1]!.places[0]).toEqual(parts[0]!.places.at(-1));
    expect(parts.at(-1)!.places.at(-1)).toEqual(unknown.end);
  });

  it("colour the way near a coast as a caution, however fair the weather, or unknown, and no less what is worse", () => {
    const near = (plan: PassagePlan) =>
      sharesOf({
        ...plan,
        pieces: plan.pieces!.map((piece) => ({ ...piece, flags: [...piece.flags, "near_coast" as const] })),
      }).map(({ step }) => step);
    expect(near(unknown)).toEqual([2]);
    expect(near(strong)).toEqual(sharesOf(strong).map(({ step }) => step));
  });
});

it.each([
  [true, false, undefined],
  [false, true, ["Stations of somebody"]],
])(
  "what a plan does not know is what the service says that it does not know",
  (withStorms, withFuel, credits) => {
    const gates = credits?.map((attribution) => ({ about: { attribution } })) as PredictedGate[] | undefined;
    const meta = { ...metaOf([]), ...(gates && { gates: gates.map(({ about }) => about) }) };
    const plan = planOf(() => ({}), NOW);
    const totals = { ...plan.totals, ...(withFuel && { fuel_l: 1 }) };
    const page = knowledgeOf({ withStorms, meta, plans: [{ ...plan, totals }] }, words);
    const service = serviceKnowledge({ withStorms, withFuel, ...(gates && { gates }) });
    // The page's sentences equal the service's except for the words of a flag and the thresholds, so their
    // beginnings are compared.
    expect(page.map((sentence) => sentence.slice(0, 20))).toEqual(
      service.map((sentence) => `${sentence}.`.slice(0, 20)),
    );
  },
);
