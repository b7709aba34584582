import { expect, it } from "vitest";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { seriesTimes } from "./point-queries.ts";

const now = Date.UTC(2026, 8, 15, 13, 20) / 1000;
const midnight = Date.UTC(2026, 8, 15) / 1000;
const { first, last } = acceptedTimes(now);

it("holds every step of the coming ten days, hourly for as long as forecasts are", () => {
  const times = seriesTimes(now, now);
  expect(times[0]).toBe(midnight);
  expect(times.at(-1)).toBeGreaterThan(last - 3 * HOUR_S);
  expect(times.at(-1)).toBeLessThanOrEqual(last);
  for (let hour = midnight; hour <= now + 5 * DAY_S; hour += HOUR_S) expect(times).toContain(hour);
  for (let three = midnight; three <= last; three += 3 * HOUR_S) expect(times).toContain(three);
});

it("is one series for all steps ahead, and one for five days of the past", () => {
  const ahead = seriesTimes(midnight, now);
  for (let at = midnight; at <= last; at += 7 * HOUR_S) expect(seriesTimes(at, now)).toEqual(ahead);
  expect(seriesTimes(now, now + 1800)).toEqual(ahead);
  let requests = 0;
  let before = ahead[0];
  for (let at = midnight; at > midnight - 30 * DAY_S; at -= 3 * HOUR_S) {
    const times = seriesTimes(at, now);
    expect(times).toContain(at);
    if (times[0] !== before) requests++;
    before = times[0];
  }
  expect(requests).toBe(6);
});

it("asks for no time that the service refuses", () => {
  const times = seriesTimes(first + HOUR_S, now);
  expect(times[0]).toBeGreaterThanOrEqual(first);
  expect(times.length).toBeGreaterThan(1);
});
