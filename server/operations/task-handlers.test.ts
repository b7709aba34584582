import { expect, it } from "vitest";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { DeflatedPart } from "#server/platform/gzip-parts.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { type TaskHandler, taskHandlers } from "./task-handlers.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const archive = demoArchive(now);
const manifest = await archive.manifest();
const { signal } = new AbortController();
const HOURS = 5;

const ends = [formatInstant(now), formatInstant(now + (HOURS - 1) * 3600)];

it.each([
  [
    "MetOcean",
    2,
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
    const bytes = Buffer.from(JSON.stringify(body));
    const request = handler.open(await handler.read(bytes), { archive, manifest, now });
    const progress = (share: number) => reported.push(share);
    const columns: DeflatedPart[] = [];
    for (let from = 0; from < request.end; ) {
      // One piece for each opportunity to end one.
      const piece = await request.compute(from, { signal, progress, isEnough: () => true });
      expect(piece.to).toBeGreaterThan(from);
      columns.push(piece.columns[0]!);
      from = piece.to;
    }
    expect(columns.length).toBeGreaterThan(minReports - 1);
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    expect(new Set(reported).size).toBeGreaterThan(minReports - 1);
    expect([reported.every((share) => share >= 0), reported.at(-1)]).toEqual([true, 1]);
  },
);

it("a 2D task reports each time step when it is computed", async () => {
  const reported: number[] = [];
  const body = {
    bounding_boxes: [{ latitude: [40, 41], longitude: [-41, -40], timestamp: ends }],
    variable: "wind",
  };
  const handler = taskHandlers["2DMetOcean"];
  const request = handler.open(await handler.read(Buffer.from(JSON.stringify(body))), {
    archive,
    manifest,
    now,
  });
  await request.compute(0, { signal, isEnough: () => false, progress: (share) => reported.push(share) });
  expect(reported).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
});
