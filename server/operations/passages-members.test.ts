import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { passageRequest } from "#lib/contract/passage.ts";
import { type MembersAtDeparture, passageResponse } from "#lib/contract/passage-reply.ts";
import { questionOf } from "#lib/passage/question.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { manifestOfMember, passageManifestOfMember } from "#server/archive/ensembles.ts";
import { plansOf } from "#server/metocean/passages.ts";
import { memberArchive } from "#test/member-archive.ts";
import { ask, connectWeather, issuesOf, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const { signal } = new AbortController();
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);

/** 28 members, two whose forecast ends after a day, and one of 31 that is missing. */
const archive = memberArchive({ now, parts: [{ members: numbers(28) }, { members: [28, 30], hours: 24 }] });

beforeEach(() => connectWeather(now, { archive }));

const body = {
  route: [
    { latitude: 40, longitude: -42 },
    { latitude: 40.6, longitude: -43 },
    { latitude: 40.6, longitude: -44.5 },
  ],
  departures: { from: formatInstant(now), to: formatInstant(now + 72 * HOUR_S), step_hours: 12 },
  vessel: { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 5 },
  limits: { wind_kt: 22, head_sea_m: 3.2 },
};

async function answered(request: object, path = "/passages/evaluate") {
  const reply = await ask("POST", path, { body: request });
  const answer = JSON.parse(await textOf(reply));
  expect([reply.status, answer.detail, answer.error]).toEqual([200, undefined, undefined]);
  return passageResponse.parse(answer).result;
}

/** The plans of one member, by the code that plans without ensembles. */
async function alone(request: object, member: number) {
  const parsed = passageRequest.parse({ ...request, ensemble: undefined });
  // The ensemble has neither rain nor CAPE.
  const question = questionOf({ ...parsed, limits: { ...parsed.limits, rain_mm_h: null, cape_j_kg: null } });
  const manifest = passageManifestOfMember(await archive.manifest(), "ens", member);
  return plansOf(archive, manifest, question, [0, question.departures.length], now, signal);
}

it("counts the members that keep the limits as plans of each member alone do, and leaves the plans as they were", async () => {
  const { results, meta } = await answered({ ...body, ensemble: "ens" });
  const plain = await answered(body);
  expect(results).toEqual(plain.results);
  const { ensemble, ...others } = meta;
  expect(others).toEqual(plain.meta);
  expect(ensemble).toMatchObject({
    ensemble: "ens",
    size: 31,
    unjudged_limits: ["rain_mm_h", "cape_j_kg"],
    members: [...numbers(29), 30],
  });
  expect(ensemble!.runs.map(({ run, members }) => [run, members])).toEqual([
    ["ens-0", numbers(28)],
    ["ens-1", [28, 30]],
  ]);
  const plans = [];
  for (const member of ensemble!.members) plans.push((await alone(body, member)).plans);
  for (const [at, row] of ensemble!.departures.entries()) {
    const own = plans.map((all) => all[at]!);
    const isWhole = own.map((plan) => plan.ending === "arrived" && plan.no_forecast_from === null);
    expect(row.break).toBe(own.filter(({ verdict }) => verdict === "NO").length);
    expect(row.keep).toBe(own.filter(({ verdict }, one) => verdict !== "NO" && isWhole[one]).length);
    expect(row.keep + row.break + row.not_known).toBe(30);
    expect(row.by_member.map(({ arrival }) => arrival)).toEqual(
      own.map(({ arrival }, one) => (isWhole[one] ? arrival : null)),
    );
    expect(row.worst.max_wind_kt).toBe(Math.max(...own.map(({ totals }) => totals.max_wind_kt!)));
    expect(row.worst.max_height_m).toBe(Math.max(...own.map(({ totals }) => totals.max_height_m!)));
  }
  const kept = new Set(ensemble!.departures.map(({ keep }) => keep));
  expect(kept.size).toBeGreaterThan(2);
  // The vessel drifts with the currents of the best forecast, because the ensemble has none.
  const own = manifestOfMember(await archive.manifest(), "ens", 3);
  expect(own.runs.some(({ source }) => source === "best")).toBe(false);
});

it("a member whose forecast ends before the arrival is neither good nor bad, unless it is beyond a limit before", async () => {
  const generous = {
    ...body,
    limits: {
      wind_kt: 100,
      gust_kt: 100,
      head_sea_m: 30,
      beam_sea_m: 30,
      following_sea_m: 30,
      apparent_ahead_kt: null,
      acceleration_g: null,
    },
  };
  const { meta } = await answered({ ...generous, ensemble: "ens" });
  const last = meta.ensemble!.departures.at(-1)!;
  expect(last).toMatchObject({
    keep: 28,
    break: 0,
    not_known: 2,
    arrival: { members: 28, forecast_ends: 2, never: 0 },
  });
  expect(last.text).toMatch(/^28 of 30 members keep the limits, for 2 it is not known\. 28 of 30 arrive/);
  const calm = await answered({ ...body, limits: { wind_kt: 0.1 }, ensemble: "ens" });
  for (const { keep, not_known } of calm.meta.ensemble!.departures)
    expect([keep, not_known]).toEqual([0, expect.any(Number)]);
});

