import { parseArgs } from "node:util";
import { type DatasetName, datasetNames } from "#lib/catalog/datasets.ts";
import { readDecimal } from "#lib/decimal.ts";
import { formatInstant } from "#lib/time.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import { sources as builtIn } from "#server/ingest/publishers/registry.ts";
import type { Source } from "#server/ingest/sources/source.ts";
import { describeFailure, ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { createDecoder, decoderDefaults } from "./decoder.ts";
import { DamagedInputError, type IngestReport, ingest } from "./ingest.ts";
import type { PlannedRun } from "./plan.ts";
import type { Rejection } from "./record.ts";

interface IngestCommandDeps {
  /** The operator's own sources, in addition to those of this service. */
  own?: readonly Source[];
  openArchive(): Promise<RunArchive>;
  out: Console;
  err: Console;
  /** Aborts on Ctrl-C; unfinished runs are removed. */
  signal: AbortSignal;
}

const MIB = 2 ** 20;

const usageOf = (sources: readonly Source[]) => `Usage: ingest <source> --from <file|directory> [options]

Sources:
${sources.map(({ name, title }) => `  ${name.padEnd(9)} ${title}`).join("\n")}

Options:
  --dataset <name>     publish to ${datasetNames.join(", ")} (default: Forecast; Static for data that do not change)
  --partial            if something is damaged, publish the rest instead of nothing
  --max-memory <MiB>   memory that decoding may use (default ${decoderDefaults.maxMemory / MIB})
`;

class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * `ingest <source> --from <file|directory>` writes files to the archive.
 *
 * @param args Arguments after `ingest`.
 * @returns Exit code: 0 published (or already published), 1 nothing published, 2 invalid command, 130 stopped by the
 *   signal.
 */
export async function ingestCommand(args: string[], deps: IngestCommandDeps): Promise<number> {
  const { out, err, signal } = deps;
  const sources = [...builtIn, ...(deps.own ?? [])];
  const usage = usageOf(sources);
  try {
    const command = readCommand(args, sources);
    if (!command) {
      out.write(usage);
      return 0;
    }
    const { source, from, dataset, partial, maxMemory } = command;
    const archive = await deps.openArchive();
    const decoder = createDecoder({ maxMemory });
    try {
      await ingest(archive, decoder, { source, from, dataset, partial }, consoleReport(out), signal);
    } finally {
      await decoder.close();
    }
    return 0;
  } catch (error) {
    // The progress bar does not end its line.
    if (out.isTTY) out.write("\n");
    if (signal.aborted) {
      err.write("Stopped; what was not yet published is removed.\n");
      return 130;
    }
    if (error instanceof UsageError) {
      err.write(`${error.message}\n\n${usage}`);
      return 2;
    }
    if (error instanceof DamagedInputError) {
      err.write(`${[error.message, ...rejectionLines(error.rejected)].join("\n")}\n`);
      err.write("With --partial the undamaged rest is published.\n");
      return 1;
    }
    if (error instanceof ProcessingError || error instanceof UnavailableError) {
      err.write(`${describeFailure(error)}\n`);
      return 1;
    }
    throw error;
  }
}

interface Command {
  source: Source;
  from: string;
  dataset: DatasetName;
  partial: boolean;
  maxMemory: number;
}

function readCommand(args: string[], sources: readonly Source[]): Command | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [name, ...rest] = positionals;
  const source = sources.find((known) => known.name === name);
  if (!source) {
    const names = sources.map((known) => known.name).join(", ");
    throw new UsageError(
      name === undefined ? "Which source?" : `There is no source "${name}"; there are ${names}`,
    );
  }
  if (rest.length > 0)
    throw new UsageError(`Unknown argument "${rest[0]}": give one source, and files after --from`);
  if (!values.from) throw new UsageError("--from names the file or directory to read");
  const dataset = datasetNames.find((known) => known === (values.dataset ?? source.dataset));
  if (!dataset)
    throw new UsageError(`There is no dataset "${values.dataset}"; there are ${datasetNames.join(", ")}`);
  if ((dataset === "Static") !== (source.dataset === "Static"))
    throw new UsageError(
      `${source.name} cannot go to ${dataset}: Static holds what does not change with time, and nothing else`,
    );
  const mebibytes = readDecimal(values["max-memory"] ?? String(decoderDefaults.maxMemory / MIB));
  if (!(mebibytes >= 64)) throw new UsageError("--max-memory is a number of MiB, at least 64");
  return { source, from: values.from, dataset, partial: values.partial ?? false, maxMemory: mebibytes * MIB };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        from: { type: "string" },
        dataset: { type: "string" },
        partial: { type: "boolean" },
        "max-memory": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

interface Console {
  write(text: string): void;
  /** Whether a progress bar is drawn; otherwise plain lines are written. */
  isTTY?: boolean;
}

const BAR_WIDTH = 24;
const MAX_REFUSALS = 40;
const CLEAR_LINE = "\r\u001b[K";

function consoleReport(out: Console): IngestReport {
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

function rejectionLines(rejected: readonly Rejection[]): string[] {
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

/** Comments on the origin of fields. Fields of the same origin share a line. */
function commentLines({ fields }: PlannedRun): string[] {
  const groups = Map.groupBy(fields, ({ comment }) => comment);
  return [...groups]
    .filter(([comment]) => comment !== undefined)
    .map(([comment, group]) => `  ${comment}: ${group.map(({ name }) => name).join(", ")}`);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
