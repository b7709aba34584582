import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countOver, momentsOf, percentileOf, sortMembers } from "./statistics.ts";

const members = fc.array(fc.oneof(fc.double({ min: -50, max: 120, noNaN: true }), fc.constant(Number.NaN)), {
  minLength: 1,
  maxLength: 51,
});

function sortedOf(values: readonly number[]) {
  const sorted = new Float64Array(values.length);
  return { sorted, count: sortMembers(Float64Array.from(values), sorted) };
}

describe("statistics of members", () => {
  test("percentiles are those of numpy.percentile, whose default is type 7", () => {
    // numpy 1.24: np.percentile([3, 1, 4, 1, 5, 9, 2, 6], [0, 10, 25, 50, 75, 90, 100])
    const { sorted, count } = sortedOf([3, 1, Number.NaN, 4, 1, 5, 9, 2, 6]);
    const expected = [1, 1, 1.75, 3.5, 5.25, 6.9, 9];
    expect([0, 10, 25, 50, 75, 90, 100].map((p) => percentileOf(sorted, count, p))).toEqual(
      expected.map((value) => expect.closeTo(value, 12)),
    );
  });

  test("mean and spread are those of numpy.mean and numpy.std with ddof = 1", () => {
    const { sorted, count } = sortedOf([3, 1, 4, 1, 5, 9, 2, 6]);
    expect(momentsOf(sorted, count)).toEqual({ mean: 3.875, spread: expect.closeTo(2.748_376_144, 9) });
  });

  test("members without a value count nowhere, and where no member has one there is no statistic", () => {
    const { sorted, count } = sortedOf([Number.NaN, Number.NaN]);
    expect(count).toBe(0);
    expect(percentileOf(sorted, count, 50)).toBeNaN();
    expect(momentsOf(sorted, count)).toEqual({ mean: Number.NaN, spread: Number.NaN });
    expect(countOver(sorted, count, 0)).toBe(0);
    expect(momentsOf(Float64Array.of(4), 1)).toEqual({ mean: 4, spread: Number.NaN });
  });

  test("the count over a limit is a plain count, and never grows with the limit", () => {
    fc.assert(
      fc.property(
        members,
        fc.double({ min: -50, max: 120, noNaN: true }),
        fc.nat(20),
        (values, limit, more) => {
          const { sorted, count } = sortedOf(values);
          expect(countOver(sorted, count, limit)).toBe(values.filter((value) => value > limit).length);
          expect(countOver(sorted, count, limit + more)).toBeLessThanOrEqual(countOver(sorted, count, limit));
        },
      ),
    );
  });
});
