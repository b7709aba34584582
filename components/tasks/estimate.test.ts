import { expect, it } from "vitest";
import type { ListedTask } from "#lib/contract/task.ts";
import { boxValues, formatDuration, runSeconds } from "./estimate.ts";

it("counts the values of a box as the service does, across 180° too", () => {
  expect(boxValues([10, 11], [20, 21], 0, 2)).toBe(5 * 5 * 2);
  expect(boxValues([10, 11], [179, -179], 0, 1)).toBe(5 * 9);
  expect(boxValues([-90, 90], [-180, 180], 0, 2)).toBe(721 * 1440 * 2);
  expect(boxValues([0, 0], [0, 0], 24, 1)).toBe(25);
});

it("estimates durations by the median speed of past tasks", () => {
  const task = (seconds: number): ListedTask => ({
    task_id: "x",
    task_name: null,
    kind: "MetOcean",
    created_at: "2026-01-01T00:00:00.000Z",
    started_at: "2026-01-01T00:00:00.000Z",
    finished_at: new Date(Date.parse("2026-01-01T00:00:00Z") + 1000 * seconds).toISOString(),
    expires_at: null,
    progress: 1,
    queue_position: null,
    status: "SUCCESS",
    size: 1000,
    error: null,
    result_bytes: 1,
    receive_mail: false,
    notification: null,
  });
  expect(runSeconds("MetOcean", 10_000, [task(1), task(2), task(50)])).toBe(20);
  expect(runSeconds("2DMetOcean", 3_000_000, [task(1)])).toBe(1);
});

it.each([
  [1, "a few seconds"],
  [41, "about 40 s"],
  [180, "about 3 min"],
  [8000, "about 2 h"],
])("writes %d seconds as %s", (seconds, text) => expect(formatDuration(seconds)).toBe(text));
