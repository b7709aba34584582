import { encodePolyline } from "@open-metocean/geo/flexible-polyline";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Plan } from "#lib/contract/passage.ts";
import { limitNames } from "./limits.ts";
import { planFromText, planToText } from "./plan-link.ts";

const plan: Plan = {
  name: "Brest – Horta",
  route: [
    { latitude: 48.38, longitude: -4.5, leg: "great_circle", name: "Brest" },
    {
      latitude: 45,
      longitude: -15.12345,
      leg: "rhumb",
      gate: { kind: "high_water", station: "ticon:brest", name: "Brest", from_h: -2, to_h: 1.5, wait: true },
    },
    { latitude: 38.53, longitude: -28.62, leg: "great_circle", name: "Horta ★" },
  ],
  departure: "2026-09-16T06:00:00Z",
  departures: { from: "2026-09-15T00:00:00Z", to: "2026-09-20T00:00:00Z", step_hours: 6 },
  vessel: { kind: "sail", polar_name: "cruising_10m", factor: 0.85, motor_speed_kt: 5.5 },
  limits: { wind_kt: 22, rain_mm_h: null },
  arrive: { by: "2026-09-18T12:00:00Z", daylight: "both_ends", high_water: { from_h: -2, to_h: 2 } },
};

it("a plan comes back as it was, in a text that needs no escape in an address", () => {
  const { text, isWhole } = planToText(plan);
  expect(isWhole).toBe(true);
  expect(text).toMatch(/^[\w*-]+$/);
  expect(new URLSearchParams({ plan: text }).toString()).toBe(`plan=${text}`);
  expect(planFromText(text)).toEqual({
    ...plan,
    vessel: { ...plan.vessel, motor_below_kt: 3 },
  });
  const { vessel: _, ...without } = plan;
  expect(planFromText(planToText(without).text)).toEqual(without);
});

it("any plan comes back, and is then written as the same text", () => {
  const degrees = (most: number) => fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((one) => one / 1e5);
  const waypoint = fc.record(
    {
      latitude: degrees(90),
      longitude: degrees(180),
      leg: fc.constantFrom("great_circle", "rhumb"),
      name: fc.string({ minLength: 1, maxLength: 20 }),
    },
    { requiredKeys: ["latitude", "longitude", "leg"] },
  );
  const any: fc.Arbitrary<Plan> = fc.record({
    name: fc.string({ maxLength: 40, unit: "binary" }).filter((name) => name.isWellFormed()),
    route: fc.array(waypoint, { maxLength: 30 }),
    vessel: fc.record({
      kind: fc.constantFrom("fixed", "motor"),
      speed_kt: fc.integer({ min: 1, max: 40 }),
      factor: fc.constant(0.9),
      motor_below_kt: fc.constant(3),
    }),
    limits: fc.dictionary(fc.constantFrom(...limitNames), fc.option(fc.integer({ min: 0, max: 100 })), {
      minKeys: 1,
    }) as fc.Arbitrary<Plan["limits"]>,
  });
  fc.assert(
    fc.property(any, (one) => {
      const { text } = planToText(one);
      const back = planFromText(text)!;
      expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(one)));
      expect(planFromText(planToText(back).text)).toEqual(back);
    }),
    { seed: 20_261_123, numRuns: 25 },
  );
});

it("what does not fit into an address is left out, and that is said", () => {
  const route = Array.from({ length: 500 }, (_, index) => ({
    latitude: Math.round(Math.sin(index) * 8e6) / 1e5,
    longitude: Math.round(Math.cos(index) * 17e6) / 1e5,
    leg: "great_circle" as const,
    name: `A long name of waypoint ${index}`,
  }));
  const long: Plan = {
    ...plan,
    route,
    vessel: { kind: "sail", polar: `TWA\\TWS;6\n${"45;4\n".repeat(3000)}` },
  };
  const { text, isWhole } = planToText(long);
  expect(isWhole).toBe(false);
  expect(text.length).toBeLessThan(8000);
  const back = planFromText(text)!;
  expect(back.route).toHaveLength(500);
  expect(back.vessel!.polar).toBeUndefined();
});

it.each([
  ["nothing", ""],
  ["no polyline", "48.5,-5"],
  ["a latitude beyond the pole", encodePolyline([{ latitude: 90.5, longitude: 0 }])],
  ["no JSON", "BF*AAAA"],
  ["another vessel than there is", `BF*${btoa('{"v":{"kind":"submarine"}}')}`],
  ["a null", `BF*${btoa("null")}`],
  ["too much behind it", "BF*e30*e30"],
])("%s is no plan", (_, text) => {
  expect(planFromText(text)).toBeUndefined();
});

it("no text breaks the reader", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      planFromText(text);
      const bytes = new TextEncoder().encode(text);
      planFromText(`BF*${btoa(String.fromCharCode(...bytes))}`);
    }),
    { seed: 20_261_123 },
  );
});
