import fc from "fast-check";
import { expect, it } from "vitest";
import type { PlanWaypoint } from "#lib/contract/plan.ts";
import { inserted, MAX_WAYPOINTS, moved, removed, reordered, reversed, roundedPlace } from "./plan.ts";

const at = (name: string, leg: PlanWaypoint["leg"] = "great_circle"): PlanWaypoint => ({
  latitude: name.charCodeAt(0) - 60,
  longitude: 179.5,
  leg,
  name,
});
const names = (route: readonly PlanWaypoint[]) => route.map(({ name }) => name).join("");
const route = [at("A"), at("B", "rhumb"), at("C"), at("D", "rhumb")];

it("a waypoint goes to the end, or into a leg, whose kind both halves have", () => {
  expect(inserted(route, { latitude: 1, longitude: 2 }).at(-1)).toEqual({
    latitude: 1,
    longitude: 2,
    leg: "rhumb",
  });
  const divided = inserted(route, { latitude: 1.123456789, longitude: 180.5 }, 2, "X");
  expect(names(divided)).toBe("ABXCD");
  expect(divided[2]).toEqual({ latitude: 1.12346, longitude: -179.5, leg: "great_circle", name: "X" });
  expect(inserted([], { latitude: 1, longitude: 2 })).toEqual([
    { latitude: 1, longitude: 2, leg: "great_circle" },
  ]);
});

it("a route never has more waypoints than the service takes", () => {
  const full = Array.from({ length: MAX_WAYPOINTS }, () => at("A"));
  expect(inserted(full, { latitude: 0, longitude: 0 })).toBe(full);
});

it("a waypoint is moved, removed and put elsewhere in the order; beyond the ends nothing happens", () => {
  expect(moved(route, 1, { latitude: -5, longitude: -190 })[1]).toMatchObject({ longitude: 170, name: "B" });
  expect(names(removed(route, 0))).toBe("BCD");
  expect(names(reordered(route, 0, 2))).toBe("BCAD");
  expect(names(reordered(route, 3, 0))).toBe("DABC");
  expect(reordered(route, 0, -1)).toBe(route);
  expect(reordered(route, 3, 4)).toBe(route);
});

it("the other way each leg keeps its kind, and twice is the same route", () => {
  const back = reversed(route);
  expect(names(back)).toBe("DCBA");
  // C–D was a rhumb line, B–C a great circle, A–B a rhumb line.
  expect(back.slice(1).map(({ leg }) => leg)).toEqual(["rhumb", "great_circle", "rhumb"]);
  fc.assert(
    fc.property(fc.array(fc.constantFrom("great_circle" as const, "rhumb" as const)), (legs) => {
      const one = legs.map((leg, index) => at(String(index), leg));
      expect(reversed(reversed(one))).toEqual(one);
    }),
    { seed: 20_261_123 },
  );
});

it("a place at 180° stays there", () => {
  expect(roundedPlace({ latitude: 90, longitude: 180 })).toEqual({ latitude: 90, longitude: 180 });
  expect(roundedPlace({ latitude: 0, longitude: -179.9999999 })).toEqual({ latitude: 0, longitude: -180 });
});
