import type { Distribution, EnsembleRequest, EnsembleResponse } from "#lib/contract/ensemble.ts";
import { parseInstant } from "#lib/time.ts";
import { aboutOf, type Column, heightOf, type Origin, pointOutputs, type Table } from "./table.ts";

type Result = EnsembleResponse["result"];

/** One number of a distribution as a column. */
interface Figure {
  /** What follows the name of the output in the name of the column. */
  suffix: string;
  /** What precedes the title of the output. */
  title: string;
  unit?: string;
  /** CF cell method. */
  method?: string;
  of(distribution: Distribution): number | null | undefined;
}

/** The distributions of an answer as a table: a row a point, and a column for each number of each response field. */
export function ensembleTable(
  { results, meta }: Pick<Result, "results" | "meta">,
  request: Pick<EnsembleRequest, "percentiles" | "thresholds" | "members">,
  origin: Origin,
): Table {
  const names = Object.keys(results[0]?.conditions ?? {});
  const about = aboutOf(origin);
  const at = (row: number) => results[row]!.coordinates;
  return {
    rows: results.length,
    about: { ...about, notice: `${about.notice}. ${meta.caution.replace(/\.$/, "")}` },
    columns: [
      {
        name: "latitude",
        unit: "°",
        title: "degrees north",
        kind: "number",
        value: (row) => at(row).latitude,
      },
      {
        name: "longitude",
        unit: "°",
        title: "degrees east",
        kind: "number",
        value: (row) => at(row).longitude,
      },
      {
        name: "timestamp",
        title: "time, UTC",
        kind: "instant",
        value: (row) => parseInstant(at(row).timestamp),
        text: (row) => at(row).timestamp,
      },
      ...names.flatMap((name) => {
        const output = pointOutputs.get(name)!;
        return numbersOf(name, request, meta.members).map(
          ({ suffix, title, unit = output.unit, of, method }): Column => ({
            name: `${name}_${suffix}`,
            unit,
            title: `${output.title}, ${title}`,
            height: heightOf(name, origin),
            kind: "number",
            ...(method && { cellMethods: `realization: ${method}` }),
            value: (row) => {
              const distribution = results[row]!.conditions[name];
              return (distribution && of(distribution)) ?? Number.NaN;
            },
          }),
        );
      }),
    ],
  };
}

function numbersOf(
  name: string,
  { percentiles, thresholds, members: all }: Pick<EnsembleRequest, "percentiles" | "thresholds" | "members">,
  members: readonly number[],
): Figure[] {
  const isDirection = pointOutputs.get(name)!.is.startsWith("bearing");
  const own = thresholds.filter(({ output }) => output === name);
  return [
    { suffix: "members", title: "number of members with a value", unit: "", of: (one) => one.members },
    { suffix: "control", title: "control", of: ({ control }) => control },
    { suffix: "mean", title: "mean of the members", method: "mean", of: ({ mean }) => mean },
    ...(isDirection
      ? []
      : [
          {
            suffix: "spread",
            title: "standard deviation of the members",
            method: "standard_deviation",
            of: ({ spread }: Distribution) => spread,
          },
          ...distinct(percentiles, String).map(([text, at]) => ({
            suffix: `p${text}`,
            title: `percentile ${text} of the members`,
            of: (one: Distribution) => one.percentiles?.[at],
          })),
          ...distinct(own, ({ over }) => String(Math.round(over * 1000) / 1000)).map(([text, at]) => ({
            suffix: `over_${text}`,
            title: `share of the members over ${text}`,
            unit: "%",
            of: (one: Distribution) => one.over?.[at]?.percent,
          })),
        ]),
    ...(all
      ? members.map((number, at) => ({
          suffix: `member_${number}`,
          title: `member ${number}`,
          of: (one: Distribution) => one.values?.[at],
        }))
      : []),
  ];
}

/** The distinct texts of some values, each with the position of the first value that has it. */
function distinct<Value>(values: readonly Value[], textOf: (value: Value) => string): [string, number][] {
  const texts = values.map(textOf);
  return [...new Set(texts)].map((text) => [text, texts.indexOf(text)]);
}
