import "#components/api-client/without-eval.ts";
import type { Place } from "@open-metocean/geo/sphere";
import type { WorkabilityBody, WorkabilityResult } from "#components/api-client/workability-service.ts";
import { boxOfEdges, type Edges } from "#components/fields/box-edges.ts";
import { deviceStorage, keepJson, readKept } from "#components/view-state/device-setting.ts";
import { readingOf } from "#components/view-state/overlays.ts";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { workabilityLimits, workQuantities } from "#lib/contract/workability.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { Language } from "#lib/messages/language.ts";
import { typedDecimal } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant, startOfDay } from "#lib/time.ts";
import { type Unit, type Units, unitFor } from "#lib/units.ts";
import { placeCount } from "#lib/workability/places.ts";

export type Quantity = (typeof workQuantities)[number];

export const periods = ["forecast", "year", "all", "own"] as const;

export interface DraftLimit {
  quantity: Quantity;
  /** Whether the value is the greatest or the least accepted one. */
  is: "max" | "min";
  /** Value as typed, in the unit of the page. */
  value: string;
}

/** The user's choices, stored on the device. */
export interface Draft {
  limits: DraftLimit[];
  hours: string;
  period: (typeof periods)[number];
  /** A custom period, Unix seconds. */
  from?: number;
  to?: number;
}

const KEY = "metocean-workability";

/**
 * The limits last used on the device, or typical ones for a crew boat or a tow. The initial period is the
 * forecast, which is answered immediately; reading a year takes minutes.
 */
export function keptDraft(language: Language): Draft {
  const kept = readKept<Draft>(deviceStorage.getItem(KEY), "draft");
  const isKnown = kept?.limits?.every(({ quantity }) => workQuantities.includes(quantity));
  if (kept && isKnown && periods.includes(kept.period)) return { ...kept, period: "forecast" };
  return {
    limits: [
      { quantity: "Winds_10m_Intensity", is: "max", value: "20" },
      { quantity: "Waves_Significant_Height", is: "max", value: typedDecimal(1.5, language) },
    ],
    hours: "12",
    period: "forecast",
  };
}

export const keepDraft = (draft: Draft) => void keepJson(KEY, "draft", draft);

const variableOf = new Map(
  variableNames.flatMap((name) => variable(name).outputs.map((output) => [output.point, { name, output }])),
);

/**
 * The unit in which a quantity is entered and shown. A Beaufort force is a range of speeds, so knots are used
 * instead.
 */
export function unitOf(quantity: Quantity, units: Units, words: Words): Unit {
  const { name, output } = variableOf.get(quantity)!;
  const chosen = units.speed === "Bft" ? { ...units, speed: "kn" as const } : units;
  return unitFor(output.unit, chosen, readingOf(name), words);
}

/** Start and end of a draft's time, Unix seconds. @param now Weather clock. */
export function timesOf({ period, from, to }: Draft, now: number): { from: number; to: number } {
  const { first, last } = acceptedTimes(now);
  const hour = Math.floor(now / HOUR_S) * HOUR_S;
  const today = startOfDay(now);
  if (period === "forecast") return { from: hour, to: Math.floor(last / HOUR_S) * HOUR_S };
  const year = { from: today - 365 * DAY_S, to: today };
  if (period === "year") return year;
  if (period === "all") return { from: startOfDay(first) + DAY_S, to: today };
  return { from: from ?? year.from, to: to ?? year.to };
}

/** Longest time that is sampled hourly, hours, and most steps that are answered directly. */
const [HOURLY, AT_ONCE] = [1000, 1000];

/**
 * Spacing of the places in a box, degrees, which is not less than that of the models, and the most places
 * that are sampled.
 */
const SPACINGS_DEG = [0.25, 0.5, 1, 2, 5, 10];
const MAX_PLACES = 36;

/** The area: a place, or a box as typed. */
export type DraftArea = { point: Place } | { edges: Edges };

export interface Asked {
  body: WorkabilityBody;
  asTask: boolean;
}

