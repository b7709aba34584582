/** The values of the members of an ensemble at times. */
export interface MemberSeries {
  /** Unix seconds, ascending. */
  times: readonly number[];
  /** By time, the value of each member in the same order; null where a member has none. */
  values: readonly (readonly (number | null)[])[];
}

/** Members that are over a limit at any time of a span. */
export interface MemberCount {
  over: number;
  /**
   * Members whose answer is known: those that are over the limit, and those that have a value at each time of the span at
   * which any member has one. Whether the others are over the limit is not known.
   */
  of: number;
}

/** Part of a span, from its first time to the one before its end, Unix seconds. */
export interface SpanCount extends MemberCount {
  from: number;
  to: number;
}

/**
 * Counts the members that are over a limit at any time of a span. It is not a share of shares: a member that is over the
 * limit in several hours counts once, and members that are over it in different hours count each.
 *
 * @param limit In the unit of the values. @param from First time, Unix seconds. @param to End, exclusive.
 */
export function membersOver(
  { times, values }: MemberSeries,
  limit: number,
  from: number,
  to: number,
): MemberCount {
  const rows = values.filter(
    (row, index) => times[index]! >= from && times[index]! < to && row.some((value) => value !== null),
  );
  const members = rows[0]?.length ?? 0;
  const count = { over: 0, of: 0 };
  for (let member = 0; member < members; member++) {
    const isOver = rows.some((row) => (row[member] ?? Number.NaN) > limit);
    if (isOver) count.over++;
    if (isOver || rows.every((row) => (row[member] ?? null) !== null)) count.of++;
  }
  return count;
}

/**
 * The part of a span in which the most members are over a limit at any time, with the parts beside it in which as many are;
 * the first of several.
 *
 * @param edges Times at which one part ends and the next begins, ascending, Unix seconds; the first and the last are those
 * of the span.
 * @returns undefined if no member is over the limit.
 */
export function busiestPart(
  series: MemberSeries,
  limit: number,
  edges: readonly number[],
): SpanCount | undefined {
  const parts = edges
    .slice(1)
    .map((to, index) => ({ from: edges[index]!, to, ...membersOver(series, limit, edges[index]!, to) }));
  const most = Math.max(0, ...parts.map(({ over }) => over));
  const first = parts.findIndex(({ over }) => over === most);
  if (most === 0) return undefined;
  const after = parts.findIndex(({ over }, index) => index > first && over < most);
  return { ...parts[first]!, to: parts.at(after < 0 ? -1 : after - 1)!.to };
}

/** The last time at which any member has a value, Unix seconds; undefined if none has one. */
export function lastKnown({ times, values }: MemberSeries): number | undefined {
  return times[values.findLastIndex((row) => row.some((value) => value !== null))];
}
