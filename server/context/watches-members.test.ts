import { expect, it } from "vitest";
import { passageRequest } from "#lib/contract/passage.ts";
import { type WatchQuestion, watchRequest } from "#lib/contract/watch.ts";
import { questionOf } from "#lib/passage/question.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { arrivedFor, editionOf } from "#lib/watches/edition.ts";
import { judgeHours } from "#lib/watches/judge.ts";
import { passageManifestOfMember } from "#server/archive/ensembles.ts";
import { plansOf } from "#server/metocean/passages.ts";
import type { ValueQuestion } from "#server/watches/evaluate.ts";
import { memberArchive } from "#test/member-archive.ts";
import { lookAtWorld } from "./watches.ts";

const now = parseInstant("2026-10-31T22:00:00Z");
const { signal } = new AbortController();
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const noTide = async () => expect.fail("no watch asks for the tide");

const lookAt = (archive: ReturnType<typeof memberArchive>) =>
  lookAtWorld({
    archive,
    storms: { published: async () => undefined },
    tides: { beyond: noTide, extremes: noTide },
    weather: { now: () => now },
  });

const passage = {
  route: [
    { latitude: 40, longitude: -42 },
    { latitude: 40.5, longitude: -43.5 },
  ],
  departure: formatInstant(now + HOUR_S),
  vessel: { kind: "sail", polar_name: "cruising_10m", motor_speed_kt: 5 },
} as const;

const watchOf = (question: object) => watchRequest.parse({ name: "x", question }).question;

it("the members that reach a limit on a passage are those whose own passage has it, any time on the way", async () => {
  const archive = memberArchive({ now, parts: [{ members: numbers(31) }] });
  const world = await lookAt(archive);
  const question = watchOf({
    kind: "route",
    ...passage,
    conditions: [{ quantity: "wind_kt", over: 22 }],
    ensemble: "ens",
    percent: 40,
  }) as ValueQuestion & { kind: "route" };
  const asked = questionOf(passageRequest.parse({ ...passage, include_pieces: true }));
  let reached = 0;
  for (const member of world.ensembles.get("ens")!.members) {
    const { samples } = await world.readMember(question, "ens", member, signal);
    const manifest = passageManifestOfMember(await archive.manifest(), "ens", member);
    const [plan] = (await plansOf(archive, manifest, asked, [0, 1], now, signal)).plans;
    expect(samples).toHaveLength(plan!.pieces!.length);
    const isOver = plan!.totals.max_wind_kt! > 22;
    expect(judgeHours(question, samples, null, false).state).toBe(isOver ? "true" : "false");
    if (isOver) reached++;
  }
  expect(reached).toBeGreaterThan(0);
  expect(reached).toBeLessThan(31);
});

it("a question of members is new when members come, and other questions are not", async () => {
  const place = {
    kind: "place",
    latitude: 40,
    longitude: -42,
    conditions: [{ quantity: "wind_kt", over: 22 }],
  };
  const [plain, members] = [watchOf(place), watchOf({ ...place, ensemble: "ens", percent: 40 })];
  const edition = async (question: WatchQuestion, count: number) => {
    const archive = memberArchive({ now, parts: [{ members: numbers(count) }] });
    const manifest = await archive.manifest();
    const named = {
      ...manifest,
      ensembles: manifest.ensembles!.map((run) => ({ ...run, id: `ens-of-${count}` })),
    };
    const world = await lookAt({ ...archive, manifest: async () => named, refresh: async () => named });
    const ensemble = world.ensembles.get("ens")!;
    expect(ensemble.size).toBe(31);
    expect(arrivedFor(members, ensemble)).toEqual({ at: now, arrived: count });
    return editionOf(question, world);
  };
  expect(await edition(members, 20)).not.toEqual(await edition(members, 31));
  expect(Object.keys(await edition(members, 20))).toEqual(["members ens ens"]);
  expect(await edition(plain, 20)).toEqual(await edition(plain, 31));
});

it("counts the members that have all that a question needs, also while one source is late", async () => {
  const archive = memberArchive({ now, parts: [{ members: numbers(31) }] });
  const manifest = await archive.manifest();
  const [whole] = manifest.ensembles!;
  const only = (source: string, ofWaves: boolean, referenceTime: number, count: number) => ({
    ...whole!,
    id: `${source}-${referenceTime}`,
    source,
    system: "ens",
    referenceTime,
    fields: Object.fromEntries(
      Object.entries(whole!.fields).filter(([name]) => name.includes("wave") === ofWaves),
    ),
    ensemble: { members: numbers(count), size: 31 },
  });
  const place = { kind: "place", latitude: 40, longitude: -42, ensemble: "ens", percent: 40 };
  const ofWind = watchOf({ ...place, conditions: [{ quantity: "wind_kt", over: 22 }] });
  const ofWaves = watchOf({ ...place, conditions: [{ quantity: "sea_m", over: 3 }] });
  const conditions = [
    { quantity: "wind_kt", over: 22 },
    { quantity: "sea_m", over: 3 },
  ];
  const ofBoth = watchOf({ ...place, conditions });
  const ofRoute = watchOf({
    kind: "route",
    ...passage,
    conditions: conditions.slice(0, 1),
    ensemble: "ens",
    percent: 40,
  });
  const earlier = now - 6 * HOUR_S;
  const arrived = async (waves: ReturnType<typeof only>[]) => {
    const ensembles = [only("ens", false, now, 31), ...waves];
    const published = { ...manifest, ensembles };
    const world = await lookAt({
      ...archive,
      manifest: async () => published,
      refresh: async () => published,
    });
    return [ofWind, ofWaves, ofBoth, ofRoute].map((question) =>
      arrivedFor(question, world.ensembles.get("ens")!),
    );
  };
  const all = { at: now, arrived: 31 };
  const some = { at: now, arrived: 12 };
  const none = { at: now, arrived: 0 };
  const old = only("waves", true, earlier, 31);
  expect(await arrived([only("waves", true, now, 12), old])).toEqual([all, some, some, some]);
  expect(await arrived([old])).toEqual([all, { at: earlier, arrived: 31 }, none, none]);
  expect(await arrived([])).toEqual([all, undefined, all, all]);
});

it("refuses a share without an ensemble, models beside it, and storms", () => {
  const place = {
    kind: "place",
    latitude: 40,
    longitude: -42,
    conditions: [{ quantity: "wind_kt", over: 22 }],
  };
  const fields = (more: object) =>
    watchRequest
      .safeParse({ name: "x", question: { ...place, ...more } })
      .error!.issues.map(({ path }) => path.join("."));
  expect(fields({ percent: 40 })).toEqual(["question.percent"]);
  expect(fields({ ensemble: "ens" })).toEqual(["question.percent"]);
  expect(fields({ ensemble: "ens", percent: 40, models: ["best"] })).toEqual(["question.ensemble"]);
  expect(fields({ ensemble: "ens", percent: 0 })).toEqual(["question.percent"]);
  const storm = [{ quantity: "storm_nm", under: 100 }];
  expect(fields({ ensemble: "ens", percent: 40, conditions: [...place.conditions, ...storm] })).toEqual([
    "question.ensemble",
  ]);
});