it("no leg has fewer members that keep the limits than the passage, and its counts are those of the pieces of each member", async () => {
  const request = { ...body, departures: undefined, departure: formatInstant(now + 24 * HOUR_S) };
  const { meta } = await answered({ ...request, ensemble: "ens" });
  const [row] = meta.ensemble!.departures;
  const broken = [0, 0];
  for (const member of meta.ensemble!.members) {
    const [plan] = (await alone({ ...request, include_pieces: true }, member)).plans;
    for (const leg of [0, 1])
      if (plan!.pieces!.some((piece) => piece.leg === leg && (piece.nearest_limit?.ratio ?? 0) > 1))
        broken[leg]!++;
  }
  expect(row!.legs.map((leg) => leg.break)).toEqual(broken);
  for (const leg of row!.legs) expect(leg.keep).toBeGreaterThanOrEqual(row!.keep);
  expect(Math.max(...broken)).toBeGreaterThan(0);
});

it("for any seed and limits: fewer members stay under 22 kn than under 34, legs are at least the whole, orders and arrivals are those of plain counts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 10_000 }),
      fc.integer({ min: 2, max: 9 }),
      async (seed, count) => {
        const source = memberArchive({
          now,
          seed,
          parts: [{ members: numbers(count) }, { members: [count], hours: 12 }],
        });
        connectWeather(now, { archive: source });
        const rows = async (wind_kt: number) =>
          (await answered({ ...body, limits: { wind_kt }, ensemble: "ens" })).meta.ensemble!;
        const [low, high] = [await rows(22), await rows(34)];
        for (const [at, row] of low.departures.entries()) {
          expect(row.break).toBeGreaterThanOrEqual(high.departures[at]!.break);
          for (const leg of row.legs) expect(leg.keep).toBeGreaterThanOrEqual(row.keep);
          const times = row.by_member
            .flatMap(({ arrival }) => (arrival === null ? [] : parseInstant(arrival)))
            .sort((a, b) => a - b);
          expect(row.arrival.members).toBe(times.length);
          if (times.length > 0) {
            const { early, likely, late } = row.arrival;
            expect(parseInstant(likely!)).toBe(Math.round(medianOf(times)));
            expect(parseInstant(early!)).toBeLessThanOrEqual(parseInstant(likely!));
            expect(parseInstant(late!)).toBeLessThanOrEqual(times.at(-1)!);
          }
          expect(row.causes.reduce((sum, { members }) => sum + members, 0)).toBe(row.break);
        }
        expectOrdered(low.order.share.map((at) => -low.departures[at]!.keep));
        const whole = ({ arrival, by_member }: MembersAtDeparture) => arrival.members === by_member.length;
        expectOrdered(
          low.order.worst
            .map((at) => low.departures[at]!)
            .filter(whole)
            .map(({ worst }) => worst.max_ratio!),
        );
      },
    ),
    { numRuns: 8, seed: 5 },
  );
});

function medianOf(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

function expectOrdered(values: readonly number[]): void {
  expect(values).toEqual(values.toSorted((one, other) => one - other));
}

it("names members of an earlier run that stand in for late ones", async () => {
  const source = memberArchive({
    now,
    parts: [{ members: numbers(12) }, { members: numbers(31), referenceTime: now - 6 * HOUR_S }],
  });
  connectWeather(now, { archive: source });
  const { meta } = await answered({ ...body, ensemble: "ens" });
  expect(meta.ensemble!.runs.map(({ reference_time, members }) => [reference_time, members])).toEqual([
    [formatInstant(now), numbers(12)],
    [formatInstant(now - 6 * HOUR_S), numbers(19, 12)],
  ]);
});

it("searches a better route in the control, and judges it on all members as a request of that route does", async () => {
  const request = {
    route: [
      { latitude: 40, longitude: -42 },
      { latitude: 40.1, longitude: -42.4 },
    ],
    departure: formatInstant(now + 30 * HOUR_S),
    vessel: { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 5 },
    limits: { wind_kt: 22 },
    objective: "fastest",
  };
  const { results, meta } = await answered({ ...request, ensemble: "ens" }, "/passages/optimise");
  const { objective: _, ...own } = request;
  const [control] = (await alone({ ...own, include_pieces: true }, 0)).plans;
  expect({ ...results[0], deciding: undefined, verdict: undefined }).toEqual({
    ...control,
    deciding: undefined,
    verdict: undefined,
  });
  const before = await answered({ ...own, ensemble: "ens" });
  expect(meta.ensemble!.departures).toEqual(before.meta.ensemble!.departures);
  const after = await answered({ ...own, route: meta.better!.route, ensemble: "ens" });
  expect(meta.ensemble!.better).toEqual(after.meta.ensemble!.departures[0]);
});

it("refuses an ensemble that the archive lacks, one beside models, and more places than are planned at once", async () => {
  const issues = async (request: object, path = "/passages/evaluate") =>
    issuesOf(await ask("POST", path, { body: request }));
  const { departures: _, ...one } = { ...body, route: body.route.slice(0, 2), departure: formatInstant(now) };
  for (const [path, request] of [
    ["/passages/evaluate", body],
    ["/passages/optimise", one],
  ] as const) {
    expect(await issues({ ...request, ensemble: "none" }, path)).toEqual([
      ["ensemble", "There are no members of an ensemble none: the archive has ens"],
    ]);
    expect(await issues({ ...request, ensemble: "ens", models: ["best"] }, path)).toEqual([
      ["ensemble", expect.stringContaining("either models or ensemble")],
    ]);
  }
  const far = {
    ...body,
    route: [body.route[0], { latitude: 40, longitude: -55 }],
    departures: { ...body.departures, step_hours: 2 },
  };
  expect(await issues({ ...far, ensemble: "ens" })).toEqual([
    [
      "route",
      expect.stringMatching(
        /places \(30 members and the best forecast of 37 departures of .* at most 20000 are evaluated at once/,
      ),
    ],
  ]);
});
