import { expect, it } from "vitest";
import { ensembleQuantities, type Statistic, statistics } from "#lib/catalog/ensemble.ts";
import { HOUR_S } from "#lib/time.ts";
import { seeded } from "#test/seeded.ts";
import { quantityOf, statisticsOfSteps } from "./step-statistics.ts";

const [wind, , wave] = ensembleQuantities;
const ofWind = statistics.filter(({ quantity }) => quantity === wind);
const MEMBERS = 9;
const NODES = 150;

/** Steps that widen: 3-hourly, then 6-hourly, then one after 9 h, so that some spans end between two steps. */
const times = [0, 3, 6, 9, 12, 18, 24, 33, 42, 48, 54, 60, 66, 72, 78, 96].map((hour) => hour * HOUR_S);

/** Winds around the limits, with members that lack values, and nodes that lack members. */
function randomSteps(random: () => number): Float32Array[] {
  return times.map(() =>
    Float32Array.from({ length: MEMBERS * NODES }, (_, i) => {
      const node = i % NODES;
      if (node < 5 || (node < 20 && random() < 0.4) || random() < 0.02) return Number.NaN;
      return (node / NODES) * 40 * random();
    }),
  );
}

type Found = Map<string, (Float32Array | undefined)[]>;

function compute(wanted: readonly Statistic[], steps: readonly (Float32Array | undefined)[]): Found {
  const found: Found = new Map(wanted.map(({ name }) => [name, times.map(() => undefined)]));
  const computing = statisticsOfSteps(wanted, times, MEMBERS, NODES);
  for (const values of steps)
    for (const { statistic, step, values: out } of computing.add(values)) {
      expect(found.get(statistic.name)![step]).toBeUndefined();
      found.get(statistic.name)![step] = out.slice();
    }
  return found;
}

/** The plainest way: sorts and counts the members of one node. */
function plainly(statistic: Statistic, steps: readonly Float32Array[], step: number, node: number): number {
  const members = [...Array(MEMBERS).keys()];
  if (statistic.is === "share") {
    const end = times[step]! + (statistic.hours ?? 0) * HOUR_S;
    if (end > times.at(-1)!) return Number.NaN;
    const series = members
      .map((member) =>
        steps
          .filter((_, at) => at >= step && times[at]! <= end)
          .map((values) => values[member * NODES + node]!),
      )
      .filter((values) => !values.some(Number.isNaN));
    const over = series.filter((values) => values.some((value) => value > statistic.threshold.value));
    return (100 * over.length) / series.length;
  }
  const values = members
    .map((member) => steps[step]![member * NODES + node]!)
    .filter((value) => !Number.isNaN(value));
  if (values.length === 0) return Number.NaN;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (statistic.is === "mean") return mean;
  if (statistic.is === "members") return values.length;
  if (statistic.is === "spread")
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
  if (statistic.is !== "percentile") throw new RangeError(statistic.name);
  values.sort((a, b) => a - b);
  const position = ((values.length - 1) * statistic.percentile) / 100;
  const [low, high] = [values[Math.floor(position)]!, values[Math.ceil(position)]!];
  return low + (position % 1) * (high - low);
}

const whole = (steps: readonly Float32Array[]) => steps.map((values) => values.map((value) => value || 0));

it.each([
  ["whose members lack values", (steps: Float32Array[]) => steps],
  ["whose members have all values", whole],
])("equals a plain count for every statistic, step and node, of an ensemble %s", (_, of) => {
  const steps = of(randomSteps(seeded(3)));
  const found = compute(ofWind, steps);
  for (const statistic of ofWind)
    for (const step of times.keys())
      for (let node = 0; node < NODES; node++) {
        const value = found.get(statistic.name)![step]?.[node] ?? Number.NaN;
        const expected = plainly(statistic, steps, step, node);
        if (Number.isNaN(expected)) expect(value).toBeNaN();
        else expect(value).toBeCloseTo(expected, 4);
      }
});

it("never says that more members are over a higher limit, or within a shorter span", () => {
  const found = compute(ofWind, randomSteps(seeded(4)));
  const shares = ofWind.filter((statistic) => statistic.is === "share");
  const spanOf = (share: (typeof shares)[number]): number => share.hours ?? 0;
  for (const lower of shares)
    for (const higher of shares) {
      if (lower.threshold.value >= higher.threshold.value || spanOf(lower) !== spanOf(higher)) continue;
      for (const [step, values] of found.get(lower.name)!.entries())
        for (const [node, value] of values?.entries() ?? [])
          if (!Number.isNaN(value))
            expect(value).toBeGreaterThanOrEqual(found.get(higher.name)![step]![node]!);
    }
  const all = compute(ofWind, whole(randomSteps(seeded(4))));
  for (const [step, values] of all.get("wind_speed_over_22kn_within_48h")!.entries())
    for (const [node, value] of values?.entries() ?? []) {
      expect(value).toBeGreaterThanOrEqual(all.get("wind_speed_over_22kn_within_24h")![step]![node]!);
      expect(value).toBeGreaterThanOrEqual(all.get("wind_speed_over_22kn")![step]![node]!);
    }
});

it("lacks the step that has no data, and the spans around it", () => {
  const steps: (Float32Array | undefined)[] = randomSteps(seeded(5));
  steps[8] = undefined;
  const found = compute(ofWind, steps);
  const has = (name: string) => times.flatMap((_, step) => (found.get(name)![step] ? [step] : []));
  expect(has("wind_speed_mean")).toEqual([...times.keys()].filter((step) => step !== 8));
  // The run ends at 96 h, and the step at 42 h is absent.
  expect(has("wind_speed_over_34kn_within_24h")).toEqual([0, 1, 2, 3, 4, 9, 10, 11, 12, 13]);
  expect(has("wind_speed_over_34kn_within_72h")).toEqual([]);
});

it("gives a normal ensemble its own probabilities and percentiles", () => {
  const random = seeded(6);
  const [members, nodes] = [31, 4000];
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  // The limit of 34 kn is half a standard deviation above the mean: 30.85 % of a normal distribution are over it.
  const limit = (34 * 1852) / 3600;
  const values = Float32Array.from({ length: members * nodes }, () => limit - 1 + 2 * normal());
  const wanted = ofWind.filter(({ name }) => /over_34kn$|spread$|p90$|p50$/.test(name));
  const means = new Map<string, number>();
  for (const { statistic, values: out } of statisticsOfSteps(wanted, [0], members, nodes).add(values))
    means.set(statistic.name, out.reduce((sum, value) => sum + value, 0) / nodes);
  expect(Math.abs(means.get("wind_speed_over_34kn")! - 30.854)).toBeLessThan(
    4 * (46.2 / Math.sqrt(members * nodes)),
  );
  expect(means.get("wind_speed_spread")).toBeCloseTo(2, 1);
  expect(means.get("wind_speed_p50")).toBeCloseTo(limit - 1, 1);
  // Type 7 of 31 members is a little inside the true percentile.
  expect(means.get("wind_speed_p90")! - (limit - 1)).toBeGreaterThan(2.3);
  expect(means.get("wind_speed_p90")! - (limit - 1)).toBeLessThan(2.57);
});

it("takes the speed of each member, not that of its mean components", () => {
  const [east, north] = [Float32Array.of(3, -3, Number.NaN), Float32Array.of(4, -4, 1)];
  expect([...quantityOf(wind!, [east, north])]).toEqual([5, 5, Number.NaN]);
  const heights = Float32Array.of(1, 2);
  expect(quantityOf(wave!, [heights])).toBe(heights);
});
