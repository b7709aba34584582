import { expect, it } from "vitest";
import { firstProblem } from "#components/fields/contract-resolver.ts";
import type { PlanVessel } from "#lib/contract/passage.ts";
import { defaultLimits } from "#lib/passage/limits.ts";
import { gateCheck } from "./gate-form.tsx";
import { limitsCheck, vesselCheck, vesselNumbers } from "./vessel-form.tsx";

const rangeText = (range: readonly [number, number]) => range.join(" to ");
const sail: PlanVessel = { kind: "sail", polar_name: "cruising_10m" };
const motor: PlanVessel = { kind: "motor", speed_kt: 8 };

it("the fields of a vessel have the defaults of the contract", () => {
  expect(vesselNumbers(sail)).toMatchObject({ factor: 0.9, motor_below_kt: 3, motor_speed_kt: null });
  expect(vesselNumbers({ ...sail, factor: 0.8 })).toMatchObject({ factor: 0.8 });
});

const { table } = vesselNumbers(motor);
const fast = { ...table, head_kt: table.head_kt.map((speed, index) => (index === 2 ? 101 : speed)) };

it.each([
  ["nothing of a sailing boat", sail, {}, {}],
  ["no roll period", sail, { roll_period_s: null }, {}],
  ["a share of the polar that is empty", sail, { factor: null }, { factor: "0.1 to 1.5" }],
  ["a share that is no number", sail, { factor: Number.NaN }, { factor: "0.1 to 1.5" }],
  ["a motor that is too slow", sail, { motor_speed_kt: 0.4 }, { motor_speed_kt: "0.5 to 100" }],
  ["nothing of a motor vessel", motor, {}, {}],
  ["no speed", motor, { speed_kt: null }, { speed_kt: "0.5 to 100" }],
  ["a speed beyond any", motor, { speed_kt: 101 }, { speed_kt: "0.5 to 100" }],
  ["a length of none", motor, { length_m: 0 }, { length_m: "1 to 500" }],
  ["one in the table", motor, { table: fast }, { table: "0 to 100" }],
] as const)("refuses %s, by the contract", (_, vessel, part, wrong) => {
  const { errors } = vesselCheck(vessel.kind, rangeText)({ ...vesselNumbers(vessel), ...part });
  expect(Object.keys(errors)).toEqual(Object.keys(wrong));
  expect(firstProblem(errors)).toBe(Object.values(wrong)[0]);
});

it.each([
  ["takes the limits of a vessel", {}, undefined],
  ["takes a quantity that is not looked at", { gust_kt: null }, undefined],
  ["refuses a limit below 0", { gust_kt: -1 }, "0 to 10000"],
  ["refuses a text", { gust_kt: Number.NaN }, "0 to 10000"],
  ["takes the farthest storm in miles that the contract takes in kilometres", { storm_km: 5399 }, undefined],
  ["refuses a farther one, and says it in miles", { storm_km: 5400 }, "0 to 5399"],
])("%s", (_, part, problem) => {
  const { errors } = limitsCheck(rangeText)({ ...defaultLimits.sail, ...part });
  expect(firstProblem(errors)).toBe(problem);
});

const gate = { station: "noaa:8443970", wait: false, name: undefined };

it.each([
  ["a height", { kind: "height", min_m: 31 }, "min_m", "-20 to 30"],
  ["hours around slack", { kind: "slack", within_h: 7 }, "within_h", "0 to 6"],
  ["hours from high water", { kind: "high_water", from_h: -13, to_h: 2 }, "from_h", "-12 to 12"],
  ["a gate that closes before it opens", { kind: "high_water", from_h: 3, to_h: 2 }, "to_h", "3 to 12"],
] as const)("refuses %s beyond the contract", (_, rule, field, range) => {
  const { errors } = gateCheck(rangeText)({ ...gate, ...rule });
  expect(errors).toEqual({ [field]: { type: expect.any(String), message: range } });
});
