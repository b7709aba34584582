import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { timeRule } from "#lib/catalog/datasets.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import { passageRequest } from "#lib/contract/passage.ts";
import { pointLimits, pointRequest } from "#lib/contract/point.ts";
import { planCount, questionOf } from "#lib/passage/question.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { emptyManifest } from "#server/archive/manifest.ts";
import type { PointSource } from "#server/archive/reader.ts";
import { openReader } from "#server/archive/reader.ts";
import { demoManifest, withDemo } from "#server/demo/runs.ts";
import { demoPool, demoStore } from "#server/demo/store.ts";
import { allPlans, plansOf, questionOfMembers, SIDE_BY_SIDE } from "#server/metocean/passages.ts";
import { pointSlices } from "#server/metocean/point-slices.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { seeded } from "#test/seeded.ts";

const NOW = 1_789_473_600;
const DAY_S = 86_400;
const WARM_ROUNDS = 9;

/**
 * Measures a passage of 5,000 points, each at its own time, with all variables, on the demo: cold, warm, and the share
 * of the warm time that is not interpolation. Then it measures the departures of a passage in five models, and requests
 * for places all over the globe, with their processor time.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-passage-"));
  try {
    await passage(path.join(folder, "demo"));
    await departuresByModel(path.join(folder, "demo"));
    await departuresByMember(path.join(folder, "demo"));
    await scattered(path.join(folder, "demo"), 10_000, variableNames);
    await scattered(path.join(folder, "demo"), 100_000, ["wind", "wave"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A passage from the Channel to the Caribbean in nine days. */
const passageBody = JSON.stringify({
  points: Array.from({ length: 5000 }, (_, i) => ({
    latitude: 49 - i * 0.006,
    longitude: -6 - i * 0.01,
    timestamp: formatInstant(NOW + Math.floor((i / 5000) * 9 * DAY_S)),
  })),
  variables: variableNames,
});

async function passage(folder: string): Promise<void> {
  const pool = demoPool({ seed: 1, folder });
  try {
    await pool.warm();
    const empty = { manifest: async () => emptyManifest, refresh: async () => emptyManifest };
    const reader = openReader(demoStore(pool), { cacheBytes: 256 * 2 ** 20 });
    let interpolating = 0;
    const source: PointSource = {
      ...withDemo(empty, "always", () => NOW),
      async valuesAt(...args) {
        const started = performance.now();
        const pending = reader.valuesAt(...args);
        if (pending) await pending;
        interpolating += performance.now() - started;
      },
    };
    const schema = pointRequest(pointLimits.sync);
    const { signal } = new AbortController();
    const answer = async () => {
      interpolating = 0;
      const started = performance.now();
      const request = schema.parse(JSON.parse(passageBody));
      const rule = timeRule(NOW);
      if (request.points.some(({ timestamp }) => rule(parseInstant(timestamp))))
        throw new Error("The passage leaves the window");
      const text = JSON.stringify(await answerPoints(source, request, NOW, signal));
      if (text.length < 1e6) throw new Error("The answer is not whole");
      return { ms: performance.now() - started, interpolating };
    };
    const cold = await answer();
    const warm: Awaited<ReturnType<typeof answer>>[] = [];
    for (let round = 0; round < WARM_ROUNDS; round++) warm.push(await answer());
    const median = warm.sort((a, b) => a.ms - b.ms)[WARM_ROUNDS >> 1]!;
    const share = 1 - median.interpolating / median.ms;
    console.log(
      `5,000 points of a passage, all variables: cold ${cold.ms.toFixed(0)} ms, warm median ${median.ms.toFixed(0)} ms ` +
        `(best ${warm[0]!.ms.toFixed(0)}), ${(100 * share).toFixed(0)} % of it outside interpolation`,
    );
  } finally {
    await pool.close();
  }
}

/** A passage of about 200 pieces, at 40 departures. */
const sweepBody = {
  route: [
    { latitude: 48.2, longitude: -6 },
    { latitude: 43.8, longitude: -9.6 },
    { latitude: 38.4, longitude: -10 },
  ],
  departures: { from: formatInstant(NOW), to: formatInstant(NOW + 117 * HOUR_S), step_hours: 3 },
  vessel: { kind: "fixed", speed_kt: 6.4 },
  limits: { wind_kt: 25 },
};

/**
 * Measures all plans of the departures in five models, which have chunks of their own: the three of the demo, and two of
 * its earlier runs.
 */
