import { HOUR_S } from "#lib/time.ts";
import type { Piece } from "./march.ts";
import { linearIn } from "./polar.ts";

/** Units in which consumption is given: litres per hour, or tonnes per day as ships' reports have it. */
export const fuelUnits = ["l_h", "t_day"] as const;

export type FuelUnit = (typeof fuelUnits)[number];

interface ByRpm {
  rpm: number;
}

/** Consumption as a request has it. Rates are in `unit`; tables are sorted by their first column. */
export interface FuelForm {
  unit: FuelUnit;
  curve?: readonly { speed_kt: number; rate: number }[] | undefined;
  rpm_speed?: readonly (ByRpm & { speed_kt: number })[] | undefined;
  rpm_rate?: readonly (ByRpm & { rate: number })[] | undefined;
  limit?: number | undefined;
  co2_factor?: number | undefined;
}

/** Consumption of a vessel. Amounts are litres, or tonnes. */
export interface Fuel {
  unit: FuelUnit;
  /** Amount for each hour. @param knots Speed through the water under motor. */
  perHour(knots: number): number;
  /** Most that may be used on a passage. */
  limit: number | undefined;
  /** CO₂: kilograms for each litre, or tonnes for each tonne. */
  co2Factor: number | undefined;
}

export function fuelOf(form: FuelForm): Fuel {
  const hours = form.unit === "l_h" ? 1 : 24;
  const curve = curveOf(form);
  return {
    unit: form.unit,
    perHour: (knots) => linear(curve, knots) / hours,
    limit: form.limit,
    co2Factor: form.co2_factor,
  };
}

/** Points of a curve: the first number ascends. */
type Points = readonly (readonly [number, number])[];

/** Consumption by speed. By rpm it is that of the rpm at which the vessel makes each speed. */
function curveOf({ curve, rpm_speed: speeds, rpm_rate: rates }: FuelForm): Points {
  if (curve) return curve.map(({ speed_kt, rate }) => [speed_kt, rate]);
  const speedAt: Points = (speeds ?? []).map(({ rpm, speed_kt }) => [rpm, speed_kt]);
  const rateAt: Points = (rates ?? []).map(({ rpm, rate }) => [rpm, rate]);
  // Between the rpm of both tables speed and rate are linear, and so is the rate by speed.
  const every = [...new Set([...speedAt, ...rateAt].map(([rpm]) => rpm))]
    .filter((rpm) => rpm >= speedAt[0]![0] && rpm <= speedAt.at(-1)![0])
    .sort((one, other) => one - other);
  return every.map((rpm) => [linear(speedAt, rpm), linear(rateAt, rpm)]);
}

/** Finds what is wrong with a consumption. @param fastest Highest speed under motor, kt, which it has to cover. */
export function fuelProblem(
  form: FuelForm,
  fastest: number,
): { field: "curve" | "rpm_speed" | "rpm_rate"; text: string } | undefined {
  const { curve, rpm_speed: speeds, rpm_rate: rates } = form;
  const byRpm = speeds !== undefined && rates !== undefined;
  if (byRpm === (curve !== undefined) || (curve && (speeds || rates)))
    return { field: "curve", text: "Give either curve or both rpm_speed and rpm_rate" };
  if (curve && !ascends(curve, "speed_kt")) return { field: "curve", text: "The speeds should ascend" };
  if (speeds && !(ascends(speeds, "rpm") && ascends(speeds, "speed_kt")))
    return { field: "rpm_speed", text: "The revolutions and the speeds should ascend" };
  if (rates && !ascends(rates, "rpm")) return { field: "rpm_rate", text: "The revolutions should ascend" };
  if (byRpm && (speeds[0]!.rpm > rates.at(-1)!.rpm || rates[0]!.rpm > speeds.at(-1)!.rpm))
    return { field: "rpm_rate", text: "Both tables should have some revolutions in common" };
  const most = fastestCovered(form);
  if (most >= fastest) return undefined;
  const known = Math.floor(100 * most) / 100;
  return {
    field: curve ? "curve" : "rpm_rate",
    text: `The consumption is known up to ${known} kt, and the vessel makes ${fastest} kt under motor`,
  };
}

function ascends<Name extends string>(rows: readonly Record<Name, number>[], name: Name): boolean {
  return rows.every((row, index) => index === 0 || row[name] > rows[index - 1]![name]);
}

/** The highest speed that a consumption covers, kt; for tables by rpm that of the rpm that both have. */
function fastestCovered(form: FuelForm): number {
  const { curve, rpm_speed: speeds = [], rpm_rate: rates = [] } = form;
  if (curve) return curve.at(-1)!.speed_kt;
  const rpm = Math.min(speeds.at(-1)!.rpm, rates.at(-1)!.rpm);
  return linear(
    speeds.map((one) => [one.rpm, one.speed_kt]),
    rpm,
  );
}

/** Second number of a curve at a first one; see `linearIn`. */
function linear(points: Points, at: number): number {
  return linearIn(
    points.map(([x]) => x),
    points.map(([, y]) => y),
    at,
  );
}

/** Fuel of a passage. @see over The piece in which the limit is passed, and the time; undefined within it. */
export interface FuelUse {
  unit: FuelUnit;
  /** Litres, or tonnes. */
  used: number;
  limit: number | undefined;
  /** CO₂, tonnes; undefined without an emission factor. */
  co2Tonnes: number | undefined;
  over: { piece: number; time: number } | undefined;
}

/** Adds up the fuel of pieces under motor. A vessel that is held, or sails, uses none. */
export function fuelUsed(fuel: Fuel, pieces: readonly Piece[]): FuelUse {
  let used = 0;
  let over: FuelUse["over"];
  for (const [index, { motion, seconds, start }] of pieces.entries()) {
    if (motion.mode !== "motor") continue;
    const perHour = fuel.perHour(motion.stw);
    const amount = (perHour * seconds) / HOUR_S;
    if (!over && fuel.limit !== undefined && used + amount > fuel.limit)
      over = { piece: index, time: start.time + ((fuel.limit - used) / perHour) * HOUR_S };
    used += amount;
  }
  const { unit, limit, co2Factor } = fuel;
  const co2Tonnes = co2Factor === undefined ? undefined : (used * co2Factor) / (unit === "l_h" ? 1000 : 1);
  return { unit, used, limit, co2Tonnes, over };
}
