import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { busiestPart, lastKnown, type MemberSeries, membersOver } from "./counts.ts";

const HOUR = 3600;

const seriesOf = (rows: readonly (readonly (number | null)[])[]): MemberSeries => ({
  times: rows.map((_, index) => index * HOUR),
  values: rows,
});

/** Members that know everything, end early, begin late, have gaps, or have no value at all. */
const randomSeries = fc
  .tuple(fc.integer({ min: 1, max: 51 }), fc.integer({ min: 1, max: 40 }))
  .chain(([members, times]) =>
    fc.array(
      fc.array(fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 0, max: 9 }) }, fc.constant(null)), {
        minLength: members,
        maxLength: members,
      }),
      { minLength: times, maxLength: times },
    ),
  )
  .map(seriesOf);

/** The count as a reader of the sentence would make it, member by member. */
function plainCount({ times, values }: MemberSeries, limit: number, from: number, to: number) {
  const rows = times.flatMap((time, index) => (time >= from && time < to ? [values[index]!] : []));
  const columns = (values[0] ?? []).map((_, member) => rows.map((row) => row[member] ?? null));
  const over = columns.filter((column) => column.some((value) => value !== null && value > limit));
  const silentTimes = new Set(
    rows.flatMap((row, index) => (row.every((value) => value === null) ? [index] : [])),
  );
  const clear = columns.filter(
    (column) =>
      silentTimes.size < rows.length &&
      column.every((value, index) => silentTimes.has(index) || (value !== null && value <= limit)),
  );
  return { over: over.length, of: over.length + clear.length };
}

describe("members over a limit in a span", () => {
  it("equal a plain count, and are at least those of any of its hours and fewer for a higher limit", () => {
    fc.assert(
      fc.property(
        randomSeries,
        fc.integer({ min: -1, max: 9 }),
        fc.nat(40),
        fc.nat(40),
        (series, limit, begin, length) => {
          const [from, to] = [begin * HOUR, (begin + length) * HOUR];
          const counted = membersOver(series, limit, from, to);
          expect(counted).toEqual(plainCount(series, limit, from, to));
          for (let hour = from; hour < to; hour += HOUR)
            expect(membersOver(series, limit, hour, hour + HOUR).over).toBeLessThanOrEqual(counted.over);
          expect(membersOver(series, limit + 1, from, to).over).toBeLessThanOrEqual(counted.over);
        },
      ),
    );
  });

  it("count a member once, and members that are over it in different hours each", () => {
    const series = seriesOf([
      [9, 0, 0],
      [9, 9, 0],
      [0, 9, 0],
    ]);
    expect(membersOver(series, 8, 0, 3 * HOUR)).toEqual({ over: 2, of: 3 });
  });

  it("say nothing for members of which too little is known, and ignore hours of which nothing is", () => {
    const series = seriesOf([
      [1, null, 9, null],
      [null, null, null, null],
      [1, 1, null, null],
    ]);
    expect(membersOver(series, 8, 0, 3 * HOUR)).toEqual({ over: 1, of: 2 });
    expect(membersOver(seriesOf([[null, null]]), 8, 0, HOUR)).toEqual({ over: 0, of: 0 });
    expect(membersOver(seriesOf([]), 8, 0, HOUR)).toEqual({ over: 0, of: 0 });
  });
});

describe("the part in which the most members are over a limit", () => {
  it("has more than any part before it, and none has more", () => {
    fc.assert(
      fc.property(
        randomSeries,
        fc.integer({ min: -1, max: 9 }),
        fc.integer({ min: 1, max: 7 }),
        (series, limit, hours) => {
          const parts = Math.ceil(series.times.length / hours);
          const edges = Array.from({ length: parts + 1 }, (_, index) => index * hours * HOUR);
          const counts = edges.slice(1).map((to, index) => plainCount(series, limit, edges[index]!, to).over);
          const most = Math.max(...counts);
          const busiest = busiestPart(series, limit, edges);
          if (most === 0) {
            expect(busiest).toBeUndefined();
            return;
          }
          const [first, after] = [edges.indexOf(busiest!.from), edges.indexOf(busiest!.to)];
          expect(counts.indexOf(most)).toBe(first);
          expect(counts.slice(first, after).every((count) => count === most)).toBe(true);
          expect(counts[after]).not.toBe(most);
          expect(busiest!.over).toBe(most);
        },
      ),
    );
  });
});

it("the last known time is that of the last value of any member", () => {
  expect(lastKnown(seriesOf([[null], [2], [null]]))).toBe(HOUR);
  expect(lastKnown(seriesOf([[null]]))).toBeUndefined();
  expect(lastKnown(seriesOf([]))).toBeUndefined();
});
