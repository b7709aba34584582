import type { MemberStatistic } from "#lib/catalog/ensemble.ts";
import type { Output } from "#lib/catalog/variables.ts";
import type { Distribution, EnsembleRequest, EnsembleResponse } from "#lib/contract/ensemble.ts";
import { parseInstant } from "#lib/time.ts";
import {
  aboutOf,
  type Column,
  heightOf,
  type Origin,
  place,
  pointOutputs,
  type Table,
  timestamps,
} from "./table.ts";

type Result = EnsembleResponse["result"];

type Threshold = EnsembleRequest["thresholds"][number];

/** One number of a distribution, as a column of a table or a field of a box. */
export interface Figure {
  /** Its name is that of the output, `_` and this. */
  suffix: string;
  /** Its title is that of the output, a comma and this. */
  title: string;
  /** Unit and decimals; those of the output by default. */
  unit?: string;
  decimals?: 0 | 1;
  is: MemberStatistic;
  of(distribution: Distribution): number | null | undefined;
}

/** The distributions of an answer as a table: a row a point, and a column for each number of each response field. */
export function ensembleTable(
  { results, meta }: Pick<Result, "results" | "meta">,
  request: Pick<EnsembleRequest, "percentiles" | "thresholds" | "members">,
  origin: Origin,
): Table {
  const names = Object.keys(results[0]?.conditions ?? {});
  const about = aboutOf({ ...origin, caution: meta.caution });
  const at = (row: number) => results[row]!.coordinates;
  return {
    rows: results.length,
    about,
    columns: [
      place("latitude", (row) => at(row).latitude),
      place("longitude", (row) => at(row).longitude),
      timestamps(
        (row) => parseInstant(at(row).timestamp),
        (row) => at(row).timestamp,
      ),
      ...names.flatMap((name) => {
        const output = pointOutputs.get(name)!;
        const height = heightOf(name, origin);
        const column = (
          { suffix, title, unit = output.unit, of }: Omit<Figure, "is">,
          is: MemberStatistic | "member",
        ): Column => ({
          name: `${name}_${suffix}`,
          unit,
          title: `${output.title}, ${title}`,
          height,
          kind: "number",
          statistic: { of: name, is },
          value: (row) => {
            const distribution = results[row]!.conditions[name];
            return (distribution && of(distribution)) ?? Number.NaN;
          },
        });
        return [
          ...figuresOf(output, request).map((figure) => column(figure, figure.is)),
          ...(request.members
            ? meta.members.map((number, at) => {
                const [suffix, title] = [`member_${number}`, `member ${number}`];
                return column({ suffix, title, of: ({ values }) => values?.[at] }, "member");
              })
            : []),
        ];
      }),
    ],
  };
}

/**
 * The numbers of the distribution of an output: how many members, control, mean and spread, then percentiles, and shares
 * over thresholds. A direction has neither spread nor those.
 */
export function figuresOf(
  { point, is }: Pick<Output, "point" | "is">,
  { percentiles, thresholds }: Pick<EnsembleRequest, "percentiles" | "thresholds">,
): Figure[] {
  const own = thresholds.filter(({ output }) => output === point);
  const always: Figure[] = [
    {
      suffix: "members",
      title: "number of members with a value",
      unit: "",
      decimals: 0,
      is: "members",
      of: ({ members }) => members,
    },
    { suffix: "control", title: "control", is: "control", of: ({ control }) => control },
    { suffix: "mean", title: "mean of the members", is: "mean", of: ({ mean }) => mean },
  ];
  if (is.startsWith("bearing")) return always;
  return [
    ...always,
    {
      suffix: "spread",
      title: "standard deviation of the members",
      is: "spread",
      of: ({ spread }) => spread,
    },
    ...distinct(percentiles, String).map(
      ([text, at]): Figure => ({
        suffix: `p${text}`,
        title: `percentile ${text} of the members`,
        is: "percentile",
        of: (one) => one.percentiles?.[at],
      }),
    ),
    ...distinct(own, textOfThresholds(own)).map(
      ([text, at]): Figure => ({
        suffix: `over_${text}`,
        title: `share of the members over ${text}`,
        unit: "%",
        decimals: 1,
        is: "share",
        of: (one) => one.over?.[at]?.percent,
      }),
    ),
  ];
}

/** How thresholds are named: by three decimals, or by all if these do not tell them apart. */
function textOfThresholds(thresholds: readonly Threshold[]): (threshold: Threshold) => string {
  // A product would be infinite for the largest numbers.
  const short = ({ over }: Threshold) => String(Number(over.toFixed(3)));
  const long = ({ over }: Threshold) => String(over);
  return distinct(thresholds, short).length === distinct(thresholds, long).length ? short : long;
}

/** The distinct texts of some values, each with the position of the first value that has it. */
function distinct<Value>(values: readonly Value[], textOf: (value: Value) => string): [string, number][] {
  const texts = values.map(textOf);
  return [...new Set(texts)].map((text) => [text, texts.indexOf(text)]);
}
