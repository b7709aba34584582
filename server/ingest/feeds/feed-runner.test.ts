import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { chooseRun, groupByRun } from "#server/archive/choose-run.ts";
import { readManifest } from "#server/archive/manifest.ts";
import type { Run } from "#server/archive/run.ts";
import { DecodeError } from "#server/ingest/decoder.ts";
import { variable } from "#server/ingest/sources/source.ts";
import { columnsOf } from "#test/archive.ts";
import { feedsForTest, firstCycle, testFeed } from "#test/feeds.ts";
import { createFeedLoop } from "./feed-loop.ts";
import { type FieldFeed, stamp } from "./field-feed.ts";
import { PartFailedError } from "./part-store.ts";

const HOUR = 3600;
const { signal: never } = new AbortController();

/** A feed with steps every three hours to 24 h in `lite`: nine parts. */
const feed: FieldFeed = {
  ...testFeed,
  parts: (cycle, profile) =>
    testFeed
      .parts(cycle, profile)
      .filter(
        ({ times: [time] }) =>
          profile !== "lite" || ((time! - cycle) % (3 * HOUR) === 0 && time! <= cycle + 24 * HOUR),
      )
      .map((part, index) => ({ ...part, index })),
};

type Place = ReturnType<typeof feedsForTest>;
const stateOf = async ({ deps }: Place) => (await deps.states.all())[0]!;

it.each([
  ["smaller", "standard", "lite", 9],
  ["larger", "lite", "standard", 25],
] as const)(
  "after a change to a %s profile the cycle has its steps, and every hour is answered",
  async (_, from, to, steps) => {
    const place = feedsForTest(firstCycle + 3 * HOUR, feed);
    await createFeedLoop({ ...place.deps, profile: from }).round(never);
    await createFeedLoop({ ...place.deps, profile: to }).round(never);
    expect(await stateOf(place)).toMatchObject({ state: "current", steps, stepsExpected: steps });
    const points = columnsOf(Array.from({ length: 25 }, (_, i) => [10, 60, firstCycle + i * HOUR] as const));
    const manifest = await readManifest(place.archive);
    expect(groupByRun(manifest, "wind", points, place.clock.time).unanswered).toEqual([]);
  },
);

const wind: FieldName[] = ["eastward_wind_10m", "northward_wind_10m"];
const pressure: FieldName = "air_pressure_at_mean_sea_level";
const second = firstCycle + 6 * HOUR;

/** The feed, served from a store whose metadata lists its content. */
const inStore: FieldFeed = {
  ...testFeed,
  mirrors: [{ name: "here", base: "https://here.example" }],
  objects: ({ cycle }) => ({
    kind: "zarr",
    store: stamp(cycle).day,
    arrays: [...wind, pressure],
    writtenFrom: 0,
  }),
};
/** Simulates until a time, and then runs one more round. */
async function runUntil(place: Place, end: number, loop: ReturnType<typeof createFeedLoop>): Promise<void> {
  const { clock } = place;
  while (clock.time < end) clock.time = Math.min(end, Math.max(clock.time, await loop.round(never)));
  await loop.round(never);
}

/** Base time of the run that answers, in hours after the first cycle. */
async function answering({ archive, clock }: Place, name: VariableName, time: number): Promise<number> {
  const run = chooseRun(await readManifest(archive), name, 10, 60, time, clock.time) as Run;
  return (run.referenceTime - firstCycle) / HOUR;
}

it("publishes what is there, names what is missing, answers it from the previous run, and adds it when the host has it", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR, inStore);
  const warnings: object[] = [];
  place.deps.log = { info() {}, warn: (about: object) => void warnings.push(about) };
  let lacks = true;
  place.host.spoil = (content, { cycle }) =>
    lacks && cycle === second ? { ...content, names: wind } : content;
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  await runUntil(place, second + 2.5 * HOUR, loop);
  const time = second + 30 * HOUR;
  expect([await answering(place, "wind", time), await answering(place, "pressure", time)]).toEqual([6, 0]);
  expect(await stateOf(place)).toMatchObject({
    state: "current",
    newestRun: second,
    steps: 25,
    error: "the cycle 2026-01-01T06:00:00Z lacks Pressure: other runs answer where they have them",
  });
  expect(warnings).toContainEqual(
    expect.objectContaining({
      feed: inStore.name,
      cycle: "2026-01-01T06:00:00Z",
      part: 0,
      lacking: [pressure],
    }),
  );
  const fetches = place.host.fetches.length;
  await runUntil(place, second + 3 * HOUR, loop);
  // Missing content is looked for but not fetched again.
  expect(place.host.fetches.length).toBe(fetches);
  lacks = false;
  await runUntil(place, second + 4.5 * HOUR, loop);
  expect(await answering(place, "pressure", time)).toBe(6);
  expect(await stateOf(place)).toMatchObject({ state: "current", newestRun: second, error: null });
});

