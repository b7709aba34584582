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
  "a task of %s reports its progress repeatedly, and never backwards",
  async (kind, minReports, body) => {
    const reported: number[] = [];
    const handler = taskHandlers[kind] as TaskHandler;
    const context = { archive, now, signal, progress: (share: number) => reported.push(share) };
    const { results } = await handler.answer(handler.schema.parse(body), context);
    for await (const piece of results.pieces()) expect(piece.length).toBeGreaterThan(0);
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    expect(new Set(reported).size).toBeGreaterThan(minReports);
    expect([reported.every((share) => share >= 0), reported.at(-1)]).toEqual([true, 1]);
  },
);

it("a 2D task reports each time step while it reads, before it writes anything", async () => {
  const reported: number[] = [];
  const body = taskHandlers["2DMetOcean"].schema.parse({
    bounding_boxes: [{ latitude: [40, 41], longitude: [-41, -40], timestamp: ends }],
    variable: "wind",
  });
  await taskHandlers["2DMetOcean"].answer(body, {
    archive,
    now,
    signal,
    progress: (share) => reported.push(share),
  });
  expect(reported).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
});
