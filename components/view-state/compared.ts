import { type DrawnVariable, drawnVariables } from "#lib/catalog/colours.ts";
import { MODEL_NAME } from "#lib/catalog/source-order.ts";

/**
 * The two pictures of a comparison: A, which is that of the view, on the left of the divider, and B on its
 * right.
 */
export type Side = "a" | "b";

/** The picture of side B, and the position of the divider. */
export interface Compared {
  layer: DrawnVariable;
  /** Hours after the time of A; negative for before. */
  hours: number;
  /** Position of the divider from the left edge of the map. */
  percent: number;
  /** The side on which the point was sampled; its conditions are those at this side's time. */
  sampled: Side;
  /** Model of B; undefined means that of A. */
  model?: string | undefined;
  /** How many runs before the newest one of its model B is; undefined for the newest. The point is then that of A. */
  earlier?: number | undefined;
  /** B minus A is shown in place of both pictures; B then has the layer of A. */
  difference?: true;
}

/** Parses the name of a model; null for other texts. */
export function parseModel(text: string): string | null {
  return MODEL_NAME.test(text) ? text : null;
}

/** Hours that are offered; a link may name others. */
export const comparedHours = [-48, -24, -12, -6, 0, 6, 12, 24, 48] as const;

const MAX_HOURS = 480;
const MIDDLE = 50;

/**
 * Parses `wave.0`, `wind.-24.30`, `wind.6.b`, `wind.0~gfs`, `wind.0.d~gfs`: layer, hours after A, the position of the
 * divider if it is not in the middle, the side of the sampled point if it is B, `d` if the difference is shown, `r1` if B
 * is the run before the newest, and the model of B if it is not that of A; null for other texts.
 */
export function parseCompared(text: string): Compared | null {
  const [, name, hours, percent, b, difference, earlier, model] =
    /^([a-z_]+)\.(-?\d{1,3})(?:\.(\d{1,3}))?(\.b)?(\.d)?(?:\.r([1-9]))?(?:~(.*))?$/.exec(text) ?? [];
  const layer = drawnVariables.find((one) => one === name);
  const compared = { hours: Number(hours), percent: Number(percent ?? MIDDLE) };
  if (!layer || Math.abs(compared.hours) > MAX_HOURS || compared.percent > 100) return null;
  if (model !== undefined && parseModel(model) === null) return null;
  return {
    layer,
    ...compared,
    sampled: b && !earlier ? "b" : "a",
    ...(earlier && { earlier: Number(earlier) }),
    ...(model !== undefined && { model }),
    ...(difference && { difference: true as const }),
  };
}

/** Inverse of `parseCompared`. */
export function writeCompared(compared: Compared): string {
  const { layer, hours, percent, sampled, model, earlier, difference } = compared;
  const place = percent === MIDDLE ? "" : `.${percent}`;
  const parts = [layer, `.${hours}`, place, sampled === "b" ? ".b" : "", difference ? ".d" : ""];
  if (earlier !== undefined) parts.push(`.r${earlier}`);
  return `${parts.join("")}${model === undefined ? "" : `~${model}`}`;
}

/** The wider side; of equal ones that of the sampled point. */
export function widerSide({ percent, sampled }: Pick<Compared, "percent" | "sampled">): Side {
  if (percent === MIDDLE) return sampled;
  return percent > MIDDLE ? "a" : "b";
}

/** How far the middle of a side is to the right of the map's, in map widths. */
export function asideOf({ percent }: Pick<Compared, "percent">, side: Side): number {
  return (percent / 100 - (side === "a" ? 1 : 0)) / 2;
}

/** Initial comparison: the same layer a day later or, beside a static layer, the first layer. */
export function firstCompared(layer: DrawnVariable, isFixed: boolean): Compared {
  const start = { percent: MIDDLE, sampled: "a" } as const;
  return isFixed ? { layer: drawnVariables[0], hours: 0, ...start } : { layer, hours: 24, ...start };
}
