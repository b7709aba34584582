import { fromKnots } from "@open-metocean/geo/knots";
import { type FieldName, fields } from "./fields.ts";
import { type Field, field } from "./variable-row.ts";
import { type Output, type VariableName, variable } from "./variables.ts";

/**
 * A quantity whose distribution over the members of an ensemble is stored as fields. Directions have none: percentiles
 * of an angle mean nothing.
 */
export interface EnsembleQuantity {
  /** The beginning of the names of its statistics, a CF standard name. */
  name: string;
  variable: VariableName;
  /** The public output, a speed or a value, whose statistics these are; it is derived from stored fields. */
  output: Output;
  /** Limits that sailors ask for, for which shares of members are stored; lowest first. */
  thresholds: readonly EnsembleThreshold[];
}

/** A limit of a quantity. */
export interface EnsembleThreshold {
  /** The limit as names contain it: "34kn", "2.5m". */
  text: string;
  /** In the unit of the output. */
  value: number;
}

const ofKnots = (knots: number): EnsembleThreshold => ({ text: `${knots}kn`, value: fromKnots(knots) });
const ofMetres = (metres: number): EnsembleThreshold => ({ text: `${metres}m`, value: metres });

/** Lower limits of Beaufort forces 6, 8 and 10, at which warnings are issued. */
const winds = [22, 34, 48].map(ofKnots);
const seas = [2.5, 4, 6].map(ofMetres);

function quantity(name: VariableName, thresholds: readonly EnsembleThreshold[]): EnsembleQuantity {
  const output = variable(name).outputs.find(({ is }: Output) => is === "speed" || is === "value")! as Output;
  const standardName = output.is === "speed" ? output.standardName : fields[output.of[0]].standardName;
  return { name: standardName, variable: name, output, thresholds };
}

/** The quantities of ensembles, in the order in which screens list them. */
export const ensembleQuantities: readonly EnsembleQuantity[] = [
  quantity("wind", winds),
  quantity("gust", winds),
  quantity("wave", seas),
  quantity("pressure", []),
];

/** Percentiles that are stored, per cent. */
export const storedPercentiles = [10, 25, 50, 75, 90] as const;

/** Hours of the spans for which the share of members over a limit at any step is stored. */
export const storedWindows = [24, 48, 72] as const;

/**
 * Statistics of a quantity at a step:
 *
 * - `mean` and `spread` (standard deviation, n − 1) of the members, in the unit of the output;
 * - `percentile` of the members, linear between them (type 7 of Hyndman and Fan), in the unit of the output;
 * - `share`: percentage of the members with a value that are over the limit at the step, or if `hours` is given, at any
 *   step from this one until that many hours later. It is missing where the run ends earlier;
 * - `members`: how many members have a value.
 */
export type StatisticKind =
  | { is: "mean" | "spread" | "members" }
  | { is: "percentile"; percentile: (typeof storedPercentiles)[number] }
  | { is: "share"; threshold: EnsembleThreshold; hours?: (typeof storedWindows)[number] };

/** The statistics of the members of an ensemble, in answers as in the archive. */
export type MemberStatistic = StatisticKind["is"] | "control";

/** CF cell methods of the statistics for which CF has one. */
export const cellMethods: { readonly [Is in MemberStatistic]?: string } = {
  mean: "realization: mean",
  spread: "realization: standard_deviation",
};

/** Hours of the span of a share; undefined for a statistic of a single step. */
export function spanHours(statistic: StatisticKind): number | undefined {
  return statistic.is === "share" ? statistic.hours : undefined;
}

/** Name of a stored statistic: the name of its quantity, then its kind. */
export type StatisticName =
  `${string}_${"mean" | "spread" | "members" | `p${(typeof storedPercentiles)[number]}` | `over_${string}`}`;

/** A statistic of a quantity as it is stored: a field (time, latitude, longitude) of a run of an ensemble. */
export type Statistic = StatisticKind & { name: StatisticName; quantity: EnsembleQuantity; field: Field };

/** Shares are stored in steps of 0.1 per cent, so that the count of up to 500 members follows from a share. */
const SHARE_STEP = 0.1;

/** CF has no standard name for a share of members or their number. */
const NO_NAME = "";

function fieldOf(kind: StatisticKind, { name, output }: EnsembleQuantity): Field {
  if (kind.is === "share")
    return field(NO_NAME, describe(kind, name), "%", { scale: SHARE_STEP, min: 0, max: 100 });
  if (kind.is === "members")
    return field(NO_NAME, describe(kind, name), "1", { scale: 1, min: 0, max: 1000 });
  const { unit, scale, offset, min, max } = fields[output.of[0] as FieldName];
  const low = output.is === "speed" || kind.is === "spread" ? 0 : min;
  const methods = cellMethods[kind.is];
  return field(name, describe(kind, name), unit, {
    scale,
    offset: kind.is === "spread" ? 0 : offset,
    min: low,
    max,
    ...(methods !== undefined && { cellMethods: methods }),
  });
}

function describe(kind: StatisticKind, name: string): string {
  const quantity = name.replaceAll("_", " ");
  switch (kind.is) {
    case "mean":
      return `ensemble mean of ${quantity}`;
    case "spread":
      return `ensemble standard deviation of ${quantity}`;
    case "members":
      return `number of ensemble members with ${quantity}`;
    case "percentile":
      return `${kind.percentile}th percentile of ensemble members, ${quantity}`;
    case "share": {
      const within = kind.hours === undefined ? "" : ` at any step within ${kind.hours} h`;
      return `share of ensemble members with ${quantity} over ${kind.threshold.text}${within}`;
    }
  }
}

function nameOf({ name }: EnsembleQuantity, kind: StatisticKind): StatisticName {
  if (kind.is === "percentile") return `${name}_p${kind.percentile}`;
  if (kind.is !== "share") return `${name}_${kind.is}`;
  return `${name}_over_${kind.threshold.text}${kind.hours === undefined ? "" : `_within_${kind.hours}h`}`;
}

function kindsOf({ thresholds }: EnsembleQuantity): StatisticKind[] {
  return [
    { is: "mean" },
    { is: "spread" },
    ...storedPercentiles.map((percentile) => ({ is: "percentile", percentile }) as const),
    { is: "members" },
    ...thresholds.flatMap((threshold) => [
      { is: "share", threshold } as const,
      ...storedWindows.map((hours) => ({ is: "share", threshold, hours }) as const),
    ]),
  ];
}

/** All statistics that are stored. */
export const statistics: readonly Statistic[] = ensembleQuantities.flatMap((quantity) =>
  kindsOf(quantity).map((kind) => ({
    ...kind,
    name: nameOf(quantity, kind),
    quantity,
    field: fieldOf(kind, quantity),
  })),
);

const byName = new Map<string, Statistic>(statistics.map((statistic) => [statistic.name, statistic]));

/** The statistic with a name, such as `wind_speed_over_34kn_within_48h`; undefined if there is none. */
export function statisticOf(name: string): Statistic | undefined {
  return byName.get(name);
}