it("fetches a segment again once when a host has what one step lacked, whatever else the gap cut off", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR, inStore);
  let lacks = true;
  let fails = false;
  place.host.spoil = (content, { cycle, index }) => {
    if (fails && index === 5) {
      fails = false;
      return new PartFailedError([], ["here"], 0);
    }
    return lacks && cycle === second && index === 2 ? { ...content, names: wind } : content;
  };
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  await runUntil(place, second + 4 * HOUR, loop);
  expect(place.host.fetches.length).toBe(50);
  lacks = false;
  // The fetch of the rest of the segment fails at first.
  fails = true;
  await runUntil(place, second + 5.9 * HOUR, loop);
  expect(place.host.fetches.length).toBe(58);
  expect(await answering(place, "pressure", second + HOUR)).toBe(6);
  expect((await stateOf(place)).error).toBeNull();
});

it("fetches whole files once, whatever they lack", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR, {
    ...inStore,
    objects: ({ cycle, index }) => ({ kind: "all", objects: [`${cycle}/${index}`] }),
  });
  const { fetchPart } = place.deps;
  // The content of a whole file is not known in advance.
  place.deps.fetchPart = async (feed, part, profile, options) => {
    const fetched = await fetchPart(feed, part, profile, { ...options, mustBeWhole: false });
    return fetched === "absent" ? fetched : { ...fetched, lacking: undefined };
  };
  place.host.spoil = (content, { cycle }) => (cycle === second ? { ...content, names: wind } : content);
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  await runUntil(place, second + 6 * HOUR, loop);
  expect((await stateOf(place)).error).toMatch(/lacks Pressure/);
  expect(place.host.fetches.length).toBe(50);
});

it("publishes no half of a vector: the wind comes from the previous run, the pressure from the new one", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  place.host.spoil = (content, { cycle }) =>
    cycle === second ? { ...content, names: ["eastward_wind_10m", pressure] } : content;
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  await runUntil(place, second + 2.5 * HOUR, loop);
  const time = second + 30 * HOUR;
  expect([await answering(place, "wind", time), await answering(place, "pressure", time)]).toEqual([0, 6]);
  const { runs } = await readManifest(place.archive);
  const newest = runs.filter(({ referenceTime }) => referenceTime === second);
  expect(newest.flatMap(({ fields }) => Object.keys(fields))).not.toContain("eastward_wind_10m");
  expect((await stateOf(place)).error).toMatch(/lacks Winds_10m_Direction, Winds_10m_Intensity: other runs/);
});

it("does not interpolate over a missing step: the previous run answers there", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  place.host.spoil = (content, { cycle, index }) =>
    cycle === second && index === 2 ? { ...content, names: wind } : content;
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  await runUntil(place, second + 2.5 * HOUR, loop);
  const of = (name: VariableName) =>
    Promise.all([1, 2, 3, 4].map((hour) => answering(place, name, second + hour * HOUR)));
  expect(await of("wind")).toEqual([6, 6, 6, 6]);
  expect(await of("pressure")).toEqual([0, 0, 6, 6]);
});

it("leaves out a field that no copy can provide, and no other field", async () => {
  const place = feedsForTest(firstCycle + 3 * HOUR);
  const { decoder } = place.deps;
  place.deps.decoder = {
    ...decoder,
    async decode(record, signal) {
      const isBad = record.referenceTime === second && record.validTime === second + HOUR;
      if (isBad && record.kind === "netcdf" && record.variable === pressure)
        throw new DecodeError("its packing is damaged");
      return decoder.decode(record, signal);
    },
  };
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  await runUntil(place, second + 2.5 * HOUR, loop);
  const time = second + 3 * HOUR;
  expect([await answering(place, "wind", time), await answering(place, "pressure", time)]).toEqual([6, 0]);
  expect(await answering(place, "pressure", second + 20 * HOUR)).toBe(6);
  expect(await stateOf(place)).toMatchObject({
    state: "current",
    error: expect.stringMatching(/lacks Pressure/),
  });
});

it("leaves out a substitute that differs from the field itself", async () => {
  const rules = testFeed.source.rules.map((rule) =>
    rule.field === pressure
      ? { ...rule, choices: [{ ...rule.choices[0]!, needs: [variable("absent", "hPa")] }, ...rule.choices] }
      : rule,
  );
  const place = feedsForTest(firstCycle + 3 * HOUR, { ...testFeed, source: { ...testFeed.source, rules } });
  const { decoder } = place.deps;
  place.deps.decoder = {
    ...decoder,
    async decode(record, signal) {
      const values = await decoder.decode(record, signal);
      const isOther =
        record.referenceTime === second && record.kind === "netcdf" && record.variable === pressure;
      return isOther ? values.map((value) => value + 9) : values;
    },
  };
  const loop = createFeedLoop(place.deps);
  await loop.round(never);
  await runUntil(place, second + 2.5 * HOUR, loop);
  const time = second + 3 * HOUR;
  expect([await answering(place, "wind", time), await answering(place, "pressure", time)]).toEqual([6, 0]);
});
