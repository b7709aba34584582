import { expect, it } from "vitest";
import type { StreamPrediction, TidePrediction } from "#lib/contract/tides.ts";
import { parseInstant } from "#lib/time.ts";
import { streamAt, tideAt, valueAt } from "./reading.ts";

const instant = (clock: string) => `2026-09-14T${clock}:00Z`;
const at = (clock: string) => parseInstant(instant(clock));
const from = instant("00:00");

const tide = {
  kind: "tide",
  from,
  extremes: [
    { time: instant("01:00"), type: "low", height_m: 1 },
    { time: instant("07:00"), type: "high", height_m: 5 },
    { time: instant("13:00"), type: "low", height_m: 1.5 },
  ],
  curve: { step_minutes: 360, heights_m: [2, 4, 2.5] },
} as unknown as TidePrediction;
const none = { ...tide, extremes: [] };

it.each([
  [
    "height, trend, range and what comes next",
    tide,
    "03:00",
    { height: 3, trend: "rising", range: 4, next: ["high", "low"] },
  ],
  ["the same at a high water", tide, "07:00", { trend: "falling", range: 3.5, next: ["low"] }],
  ["no range before the first of the extremes", tide, "00:30", { range: undefined }],
  ["no trend where there is hardly any tide", none, "03:00", { trend: undefined, next: [] }],
  ["nothing outside of the curve", tide, "12:30", undefined],
])("reads of a tide %s", (_, prediction, clock, expected) => {
  const reading = tideAt(prediction, at(clock));
  const found = reading && { ...reading, next: reading.next.map(({ type }) => type) };
  if (expected) expect(found).toMatchObject(expected);
  else expect([found, valueAt(prediction, at("00:00") - 1)]).toEqual([undefined, undefined]);
});

const stream = {
  kind: "stream",
  from,
  flood_direction: 70,
  ebb_direction: 250,
  events: [
    { time: instant("03:00"), type: "slack_before_ebb", speed_kt: 0 },
    { time: instant("06:00"), type: "max_ebb", speed_kt: 2 },
    { time: instant("09:00"), type: "slack_before_flood", speed_kt: 0 },
  ],
  curve: { step_minutes: 180, speeds_kt: [1.5, 0, -2] },
} as unknown as StreamPrediction;

it.each([
  ["01:00", 1, "flood", 70, ["slack_before_ebb 0", "max_ebb -2"]],
  ["03:00", 0, "slack", undefined, ["max_ebb -2", "slack_before_flood 0"]],
  ["06:00", 2, "ebb", 250, ["slack_before_flood 0"]],
])(
  "reads speed, phase and direction of a stream at %s, the next slack and the next fastest flow",
  (clock, speed, phase, direction, next) => {
    const reading = streamAt(stream, at(clock))!;
    const coming = reading.next.map(({ type, value }) => `${type} ${value}`);
    expect({ ...reading, next: coming }).toEqual({ speed, phase, direction, next });
  },
);
