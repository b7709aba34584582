import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deckRow } from "#server/storms/parse/deck.ts";
import { describeWithSamples } from "#test/samples.ts";
import { motionAlong } from "./entry.ts";

const HOUR = 3600;
const at = (hour: number, latitude: number, longitude: number) => ({
  time: hour * HOUR,
  latitude,
  longitude,
});

describe("motion", () => {
  it("is the final bearing of the great circle, and distance over time", () => {
    const [first, second] = motionAlong([at(0, 0, 179.5), at(6, 0, -179.5)], "jtwc");
    expect(first).toBeNull();
    expect(second!.heading).toBeCloseTo(90, 9);
    expect(second!.speed).toBeCloseTo(111.19 / 6, 2);
    // Along a parallel in the north a great circle arrives heading south of east.
    expect(motionAlong([at(0, 60, 0), at(6, 60, 10)], "jtwc")[1]!.heading).toBeCloseTo(94.3, 1);
  });

  it("of a stationary storm is 0 km/h, with its last heading", () => {
    const still = motionAlong([at(0, 20, 130), at(6, 21, 130), at(12, 21, 130), at(18, 21, 130)], "jtwc");
    expect(still.slice(1).map((motion) => motion!.speed > 0)).toEqual([true, false, false]);
    for (const motion of still.slice(1)) expect(motion!.heading).toBeCloseTo(0, 9);
  });

  it("of jma is taken from the fix nearest to 6 h before", () => {
    // A jump of 0.1° an hour before would change the heading.
    const track = [at(0, 20, 130), at(3, 20.5, 130), at(5, 20.9, 130), at(6, 21, 130.1)];
    expect(motionAlong(track, "jma").at(-1)!.speed).toBeCloseTo(111.7 / 6, 0);
    expect(motionAlong(track, "jtwc").at(-1)!.speed).toBeGreaterThan(14);
    expect(motionAlong(track.slice(2), "jma").at(-1)!.heading).toBeGreaterThan(30);
  });
});

describeWithSamples("against the columns of real decks", (samples) => {
  it("agrees with the published headings and speeds", () => {
    const turns: number[] = [];
    const speeds: number[] = [];
    const folder = join(samples, "atcf/bdeck");
    for (const name of readdirSync(folder)) {
      const published = new Map<number, { heading: number; knots: number }>();
      const track = new Map<number, ReturnType<typeof at>>();
      for (const line of readFileSync(join(folder, name), "utf8").split(/\r?\n/)) {
        const columns = line.split(",").map((column) => column.trim());
        if (columns[4] !== "BEST" || columns[6] === "" || columns[3] !== "") continue;
        const { base: time, fix } = deckRow(line);
        track.set(time, { time, latitude: fix.latitude, longitude: fix.longitude });
        const [heading, knots] = [Number(columns[25]), Number(columns[26])];
        if (knots > 0) published.set(time, { heading, knots });
      }
      const fixes = [...track.values()];
      const motions = motionAlong(fixes, "jtwc");
      for (const [index, { time }] of fixes.entries()) {
        const expected = published.get(time);
        const motion = motions[index];
        // The columns are over 6 h, so pairs with another interval differ.
        if (!expected || !motion || time - fixes[index - 1]!.time !== 6 * HOUR) continue;
        turns.push(Math.abs(((expected.heading - motion.heading + 540) % 360) - 180));
        speeds.push(Math.abs(expected.knots * 1.852 - motion.speed));
      }
    }
    const share = (values: number[], part: number) =>
      values.sort((a, b) => a - b)[Math.floor(values.length * part)]!;
    expect(turns.length).toBeGreaterThan(600);
    expect(share(turns, 0.5)).toBeLessThanOrEqual(0.5);
    expect(share(turns, 0.9)).toBeLessThanOrEqual(1.5);
    expect(share(speeds, 0.9)).toBeLessThanOrEqual(1);
  });
});
