import { DAY_S, HOUR_S } from "#lib/time.ts";
import {
  CLOCK_TOLERANCE_S,
  MAX_AHEAD_S,
  type Parsed,
  type Problem,
  type Report,
} from "#server/storms/parse/report.ts";
import { stormId } from "./identity.ts";

/**
 * A text without what it states of after `now`: a replay of the past must not use it. Of a storm of which the text states
 * nothing older, what is stamped up to 6 h ahead is read all the same, and so is what is observed by now under a heading that
 * is up to a day ahead; it is marked. Then a clock is wrong, and the storm must not be missing for it.
 */
export function issuedUntil({ reports, problems, ...rest }: Parsed, now: number): Parsed {
  const marks = new Set<number>();
  const near = now + CLOCK_TOLERANCE_S;
  const far = now + MAX_AHEAD_S;
  const known = new Set(reports.flatMap((report) => (report.issued <= near ? [stormId(report)] : [])));
  const stamp = rest.outlook?.issued_at ?? rest.alert?.issued;
  const refused: Problem[] = [];
  const past = reports.flatMap((report): Report[] => {
    if (report.issued <= near) return untilNow(report, near);
    // An archive or a table that is replayed.
    if (known.has(stormId(report)) || report.issued > now + DAY_S) return [];
    const times = [...report.observed.map(({ time }) => time), report.forecast?.base ?? []].flat();
    const newest = times.length > 0 ? Math.max(...times) : report.issued;
    // The heading of an alert or outlook may be of the month before.
    const isDated = stamp === undefined;
    if (Math.max(newest, report.issued) > far && !(isDated && newest <= near)) {
      refused.push({ line: 0, reason: `${aheadOf(report.issued, now)}: left out` });
      return [];
    }
    marks.add(report.issued);
    return [{ ...report, issued: newest }];
  });
  if (stamp !== undefined && stamp > near && stamp <= far) marks.add(stamp);
  const read = [...marks].map((time): Problem => ({ line: 0, reason: aheadOf(time, now), isRead: true }));
  return { reports: past, problems: [...problems, ...refused, ...read], ...rest };
}

function untilNow(report: Report, near: number): Report[] {
  const observed = report.observed.filter(({ time }) => time <= near);
  // A final warning may have no position, and a text that names an invest may have one that cannot be read.
  const isOfUse = observed.length > 0 || report.forecast || report.observed.length === 0;
  return isOfUse ? [{ ...report, observed }] : [];
}

function aheadOf(time: number, now: number): string {
  return `stamped ${((time - now) / HOUR_S).toFixed(1)} h ahead of this clock`;
}
