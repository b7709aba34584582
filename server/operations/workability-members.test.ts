import { beforeEach, expect, it } from "vitest";
import { workabilityResponse } from "#lib/contract/workability.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { manifestOfMember } from "#server/archive/ensembles.ts";
import { memberArchive } from "#test/member-archive.ts";
import { ask, connectWeather, issuesOf, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const archive = memberArchive({
  now,
  parts: [{ members: numbers(20) }, { members: [20, 21, 22], hours: 30 }],
});

beforeEach(() => connectWeather(now, { archive }));

const body = {
  area: { type: "point", latitude: 40, longitude: -42 },
  from: formatInstant(now),
  to: formatInstant(now + 120 * HOUR_S),
  limits: [{ quantity: "Winds_10m_Intensity", max: 9 }],
  window_hours: 12,
};

async function answered(request: object) {
  const reply = await ask("POST", "/workability", { body: request });
  const answer = JSON.parse(await textOf(reply));
  expect([reply.status, answer.detail, answer.error]).toEqual([200, undefined, undefined]);
  return workabilityResponse.parse(answer).result;
}

it("the members of a window are those whose own series keeps the limits during all of it", async () => {
  const { results, meta } = await answered({ ...body, ensemble: "ens" });
  const plain = await answered(body);
  expect(results).toEqual(plain.results);
  expect(meta.windows.map(({ members: _, ...window }) => window)).toEqual(plain.meta.windows);
  expect(meta.ensemble).toMatchObject({ ensemble: "ens", size: 31, unjudged: [], members: numbers(23) });
  const manifest = await archive.manifest();
  const own = { with_window: 0, windows: meta.windows.map(() => 0) };
  for (const member of numbers(23)) {
    const alone = manifestOfMember(manifest, "ens", member);
    connectWeather(now, { archive: { ...archive, manifest: async () => alone, refresh: async () => alone } });
    const { meta: series } = await answered(body);
    if (series.windows.length > 0) own.with_window++;
    for (const [at, { from, to }] of meta.windows.entries())
      if (series.windows.some((one) => one.from <= from && one.to >= to)) own.windows[at]!++;
  }
  expect(meta.ensemble!.with_window.keep).toBe(own.with_window);
  expect(meta.windows.map(({ members }) => members!.keep)).toEqual(own.windows);
  expect(Math.max(...own.windows)).toBeGreaterThan(0);
  for (const { from, members } of meta.windows) {
    expect(members!.keep + members!.break + members!.not_known).toBe(23);
    // The forecast of three members ends before.
    if (parseInstant(from) > now + 30 * HOUR_S) expect(members!.not_known).toBe(3);
  }
});

it("what begins before now, and what the ensemble does not have, is not counted", async () => {
  const before = await answered({ ...body, from: formatInstant(now - 48 * HOUR_S), ensemble: "ens" });
  expect(before.meta.ensemble!.from).toBe(formatInstant(now));
  for (const { from, members } of before.meta.windows)
    expect(members === undefined).toBe(parseInstant(from) < now);
  const past = { ...body, from: formatInstant(now - 48 * HOUR_S), to: formatInstant(now), ensemble: "ens" };
  expect((await answered(past)).meta.ensemble).toBeUndefined();
  const { meta } = await answered({
    ...body,
    limits: [{ quantity: "Precipitation", max: 5 }],
    ensemble: "ens",
  });
  expect(meta.ensemble).toMatchObject({
    unjudged: ["Precipitation"],
    with_window: { keep: 0, break: 0, not_known: 23 },
  });
});

it("more members have a window under a higher limit", async () => {
  const kept: number[] = [];
  for (const max of [5, 8, 11, 14, 17]) {
    const { meta } = await answered({
      ...body,
      limits: [{ quantity: "Winds_10m_Intensity", max }],
      ensemble: "ens",
    });
    kept.push(meta.ensemble!.with_window.keep);
  }
  expect(kept).toEqual(kept.toSorted((one, other) => one - other));
  expect(kept.at(-1)).toBeGreaterThan(kept[0]!);
});

it("refuses an ensemble that is not there, and too many values of members", async () => {
  const issues = async (request: object) => issuesOf(await ask("POST", "/workability", { body: request }));
  expect(await issues({ ...body, ensemble: "none" })).toEqual([
    ["ensemble", expect.stringContaining("There is no ensemble none")],
  ]);
  const box = { type: "box", latitude: [40, 44], longitude: [-46, -42], spacing_deg: 0.5 };
  expect(await issues({ ...body, area: box, ensemble: "ens" })).toEqual([
    [
      "ensemble",
      expect.stringMatching(/^These are \d+ values of members, and at most 50000 are answered at once/),
    ],
  ]);
});