/** The request of a draft, or the reason why there is none. */
export function bodyOf(
  draft: Draft,
  at: DraftArea,
  now: number,
  units: Units,
  words: Words,
): Asked | "incomplete" | "tooLarge" {
  const { from, to } = timesOf(draft, now);
  const window_hours = readTypedDecimal(draft.hours);
  if (!(window_hours > 0 && window_hours <= workabilityLimits.window_hours)) return "incomplete";
  const limits: WorkabilityBody["limits"] = [];
  for (const { quantity, is, value } of draft.limits) {
    const unit = unitOf(quantity, units, words);
    const typed = readTypedDecimal(value);
    if (Number.isNaN(typed)) return "incomplete";
    const same = limits.find((limit) => limit.quantity === quantity);
    const limit = Number(unit.from(typed).toFixed(3));
    if (same) same[is] = limit;
    else limits.push({ quantity, [is]: limit, ...levelsIn(unit) });
  }
  const step_hours = to - from <= HOURLY * HOUR_S ? 1 : 3;
  const steps = Math.floor((to - from) / (step_hours * HOUR_S));
  const isOdd = limits.some(({ max, min }) => max !== undefined && min !== undefined && min > max);
  if (limits.length === 0 || isOdd || steps < 1) return "incomplete";
  const area = areaOf(at, steps);
  if (typeof area === "string") return area;
  return {
    body: { area, from: formatInstant(from), to: formatInstant(to), step_hours, limits, window_hours },
    asTask: steps > AT_ONCE || steps * placeCount(area) > workabilityLimits.samples.sync,
  };
}

/** The request with the members of an ensemble, where it is about one place and reaches beyond now. @param now Unix seconds. */
export function withMembers(
  found: ReturnType<typeof bodyOf>,
  ensemble: string | undefined,
  now: number,
): ReturnType<typeof bodyOf> {
  if (typeof found === "string" || ensemble === undefined) return found;
  const { body } = found;
  if (body.area.type !== "point" || parseInstant(body.to) <= now) return found;
  return { ...found, body: { ...body, ensemble } };
}

/** @param steps Number of time steps; with many of them fewer places are sampled. */
function areaOf(at: DraftArea, steps: number): WorkabilityBody["area"] | "incomplete" | "tooLarge" {
  if ("point" in at) return { type: "point", latitude: at.point.latitude, longitude: at.point.longitude };
  const box = boxOfEdges(at.edges);
  if (!box) return "incomplete";
  const { south, north, west, east } = box;
  const most = Math.min(MAX_PLACES, Math.floor(workabilityLimits.samples.async / steps));
  const areas = SPACINGS_DEG.map(
    (spacing_deg): Extract<WorkabilityBody["area"], { type: "box" }> => ({
      type: "box",
      latitude: [south, north],
      longitude: [west, east],
      spacing_deg,
    }),
  );
  return areas.find((area) => placeCount(area) <= most) ?? "tooLarge";
}

/** Levels that are round in the page's unit; those of the service are round in its own. */
function levelsIn(unit: Unit): { levels?: number[] } {
  if (unit.name !== "kn") return {};
  const step = unit.decimals === 0 ? 5 : 0.5;
  return { levels: Array.from({ length: 12 }, (_, at) => Number(unit.from((at + 1) * step).toFixed(3))) };
}

type Row = WorkabilityResult["results"][number];

const MONTH_HOURS = 730.5;

/** Windows per month of average length, because a month may be incomplete or occur in several years. */
export const windowsAMonth = ({ windows, hours }: Pick<Row, "windows" | "hours">) =>
  Math.round((windows * MONTH_HOURS) / hours);

/** Whether a time is too short for monthly statistics. */
export const isShort = ({ hours }: Pick<Row, "hours">) => hours <= 45 * 24;

/** Whether months of several years are compared; in a single year one month occurs in two parts. */
export const hasYears = ([all]: readonly Row[]) => all!.hours > 400 * 24;
