import { describe, expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { parseInstant } from "#lib/time.ts";
import { readForm, timed } from "./ship-form.tsx";
import { describeShip, fixWarning, formatAccuracy, formatFixAge, formatWay } from "./ship-live.tsx";
import { positionOf } from "./ship-panel.tsx";

const time = parseInstant("2026-09-15T06:12:00Z");
const fix = { latitude: 48.5, longitude: -5.17, course: 45, speed: 6.5, time };
const anchored = { ...fix, speed: 0, course: 0 };

it.each([
  [formatWay(fix, en), "Course 045° at 6.5 kn, by dead reckoning."],
  [formatWay(fix, de), "Kurs 045°, Fahrt 6,5 kn, gekoppelt."],
  [formatWay(anchored, en), "At anchor."],
  [formatFixAge(fix, time + 3 * 3600, utc), "Position of Tue 15 Sep 06:12 UTC, 3 h ago."],
  [describeShip(fix, en), "My ship is at 48°30.0′N 005°10.2′W, course 045° at 6.5 knots."],
  [fixWarning(fix, time + 12 * 3600, en), undefined],
  [
    fixWarning(fix, time + 13 * 3600, en),
    expect.stringContaining("13 h ago: the ship may be far from where"),
  ],
  [fixWarning(anchored, time + 72 * 3600, en), expect.stringContaining("3 d ago: is the ship still there?")],
  [fixWarning(fix, time - 60, en), undefined],
  [fixWarning(fix, time - 3600, en), expect.stringContaining("is in the future")],
  [formatAccuracy(12.4, en), "The position of this device, accurate to 12 m."],
  [formatAccuracy(5556, de), expect.stringContaining("nur auf 3,0 sm genau")],
])("the ship in words, in its language, and when its position is stale: %s", (text, expected) => {
  expect(text).toEqual(expected);
});

describe("the form of the ship", () => {
  const typed = { position: "48 30N 005 10.2W", course: "045", speed: "6,5", time };

  it("takes positions as they are typed and decimal commas", () => {
    expect(readForm(typed, utc)).toEqual({
      fix: { ...fix, latitude: 48.5, longitude: expect.closeTo(-5.17, 9) },
    });
  });

  it("is of now without a time, and of no time where the service has not told what time it is", () => {
    const empty = { ...typed, time: undefined };
    expect(readForm(timed(empty, time), utc)).toMatchObject({ fix: { time } });
    const unknown = readForm(timed(empty, 0), utc);
    expect("errors" in unknown && unknown.errors.time).toContain("Enter the time too");
  });

  it("needs no course of a ship at anchor", () => {
    expect(readForm({ ...typed, course: "", speed: "" }, utc)).toMatchObject({
      fix: { course: 0, speed: 0 },
    });
  });

  it("says what is wrong with each field", () => {
    const wrong = readForm({ position: "here", course: "400", speed: "fast", time: Number.NaN }, utc);
    expect(Object.keys("errors" in wrong ? wrong.errors : {})).toEqual([
      "position",
      "course",
      "speed",
      "time",
    ]);
    expect(readForm({ ...typed, course: "" }, utc)).toEqual({
      errors: { course: "A course is 0 to 360 degrees." },
    });
  });
});

it("takes course and speed from a device that moves, and not the noise of one that lies still", () => {
  const coords = { latitude: 1, longitude: 2, accuracy: 9, heading: 80, speed: 5 };
  expect(positionOf(coords).motion).toEqual({ course: 80, speed: expect.closeTo(9.72, 2) });
  expect(positionOf({ ...coords, speed: 0.1 }).motion).toBeUndefined();
  expect(positionOf({ ...coords, heading: null, speed: null }).motion).toBeUndefined();
  expect(positionOf({ ...coords, heading: Number.NaN }).motion).toBeUndefined();
});
