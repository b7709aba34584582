import type { Parsed } from "#server/storms/parse/report.ts";
import { parseText } from "#server/storms/parse/text.ts";

/** What a text that was fetched is worth. */
export type Judgement =
  | { kind: "good"; newest: number | undefined; isList: boolean }
  /** Cut, unreadable, or something else altogether. */
  | { kind: "bad"; reason: string }
  /** The last text of a slot, left there long ago. */
  | { kind: "obsolete" };

/**
 * Whether a text may replace the one before.
 *
 * @param now Weather clock, Unix seconds.
 */
export function judgeText(file: string, text: string, now: number): Judgement {
  const parsed = parseText(file, text, now);
  const [problem] = parsed.problems;
  if (parsed.isCut) return { kind: "bad", reason: problem?.reason ?? "it ends in its middle" };
  if (parsed.isObsolete) return { kind: "obsolete" };
  if (problem && isEmpty(parsed)) return { kind: "bad", reason: problem.reason };
  const newest = newestTime(parsed);
  // A text with a stamp ahead of the clock does not keep out those that follow.
  return {
    kind: "good",
    newest: newest === undefined ? undefined : Math.min(newest, now),
    isList: parsed.listed !== undefined,
  };
}

function isEmpty({ reports, listed, outlook, alert }: Parsed): boolean {
  return reports.length === 0 && !listed && !outlook && !alert;
}

/** Time of the newest statement of a text, Unix seconds. */
function newestTime({ reports, listed, outlook, alert }: Parsed): number | undefined {
  const times = [
    ...reports.flatMap(({ issued, observed, forecast }) => [issued, observed.at(-1)?.time, forecast?.base]),
    listed?.updated,
    outlook?.issued_at,
    alert?.issued,
  ].filter((time) => time !== undefined);
  return times.length > 0 ? Math.max(...times) : undefined;
}
