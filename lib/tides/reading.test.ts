import { expect, it } from "vitest";
import type { StreamPrediction, TidePrediction } from "#lib/contract/tides.ts";
import { parseInstant } from "#lib/time.ts";
import { streamAt, tideAt, valueAt } from "./reading.ts";

const at = (clock: string) => parseInstant(`2026-09-14T${clock}:00Z`);

const tide = {
  kind: "tide",
  from: "2026-09-14T00:00:00Z",
  extremes: [
    { time: "2026-09-14T01:00:00Z", type: "low", height_m: 1 },
    { time: "2026-09-14T07:00:00Z", type: "high", height_m: 5 },
    { time: "2026-09-14T13:00:00Z", type: "low", height_m: 1.5 },
  ],
  curve: { step_minutes: 360, heights_m: [2, 4, 2.5] },
} as unknown as TidePrediction;

it("reads height, trend, range and the next high and low water of a time", () => {
  expect(tideAt(tide, at("03:00"))).toMatchObject({
    height: 3,
    trend: "rising",
    range: 4,
    next: [
      { type: "high", time: at("07:00") },
      { type: "low", time: at("13:00") },
    ],
  });
  expect(tideAt(tide, at("07:00"))).toMatchObject({ trend: "falling", range: 3.5 });
});

it("has no range before the first of the extremes, and nothing outside of the curve", () => {
  expect(tideAt(tide, at("00:30"))?.range).toBeUndefined();
  expect(tideAt(tide, at("12:30"))).toBeUndefined();
  expect(valueAt(tide, at("00:00") - 1)).toBeUndefined();
});

it("has no trend where there is hardly any tide", () => {
  const none = { ...tide, extremes: [] } as unknown as TidePrediction;
  expect(tideAt(none, at("03:00"))).toMatchObject({ trend: undefined, next: [] });
});

it("reads phase, speed and direction of a stream, and the next slack and the next fastest flow", () => {
  const stream = {
    kind: "stream",
    from: "2026-09-14T00:00:00Z",
    flood_direction: 70,
    ebb_direction: 250,
    events: [
      { time: "2026-09-14T03:00:00Z", type: "slack_before_ebb", speed_kt: 0 },
      { time: "2026-09-14T06:00:00Z", type: "max_ebb", speed_kt: 2 },
      { time: "2026-09-14T09:00:00Z", type: "slack_before_flood", speed_kt: 0 },
    ],
    curve: { step_minutes: 180, speeds_kt: [1.5, 0, -2] },
  } as unknown as StreamPrediction;
  expect(streamAt(stream, at("01:00"))).toMatchObject({
    speed: 1,
    phase: "flood",
    direction: 70,
    next: [
      { type: "slack_before_ebb", time: at("03:00") },
      { type: "max_ebb", value: -2 },
    ],
  });
  expect(streamAt(stream, at("03:00"))).toMatchObject({ phase: "slack", direction: undefined });
  expect(streamAt(stream, at("06:00"))).toMatchObject({ speed: 2, phase: "ebb", direction: 250 });
});