async function departuresByModel(folder: string): Promise<void> {
  const pool = demoPool({ seed: 1, folder });
  try {
    await pool.warm();
    const { runs, earlier = [] } = demoManifest(NOW);
    const named = earlier.slice(0, 2).map((run, at) => ({ ...run, source: `earlier-${at + 1}` }));
    const manifest = { version: 1 as const, runs: [...runs, ...named] };
    const reader = openReader(demoStore(pool), { cacheBytes: 256 * 2 ** 20 });
    const source: PointSource = {
      manifest: async () => manifest,
      refresh: async () => manifest,
      valuesAt: (...args) => reader.valuesAt(...args),
    };
    const { signal } = new AbortController();
    const answer = async (models: string[] | undefined) => {
      const started = performance.now();
      const question = questionOf(passageRequest.parse({ ...sweepBody, models }));
      const count = planCount(question);
      let plans = 0;
      while (plans < count) {
        const span = [plans, plans + SIDE_BY_SIDE] as const;
        plans += (await plansOf(source, manifest, question, span, NOW, signal)).plans.length;
      }
      return { ms: performance.now() - started, places: question.places };
    };
    const all = [...["demo-world", "demo-early", "demo-late"], ...named.map(({ source: name }) => name)];
    const cold = await answer(all);
    const median = async (models: string[] | undefined) => {
      const times: number[] = [];
      for (let round = 0; round < WARM_ROUNDS; round++) times.push((await answer(models)).ms);
      return times.sort((one, other) => one - other)[WARM_ROUNDS >> 1]!;
    };
    console.log(
      `40 departures of a passage in 5 models, ${cold.places} places: cold ${cold.ms.toFixed(0)} ms, ` +
        `warm median ${(await median(all)).toFixed(0)} ms; without models ${(await median(undefined)).toFixed(0)} ms`,
    );
  } finally {
    await pool.close();
  }
}

/** A passage of about 440 pieces, at 40 departures. */
const longSweep = {
  ...sweepBody,
  route: [...sweepBody.route, { latitude: 28, longitude: -30 }],
  vessel: { kind: "fixed", speed_kt: 8.2 },
  ensemble: "demo-ensemble",
};

const MEMBER_ROUNDS = 3;

/** Measures all plans of the departures of a long passage through the members of the demo's ensemble. */
async function departuresByMember(folder: string): Promise<void> {
  const pool = demoPool({ seed: 1, folder });
  try {
    await pool.warm();
    const manifest = demoManifest(NOW);
    const reader = openReader(demoStore(pool), { cacheBytes: 256 * 2 ** 20 });
    const source: PointSource = {
      manifest: async () => manifest,
      refresh: async () => manifest,
      valuesAt: (...args) => reader.valuesAt(...args),
    };
    const question = questionOfMembers(questionOf(passageRequest.parse(longSweep)), manifest);
    const { signal } = new AbortController();
    const answer = async () => {
      const [started, before] = [performance.now(), process.cpuUsage()];
      const { meta } = await allPlans(source, manifest, question, NOW, signal, {});
      const { user, system } = process.cpuUsage(before);
      if (meta.ensemble?.departures.length !== 40) throw new Error("The answer is not whole");
      return { seconds: (performance.now() - started) / 1000, processor: (user + system) / 1e6 };
    };
    const cold = await answer();
    const warm: Awaited<ReturnType<typeof answer>>[] = [];
    for (let round = 0; round < MEMBER_ROUNDS; round++) warm.push(await answer());
    const median = warm.sort((one, other) => one.seconds - other.seconds)[MEMBER_ROUNDS >> 1]!;
    console.log(
      `40 departures of a passage through ${question.members.length} members, ${question.places} places: ` +
        `cold ${cold.seconds.toFixed(1)} s, warm median ${median.seconds.toFixed(1)} s, processor ${median.processor.toFixed(1)} s`,
    );
  } finally {
    await pool.close();
  }
}

/** Measures random places at random times within 200 hours, with only the static world cached. */
async function scattered(folder: string, count: number, variables: readonly VariableName[]): Promise<void> {
  const pool = demoPool({ seed: 1, folder });
  try {
    await pool.warm();
    const empty = { manifest: async () => emptyManifest, refresh: async () => emptyManifest };
    const reader = openReader(demoStore(pool), { cacheBytes: 48 * 2 ** 20 });
    const source: PointSource = {
      ...withDemo(empty, "always", () => NOW),
      valuesAt: (...args) => reader.valuesAt(...args),
    };
    const random = seeded(3);
    const points = Array.from({ length: count }, () => ({
      latitude: 180 * random() - 90,
      longitude: 360 * random() - 180,
      timestamp: formatInstant(NOW + Math.floor(200 * 3600 * random())),
    }));
    const request = pointRequest(pointLimits.async).parse({ points, variables });
    const [started, before] = [performance.now(), process.cpuUsage()];
    const manifest = await source.manifest();
    const slices = pointSlices(source, manifest, request, 0, NOW, new AbortController().signal);
    let answered = 0;
    for await (const { to } of slices) answered = to;
    const { user, system } = process.cpuUsage(before);
    console.log(
      `${answered} random places × ${variables.length} variables over 200 hours: ` +
        `${((performance.now() - started) / 1000).toFixed(1)} s, processor ${((user + system) / 1e6).toFixed(1)} s`,
    );
  } finally {
    await pool.close();
  }
}
