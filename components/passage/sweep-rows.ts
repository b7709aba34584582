import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { Order } from "#lib/passage/verdict.ts";
import { parseInstant } from "#lib/time.ts";

/** Orders of departures: those of the service, and by time. */
export const sweepOrders = ["balanced", "fastest", "smoothest", "departure"] as const satisfies (
  | Order
  | "departure"
)[];

export type SweepOrder = (typeof sweepOrders)[number];

/** A departure among others. */
export interface Departure {
  plan: PassagePlan;
  /** It arrives, and the wind is known all the way. */
  isWhole: boolean;
}

/** Departures in an order, those that the forecast does not reach last but by time. */
export function departuresIn(
  plans: readonly PassagePlan[],
  { order, departures }: Pick<PassageMeta, "order" | "departures">,
  by: SweepOrder,
): Departure[] {
  const positions = by === "departure" ? plans.map((_, index) => index) : order[by];
  return positions.flatMap((index) => {
    const plan = plans[index];
    return plan ? [{ plan, isWhole: departures[index]?.is_whole ?? false }] : [];
  });
}

/** Worst share of a limit, as steps of colour: below 50, 80, 100 and 125 %, and above. */
export const shareSteps = [0.5, 0.8, 1, 1.25] as const;

/** Which step a share is in, 0 for the lowest; the last one is for what is not known. */
export function shareStep(ratio: number | null): number {
  if (ratio === null) return shareSteps.length + 1;
  const step = shareSteps.findIndex((most) => ratio <= most);
  return step < 0 ? shareSteps.length : step;
}

/** A departure drawn in time. Positions are shares of the whole time, 0..1. */
export interface SweepBar {
  plan: PassagePlan;
  from: number;
  to: number;
  /** Where the verdict was decided; undefined where that is no place of the way. */
  decided: number | undefined;
  /** Where the forecast ends, if it does so on the way. */
  known: number;
  step: number;
}

/** The departures in the order of time, from the first departure to the last arrival. */
export function barsOf(plans: readonly PassagePlan[]): { bars: SweepBar[]; from: number; to: number } {
  const starts = plans.map(({ departure }) => parseInstant(departure));
  const ends = plans.map(({ end }) => parseInstant(end.timestamp));
  const [from, to] = [Math.min(...starts), Math.max(...ends)];
  const share = (time: number) => (time - from) / Math.max(1, to - from);
  const bars = plans.map((plan, index): SweepBar => {
    const { deciding, no_forecast_from: unknown } = plan;
    const [start, end] = [share(starts[index]!), share(ends[index]!)];
    const decided = deciding && share(parseInstant(deciding.at.timestamp));
    return {
      plan,
      from: start,
      to: end,
      decided: decided !== null && decided >= start && decided <= end ? decided : undefined,
      known: unknown === null ? end : Math.max(start, share(parseInstant(unknown))),
      step: shareStep(deciding?.ratio ?? null),
    };
  });
  return { bars, from, to };
}
