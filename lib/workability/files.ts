import type { WorkabilityMeta, WorkabilityReplyRow } from "#lib/contract/workability.ts";
import { aboutOf, type Column, NOT_FOR_NAVIGATION, type Table } from "#lib/table/table.ts";
import { csvPieces } from "#lib/table/text.ts";

export interface WorkabilityTableAnswer {
  rows: readonly WorkabilityReplyRow[];
  meta: WorkabilityMeta;
  synthetic?: boolean;
}

/** Writes one line for all months, then one per month, including the exceedance tables. */
export function workabilityCsv(answer: WorkabilityTableAnswer): Generator<Uint8Array, void, undefined> {
  return csvPieces(workabilityTable(answer));
}

function workabilityTable({ rows, meta, synthetic }: WorkabilityTableAnswer): Table {
  const about = aboutOf({ provenance: meta.provenance, synthetic });
  const limits = meta.limits.flatMap(({ quantity, unit, max, min }) => [
    ...(min === null ? [] : [`${quantity} at least ${min} ${unit}`]),
    ...(max === null ? [] : [`${quantity} at most ${max} ${unit}`]),
  ]);
  const [, ...knowledge] = meta.knowledge;
  const asked = `${meta.from} to ${meta.to}, steps of ${meta.step_hours} h, windows of ${meta.window_hours} h`;
  const notice = [about.notice || NOT_FOR_NAVIGATION, limits.join(", "), asked, meta.method, ...knowledge];
  return {
    rows: rows.length,
    about: { ...about, notice: notice.join(". ") },
    columns: [
      {
        name: "month",
        title: "calendar month, UTC",
        kind: "text",
        value: () => Number.NaN,
        text: (row) => String(rows[row]!.month ?? "all"),
      },
      ...columns.map(([name, unit]) =>
        number(name, unit, (row) => {
          const value = rows[row]![name];
          return value === null ? null : Number(value);
        }),
      ),
      ...meta.limits.flatMap(({ quantity, unit, levels }, at) => [
        ...statistics.map((name) =>
          number(`${quantity}_${name}`, unit, (row) => rows[row]!.quantities[at]![name]),
        ),
        number(`${quantity}_missing_hours`, "h", (row) => rows[row]!.quantities[at]!.missing_hours),
        ...levels.map((level, index) =>
          number(
            `${quantity}_above_${level}`,
            "1",
            (row) => rows[row]!.quantities[at]!.exceeded[index] ?? null,
          ),
        ),
      ]),
    ],
  };
}

const statistics = ["mean", "least", "most", "p50", "p90", "p95", "p99"] as const;

const columns = [
  ["years", "1"],
  ["hours", "h"],
  ["missing_hours", "h"],
  ["within_hours", "h"],
  ["within_share", "1"],
  ["lowest_share", "1"],
  ["highest_share", "1"],
  ["windows", "1"],
  ["mean_window_hours", "h"],
  ["longest_window_hours", "h"],
  ["window_hours", "h"],
  ["window_share", "1"],
  ["mean_wait_hours", "h"],
  ["longest_wait_hours", "h"],
  ["wait_is_lower_bound", "1"],
] as const;

const number = (name: string, unit: string, of: (row: number) => number | null): Column => ({
  name,
  unit,
  title: name,
  kind: "number",
  value: (row) => of(row) ?? Number.NaN,
});
