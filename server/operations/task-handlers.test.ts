import { expect, it } from "vitest";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { type TaskHandler, taskHandlers } from "./task-handlers.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const archive = demoArchive(now);
const { signal } = new AbortController();
const HOURS = 5;

const ends = [formatInstant(now), formatInstant(now + (HOURS - 1) * 3600)];

it.each([
  [
    "MetOcean",
    1,
    {
      points: Array.from({ length: 9000 }, (_, i) => ({
        latitude: 40,
        longitude: -40 + i / 9000,
        timestamp: ends[0],
      })),
      variables: ["wind"],
    },
  ],
  [
    "2DMetOcean",
    HOURS,
    {
      bounding_boxes: [{ latitude: [40, 41], longitude: [-41, -40], timestamp: ends }],
      variable: "wind",
    },
  ],
] as const)(
  "row 21: a task of %s tells again and again how far it is, and never goes back",
  async (kind, least, body) => {
    const told: number[] = [];
    const work = taskHandlers[kind] as TaskHandler;
    const place = { archive, now, signal, progress: (share: number) => told.push(share) };
    const { results } = await work.answer(work.schema.parse(body), place);
    for await (const piece of results.pieces()) expect(piece.length).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(new Set(told).size).toBeGreaterThan(least);
    expect([told.every((share) => share >= 0), told.at(-1)]).toEqual([true, 1]);
  },
);

it("row 21: a 2D task tells of each instant while it reads, before it writes anything", async () => {
  const told: number[] = [];
  const body = taskHandlers["2DMetOcean"].schema.parse({
    bounding_boxes: [{ latitude: [40, 41], longitude: [-41, -40], timestamp: ends }],
    variable: "wind",
  });
  await taskHandlers["2DMetOcean"].answer(body, {
    archive,
    now,
    signal,
    progress: (share) => told.push(share),
  });
  expect(told).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
});
