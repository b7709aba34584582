import { expect, it } from "vitest";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { timeSteps } from "./metadata.ts";

const start = parseInstant("2026-01-01T00:00:00Z");
const hours = (...all: number[]) => all.map((hour) => start + hour * HOUR_S);

it("joins times at equal distances, whatever follows", () => {
  expect(timeSteps(hours(0, 1, 2, 3, 6, 9, 12, 13))).toEqual([
    "R4/2026-01-01T00:00:00Z/PT1H",
    "R3/2026-01-01T06:00:00Z/PT3H",
    "2026-01-01T13:00:00Z",
  ]);
  expect(timeSteps([start, start + 900, start + 1800])).toEqual(["R3/2026-01-01T00:00:00Z/PT900S"]);
});

it("lists what has no equal distances one by one, and nothing of nothing", () => {
  expect(timeSteps(hours(0, 6))).toEqual(["2026-01-01T00:00:00Z", "2026-01-01T06:00:00Z"]);
  expect(timeSteps([])).toEqual([]);
});
