import { formatInstant, HOUR_S } from "#lib/time.ts";

/**
 * Times as `extent.temporal.values` lists them: `R81/2026-01-01T00:00:00Z/PT3H` where three or more follow each other at
 * equal distances, else one by one.
 *
 * @param times Unix seconds, ascending.
 */
export function timeSteps(times: readonly number[]): string[] {
  const values: string[] = [];
  for (let at = 0; at < times.length; ) {
    const step = times[at + 1]! - times[at]!;
    let end = at + 1;
    while (times[end]! - times[end - 1]! === step) end++;
    const count = end - at;
    if (count < 3) values.push(formatInstant(times[at++]!));
    else {
      values.push(`R${count}/${formatInstant(times[at]!)}/${durationOf(step)}`);
      at = end;
    }
  }
  return values;
}

const durationOf = (seconds: number) => (seconds % HOUR_S === 0 ? `PT${seconds / HOUR_S}H` : `PT${seconds}S`);
