import { expect, it } from "vitest";
import { nextDefault } from "./use-default-time.ts";

const hour = 3600;

it("keeps the time of the first layer when another one is chosen, and follows the clock after an hour", () => {
  const wind = nextDefault(undefined, "wind", 12 * hour, 12.2 * hour);
  expect(wind).toMatchObject({ layer: "wind", time: 12 * hour });
  // Its manifest is on its way, then there: a daily layer whose nearest step is at six o'clock.
  expect(nextDefault(wind, "sst", undefined, undefined)).toBe(wind);
  expect(nextDefault(wind, "sst", 6 * hour, 12.3 * hour)).toBe(wind);
  expect(nextDefault(wind, "wind", 12 * hour, 12.2 * hour)).toBe(wind);
  expect(nextDefault(wind, "sst", 13 * hour, 13.3 * hour)).toMatchObject({ layer: "sst", time: 13 * hour });
});

it("follows the clock while its own layer is shown", () => {
  const early = nextDefault(undefined, "wind", 12 * hour, 12.2 * hour);
  expect(nextDefault(early, "wind", 13 * hour, 12.6 * hour)).toMatchObject({ time: 13 * hour });
});
