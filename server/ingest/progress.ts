import { formatInstant } from "#lib/time.ts";
import type { IngestReport } from "./ingest.ts";
import type { PlannedRun } from "./plan.ts";
import type { Refusal } from "./record.ts";

/** Where lines go: the terminal of the command, or a list in a test. */
export interface Console {
  write(text: string): void;
  /** A terminal that understands a carriage return: there a bar is drawn, elsewhere plain lines. */
  isTTY?: boolean;
}

const BAR_WIDTH = 24;
const MAX_REFUSALS = 40;
const CLEAR_LINE = "\r\u001b[K";

/** Tells a person what an ingest does. */
export function consoleReport(out: Console): IngestReport {
  let field = "";
  const line = (text: string) => out.write(`${out.isTTY ? CLEAR_LINE : ""}${text}\n`);
  const bar = (done: number, total: number, what: string) => {
    const full = Math.round((done / Math.max(1, total)) * BAR_WIDTH);
    out.write(`${CLEAR_LINE}[${"█".repeat(full)}${"░".repeat(BAR_WIDTH - full)}] ${done}/${total} ${what}`);
  };
  return {
    scanning(file, done, total) {
      if (out.isTTY) bar(done, total, `reading ${file}`);
      else line(`Reading ${file}`);
    },
    scanned({ fields, envelopes, kept, needless, needed }) {
      const counts = `${kept} kept, ${fields - kept} ignored, ${needless.length + needed.length} refused`;
      line(`${counted(fields, "field")} in ${counted(envelopes, "envelope")}: ${counts}`);
      if (needless.length > 0) line(`Refused, and not needed (${needless.length}):`);
      for (const text of refusalLines(needless)) line(text);
    },
    lost(refused) {
      line(`Left out, although needed (${refused.length}):`);
      for (const text of refusalLines(refused)) line(text);
    },
    making(_run, name, done, total) {
      if (out.isTTY) bar(done, total, name);
      else if (name !== field) line(`  ${name}`);
      field = name;
    },
    published(run, { id, already }) {
      line(`${already ? "Already published" : "Published"}: run ${id}`);
      line(`  ${describeRun(run)}`);
      for (const text of commentLines(run)) line(text);
    },
  };
}

/** Refusals for people, those of one file and reason together. */
export function refusalLines(refused: readonly Refusal[]): string[] {
  const groups = [...Map.groupBy(refused, ({ file, reason }) => `${file}\n${reason}`).values()];
  const lines = groups.slice(0, MAX_REFUSALS).map((group) => {
    const { file, reason } = group[0]!;
    return `  refused: ${file}, ${group.map(({ message }) => message).join(", ")}: ${reason}`;
  });
  if (groups.length > MAX_REFUSALS) lines.push(`  … and ${groups.length - MAX_REFUSALS} more`);
  return lines;
}

function describeRun({ grid, times, fields, referenceTime }: PlannedRun): string {
  const size = `${counted(fields.length, "field")}, ${grid.longitude.count} × ${grid.latitude.count} cells`;
  const first = times[0]!;
  // A fixed field has the one time 0.
  if (times.length === 1 && first === 0) return `${size}, for all times`;
  const span =
    times.length === 1 ? formatInstant(first) : `${formatInstant(first)} to ${formatInstant(times.at(-1)!)}`;
  return `${size}, ${counted(times.length, "step")}: ${span}; base time ${formatInstant(referenceTime)}`;
}

/** What a reader should know of the origin of fields, fields of one origin together. */
function commentLines({ fields }: PlannedRun): string[] {
  const groups = Map.groupBy(fields, ({ comment }) => comment);
  return [...groups]
    .filter(([comment]) => comment !== undefined)
    .map(([comment, group]) => `  ${comment}: ${group.map(({ name }) => name).join(", ")}`);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
