import type { Source } from "#server/ingest/sources/source.ts";
import { decodeStep, rejectionOf, UnusableRecordError } from "./decode-step.ts";
import type { Decoder } from "./decoder.ts";
import { type PlannedRun, planRuns, recordsOf } from "./plan.ts";
import type { IngestReport } from "./progress.ts";
import type { FieldRecord, Rejection } from "./record.ts";

/**
 * Plans runs without damaged records: decodes all planned records and plans again without those that failed, until every
 * planned record is valid. Costs a second decoding; nothing can fail later while a run is written.
 *
 * @param excluded Records that are known to be unusable.
 */
export async function preValidate(
  decoder: Decoder,
  source: Source,
  records: readonly FieldRecord[],
  excluded: ReadonlySet<FieldRecord>,
  report: Pick<IngestReport, "writing">,
  signal: AbortSignal,
): Promise<{ plan: PlannedRun[]; rejected: Rejection[] }> {
  const unusable = new Set(excluded);
  const rejected: Rejection[] = [];
  const numbers = new Map(records.map((record, number) => [record, number]));
  const valid = new Set<string>();
  for (;;) {
    const before = unusable.size;
    const plan = planRuns(
      source,
      records.filter((record) => !unusable.has(record)),
    );
    for (const run of plan) {
      const steps = run.fields.flatMap((field) => field.steps.map((step) => ({ name: field.name, step })));
      for (const [done, { name, step }] of steps.entries()) {
        const needed = recordsOf(step);
        const key = [name, ...needed.map((record) => numbers.get(record))].join(" ");
        if (valid.has(key) || needed.some((record) => unusable.has(record))) continue;
        report.writing(run, `checking ${name}`, done, steps.length);
        try {
          await decodeStep(decoder, name, step, signal);
          valid.add(key);
        } catch (error) {
          if (!(error instanceof UnusableRecordError)) throw error;
          unusable.add(error.record);
          rejected.push(rejectionOf(error.record, error.message));
        }
      }
    }
    if (unusable.size === before) return { plan, rejected };
  }
}
