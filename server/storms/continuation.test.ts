import { expect, it } from "vitest";
import { aheadPoint, stormOf, trackPoint } from "#test/storms.ts";
import { isContinuation } from "./storm-service.ts";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const observed = [-24, -12, 0].map((hour) => trackPoint(hour, at(12, -30 - hour / 6)));
const invest = {
  ...stormOf([aheadPoint(0, at(12, -30))], { id: "AL902026", is_invest: true }),
  tracks: { observed },
};
const storm = {
  ...stormOf([aheadPoint(0, at(12, -30))], { aliases: ["AL902026"] }),
  tracks: { observed: [...observed, trackPoint(12, at(12.5, -32))] },
};

it("an invest has become the storm that has its id as an alias and was where the invest was last", () => {
  expect(isContinuation(invest, storm)).toBe(true);
  expect(isContinuation(invest, { ...storm, aliases: ["AL912026"] })).toBe(false);
  expect(isContinuation({ ...invest, is_invest: false }, storm)).toBe(false);
});

it("not one that had the number before: it was somewhere else then, or had ended", () => {
  const elsewhere = observed.map((point) => ({ ...point, lat: point.lat + 10 }));
  expect(isContinuation(invest, { ...storm, tracks: { observed: elsewhere } })).toBe(false);
  const earlier = observed.map((point) => ({ ...point, time: point.time - 20 * 86_400 }));
  expect(isContinuation(invest, { ...storm, tracks: { observed: earlier } })).toBe(false);
});
