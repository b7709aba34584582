import { distanceKm } from "#lib/geo/sphere.ts";
import type { Report } from "#server/storms/parse/report.ts";
import type { Bulletin, Fix } from "./bulletin.ts";
import { mergedFixes } from "./merge.ts";

/** Longer gaps between analyses may be those between two lives of a depression that kept its code. */
const GAP_S = 24 * 3600;

/**
 * The past of a JMA storm: its analyses, and before the first of them the line that the oldest known bulletin drew.
 *
 * Points of a line have no times, and while bulletins come hourly there is one an hour. A line is therefore dated once,
 * by the oldest bulletin; that of a later one would add what falls before the first analysis again, at each refresh.
 *
 * @param warnings Newest first, as `drawn`.
 */
export function jmaTrack(
  warnings: readonly Report[],
  drawn: readonly Report[],
  before: Bulletin | undefined,
): Pick<Bulletin, "observed" | "lineIssued"> {
  const known = before?.observed ?? [];
  const isOfLine = (fix: Fix) => fix.isDrawn === true || (before?.lineIssued === undefined && isBare(fix));
  const given = [
    ...warnings.map(({ observed }) => observed),
    known.filter((fix) => !isOfLine(fix)),
    ...drawn.map(({ observed }) => observed.slice(-1)),
  ];
  const analyses = mergedFixes([...given, provenPoints(known.filter(isOfLine), given.flat())]);
  const restart = restartOf(analyses, drawn);
  if (restart) return tracked(restart.line, analyses.slice(restart.index));
  const oldest = drawn.at(-1);
  if (before?.lineIssued !== undefined && (!oldest || oldest.issued >= before.lineIssued)) {
    const line = known.filter(isOfLine);
    return { observed: [...untilFirst(line, analyses), ...analyses], lineIssued: before.lineIssued };
  }
  return oldest ? tracked(oldest, analyses) : { observed: analyses };
}

/**
 * Points of a line between analyses, where the line has the older one at its time and place: their times are then proven, and
 * an older bulletin that a mirror shows for once takes none of them away.
 */
function provenPoints(line: readonly Fix[], analyses: readonly Fix[]): Fix[] {
  const first = line.findIndex((point) =>
    analyses.some((each) => each.time === point.time && distanceKm(each, point) === 0),
  );
  return first < 0 ? [] : line.slice(first + 1).map(({ isDrawn: _, ...fix }) => fix);
}

function tracked({ observed, issued }: Report, analyses: readonly Fix[]) {
  const line = observed.slice(0, -1).map((fix): Fix => ({ ...fix, isDrawn: true }));
  return { observed: [...untilFirst(line, analyses), ...analyses], lineIssued: issued };
}

function untilFirst(line: readonly Fix[], analyses: readonly Fix[]): Fix[] {
  const first = analyses[0]?.time ?? Number.POSITIVE_INFINITY;
  return line.filter(({ time }) => time < first);
}

/**
 * Where a storm begins again: the line drawn after a long gap between analyses begins within the gap. A line of a storm that
 * went on is longer, and that of hourly points appears longer still.
 */
function restartOf(analyses: readonly Fix[], drawn: readonly Report[]) {
  for (let index = analyses.length - 1; index > 0; index--) {
    const [last, next] = [analyses[index - 1]!, analyses[index]!];
    if (next.time - last.time <= GAP_S) continue;
    const line = drawn.findLast(({ observed }) => observed.at(-1)!.time >= next.time);
    return line && line.observed[0]!.time > last.time ? { index, line } : undefined;
  }
  return undefined;
}

/** A place and a time, and nothing else: a point of a line in records that do not mark them. */
function isBare({ vmaxKt, mslpHpa, stage }: Fix): boolean {
  return vmaxKt === null && mslpHpa === null && stage === null;
}
