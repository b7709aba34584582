import type { Source } from "#server/ingest/sources/source.ts";
import type { Decoder } from "./decoder.ts";
import { makeStep, refusalOf, UnusableRecordError } from "./make-step.ts";
import { type PlannedRun, planRuns } from "./plan.ts";
import type { FieldRecord, Refusal } from "./record.ts";

/**
 * Plans without what is damaged: decodes all that is planned, plans again without what failed, and so on until
 * everything planned is sound. Costs a second decoding, and leaves nothing to fail while a run is written.
 *
 * @param without Records that are known to be unusable.
 */
export async function siftPlan(
  decoder: Decoder,
  source: Source,
  records: readonly FieldRecord[],
  without: ReadonlySet<FieldRecord>,
  report: { making(run: PlannedRun, field: string, done: number, total: number): void },
  signal: AbortSignal,
): Promise<{ plan: PlannedRun[]; refused: Refusal[] }> {
  const unusable = new Set(without);
  const refused: Refusal[] = [];
  const numbers = new Map(records.map((record, number) => [record, number]));
  const sound = new Set<string>();
  for (;;) {
    const before = unusable.size;
    const plan = planRuns(
      source,
      records.filter((record) => !unusable.has(record)),
    );
    for (const run of plan) {
      const steps = run.fields.flatMap((field) => field.steps.map((step) => ({ name: field.name, step })));
      for (const [done, { name, step }] of steps.entries()) {
        const key = [name, ...step.records.map((record) => numbers.get(record))].join(" ");
        if (sound.has(key) || step.records.some((record) => unusable.has(record))) continue;
        report.making(run, `checking ${name}`, done, steps.length);
        try {
          await makeStep(decoder, name, step, signal);
          sound.add(key);
        } catch (error) {
          if (!(error instanceof UnusableRecordError)) throw error;
          unusable.add(error.record);
          refused.push(refusalOf(error.record, error.message));
        }
      }
    }
    if (unusable.size === before) return { plan, refused };
  }
}
