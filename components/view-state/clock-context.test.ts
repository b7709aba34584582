import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { type Clock, sampledClock } from "./clock-context.ts";

const NOON = Date.UTC(2026, 0, 1, 12) / 1000;

function openClock() {
  const chosen: number[] = [];
  const clock: Clock = {
    now: NOON,
    time: NOON,
    drawn: undefined,
    instants: [NOON, NOON + HOUR_S],
    present: NOON,
    window: { from: 0, to: 0, isPast: false },
    segments: [],
    stepHours: undefined,
    setTime: (time) => void chosen.push(time),
  };
  return { clock, chosen };
}

it("shows the time of the side on which the point was sampled, and what is chosen by it is shown by that side", () => {
  const { clock, chosen } = openClock();
  const b = sampledClock(clock, { hours: -6, sampled: "b" }, () => undefined);
  const before = NOON - 6 * HOUR_S;
  expect(b).toMatchObject({ time: before, instants: [before, before + HOUR_S], now: NOON });
  expect(b.drawn).toBeUndefined();
  b.setTime(before + HOUR_S);
  expect(chosen).toEqual([NOON + HOUR_S]);
});

it("leaves the map's own time to A, and to a map whose time is not known yet", () => {
  const { clock } = openClock();
  expect(sampledClock(clock, { hours: 24, sampled: "a" }, () => undefined)).toMatchObject({
    time: NOON,
    instants: clock.instants,
  });
  const early = { ...clock, time: undefined };
  expect(sampledClock(early, { hours: 24, sampled: "b" }, () => undefined).time).toBeUndefined();
});
