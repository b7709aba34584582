import { useWords } from "#components/words/words-context.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import type { PointMeta } from "#lib/contract/point.ts";
import { oldForecasts } from "#lib/forecast-age.ts";
import type { Words } from "#lib/messages/words.ts";
import { datasetTitle } from "#lib/messages/words.ts";
import type { Units } from "#lib/units.ts";
import { formatAbsent, formatValue, nullReason } from "./format-conditions.ts";

interface Props {
  /** By the names of the API. */
  conditions: Record<string, number | null | undefined>;
  meta: PointMeta | undefined;
  units: Units;
  /** The place is on land, not only in the models. */
  ashore: boolean;
}

/** Every value with its unit, or why it is missing, and the runs they come from. */
export function ConditionList({ conditions, meta, units, ashore }: Props) {
  const words = useWords();
  const rows = variableNames.flatMap((name) =>
    variable(name).outputs.map((output) => ({ name, output, value: conditions[output.point] })),
  );
  const present = rows.filter(({ value }) => typeof value === "number");
  const absent = rows.filter(({ value }) => typeof value !== "number");
  return (
    <>
      <dl className="divide-y divide-line text-sm">
        {[...present, ...absent].map(({ name, output, value }) => (
          <div key={output.point} className="flex justify-between gap-4 py-1.5" data-field={output.point}>
            <dt className="text-muted">{words.catalog.outputs[output.point]}</dt>
            {typeof value === "number" ? (
              <dd className="text-right font-medium tabular-nums" data-value={value}>
                {formatValue(value, output, name, units, words)}
              </dd>
            ) : (
              <dd className="text-right text-muted text-xs leading-5">
                {formatAbsent(nullReason(meta, name), ashore, words)}
              </dd>
            )}
          </div>
        ))}
      </dl>
      <p className="mt-3 text-muted text-xs">{runsText(meta, words)}</p>
    </>
  );
}

/** Which forecasts are old, and the runs that answered: `GFS 0.25° (Forecast), run 2026-09-15T06:00:00Z · …`. */
export function runsText(meta: PointMeta | undefined, words: Words): string {
  const models = new Map((meta?.provenance ?? []).map((entry) => [entry.run, entry]));
  const runs = [...models.values()].map(({ model, dataset, reference_time }) =>
    words.point.run({ model, dataset: datasetTitle(dataset, words), run: reference_time ?? undefined }),
  );
  return [...oldForecasts(meta?.provenance ?? [], words), ...runs].join(" · ");
}
