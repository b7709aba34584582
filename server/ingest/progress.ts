import { formatInstant } from "#lib/time.ts";
import type { PlannedRun } from "./plan.ts";
import type { Rejection } from "./record.ts";

/** Receives the progress of an ingest, in this order. */
export interface IngestReport {
  scanning(file: string, done: number, total: number): void;
  scanned(found: {
    fields: number;
    messages: number;
    used: number;
    /** Rejections that the source does not need. */
    unneeded: readonly Rejection[];
    /** Rejections of what the source may need. */
    needed: readonly Rejection[];
  }): void;
  /** What is left out because it is damaged, before the rest is published. */
  leftOut(rejected: readonly Rejection[]): void;
  writing(run: PlannedRun, field: string, done: number, total: number): void;
  /** What may surprise who asks for the run's numbers. */
  remark(text: string): void;
  published(run: PlannedRun, outcome: PublishedRun): void;
}

interface PublishedRun {
  id: string;
  /** The archive already had the same content. */
  already: boolean;
}

/** Receives the lines of the command. */
export interface Console {
  write(text: string): void;
  /** On a terminal a progress bar is drawn; elsewhere plain lines are written. */
  isTTY?: boolean;
}

const BAR_WIDTH = 24;
const MAX_REFUSALS = 40;
const CLEAR_LINE = "\r\u001b[K";

/** Prints the progress of an ingest. */
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
    scanned({ fields, messages, used, unneeded, needed }) {
      const counts = `${used} used, ${fields - used} ignored, ${unneeded.length + needed.length} rejected`;
      line(`${counted(fields, "field")} in ${counted(messages, "message")}: ${counts}`);
      if (unneeded.length > 0) line(`Rejected, and not needed (${unneeded.length}):`);
      for (const text of rejectionLines(unneeded)) line(text);
    },
    leftOut(rejected) {
      line(`Left out, although needed (${rejected.length}):`);
      for (const text of rejectionLines(rejected)) line(text);
    },
    writing(_run, name, done, total) {
      if (out.isTTY) bar(done, total, name);
      else if (name !== field) line(`  ${name}`);
      field = name;
    },
    remark(text) {
      line(`  ${text}`);
    },
    published(run, { id, already }) {
      line(`${already ? "Already published" : "Published"}: run ${id}`);
      line(`  ${describeRun(run)}`);
      for (const text of commentLines(run)) line(text);
    },
  };
}

/** Rejections as text, grouped by file and reason. */
export function rejectionLines(rejected: readonly Rejection[]): string[] {
  const groups = [...Map.groupBy(rejected, ({ file, reason }) => `${file}\n${reason}`).values()];
  const lines = groups.slice(0, MAX_REFUSALS).map((group) => {
    const { file, reason } = group[0]!;
    return `  rejected: ${file}, ${group.map(({ message }) => message).join(", ")}: ${reason}`;
  });
  if (groups.length > MAX_REFUSALS) lines.push(`  … and ${groups.length - MAX_REFUSALS} more`);
  return lines;
}

function describeRun({ grid, times, fields, referenceTime }: PlannedRun): string {
  const size = `${counted(fields.length, "field")}, ${grid.longitude.count} × ${grid.latitude.count} cells`;
  const first = times[0]!;
  // A static field has the single time 0.
  if (times.length === 1 && first === 0) return `${size}, for all times`;
  const span =
    times.length === 1 ? formatInstant(first) : `${formatInstant(first)} to ${formatInstant(times.at(-1)!)}`;
  return `${size}, ${counted(times.length, "step")}: ${span}; base time ${formatInstant(referenceTime)}`;
}

/** Comments on the origin of fields, fields of the same origin together. */
function commentLines({ fields }: PlannedRun): string[] {
  const groups = Map.groupBy(fields, ({ comment }) => comment);
  return [...groups]
    .filter(([comment]) => comment !== undefined)
    .map(([comment, group]) => `  ${comment}: ${group.map(({ name }) => name).join(", ")}`);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
