import { expect, it } from "vitest";
import { CYCLE_S, stormOf, stormOfCycle, stormSlots, stormState, stormsPresent } from "./storm-tracks.ts";

const HOUR = 3600;
const start = Date.parse("2024-01-01T00:00:00Z") / 1000;
const FIVE_YEARS_H = 5 * 8766;

it("tracks a storm in every slot at every hour of five years: one southern, one that comes over 180°", () => {
  let states = 0;
  for (let hour = 0; hour < FIVE_YEARS_H; hour++) {
    const time = start + hour * HOUR;
    for (const slot of stormSlots) {
      const storm = stormOf(slot, time);
      if (time < storm.begins || time >= storm.ends) throw new Error(`${slot} is not tracked at ${time}`);
      const state = stormState(1, storm, time);
      if (!state) throw new Error(`${slot} has no storm at ${time}`);
      if (slot === "south" && state.latitude >= 0) throw new Error(`${slot} is north at ${time}`);
      if (state.windKnots < 15 || state.windKnots > 125) throw new Error(`${slot} blows ${state.windKnots}`);
      states++;
    }
  }
  expect(states).toBe(FIVE_YEARS_H * stormSlots.length);
});

it("crosses 180° within the observed track and the five days to come, throughout the life of the antimeridian storm", () => {
  for (let cycle = 1700; cycle < 1860; cycle++) {
    const storm = stormOfCycle("antimeridian", cycle);
    const first = stormState(1, storm, storm.begins)!;
    const later = stormState(1, storm, storm.begins + 120 * HOUR)!;
    expect(first.longitude).toBeLessThan(0);
    expect(later.longitude).toBeGreaterThan(0);
  }
});

it("moves without jumps, and its speed is that of its way-points", () => {
  for (const slot of stormSlots) {
    const storm = stormOf(slot, start);
    for (let hour = 1; hour < 13 * 24 - 1; hour++) {
      const before = stormState(1, storm, storm.begins + (hour - 0.5) * HOUR)!;
      const here = stormState(1, storm, storm.begins + hour * HOUR)!;
      const after = stormState(1, storm, storm.begins + (hour + 0.5) * HOUR)!;
      const north = ((after.latitude - before.latitude) * 111_195) / HOUR;
      expect(Math.abs(north - here.northward)).toBeLessThan(0.1);
      expect(Math.hypot(here.eastward, here.northward)).toBeLessThan(20);
      expect(Math.abs(after.windKnots - before.windKnots)).toBeLessThan(3);
    }
  }
});

it("lets a storm fade from the fields within a day of its end, while the next begins", () => {
  const storm = stormOf("atlantic", start);
  const half = storm.ends + 12 * HOUR;
  expect(stormsPresent(half).filter((one) => one.slot === "atlantic")).toHaveLength(2);
  expect(stormState(1, storm, storm.ends + 24 * HOUR - 60)!.presence).toBeLessThan(0.001);
  expect(stormState(1, storm, storm.ends + 24 * HOUR)).toBeUndefined();
  expect(stormState(1, storm, storm.begins)!.presence).toBe(0);
  expect(stormOf("atlantic", storm.begins + CYCLE_S).cycle).toBe(storm.cycle + 1);
});
