import type { Likelihood } from "#lib/contract/likelihoods.ts";
import type { StormArea, StormDevelopment, StormOutlook } from "#lib/contract/storm-outlook.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { formatBearing } from "#lib/position.ts";

/** An area with what its outlook says of all areas. */
export type AreaOfInterest = StormArea & Pick<StormOutlook, "agency" | "issued_at" | "valid_until">;

type Chance = Omit<StormDevelopment, "issued_at">;

export const agencyNames = { jtwc: "JTWC", nhc: "NHC", cphc: "CPHC" } as const;

const words = { low: "Low", medium: "Medium", high: "High" } as const satisfies Record<Likelihood, string>;

/** `Central Tropical Atlantic (Invest 95L)`, `Invest 92W`, `Disturbance without a number`. */
export function areaName({ name, designation }: Pick<StormArea, "name" | "designation">): string {
  const invest = designation === null ? null : `Invest ${designation}`;
  if (name === null) return invest ?? "Disturbance without a number";
  return invest === null ? name : `${name} (${invest})`;
}

/** `High likelihood: 50 % in 48 h, 80 % in 7 days`, `Medium likelihood within 24 h`. */
export function formatChance(chance: Chance): string {
  return `${words[chance.likelihood]} likelihood${percents(chance, [": ", ` within ${span(chance)}`])}`;
}

/** The same in one line of a map: `High: 80 % in 7 days`, `Medium within 24 h`. */
export function formatChanceLabel(chance: Chance): string {
  const { likelihood, percent_7d } = chance;
  return percent_7d === null
    ? `${words[likelihood]} within ${span(chance)}`
    : `${words[likelihood]}: ${percent_7d} % in 7 days`;
}

function percents({ percent_48h, percent_7d }: Chance, [lead, otherwise]: [string, string]): string {
  const stated = [
    ...(percent_48h === null ? [] : [`${percent_48h} % in 48 h`]),
    ...(percent_7d === null ? [] : [`${percent_7d} % in 7 days`]),
  ];
  return stated.length > 0 ? `${lead}${stated.join(", ")}` : otherwise;
}

function span({ within_hours }: Chance): string {
  return within_hours > 48 ? `${Math.round(within_hours / 24)} days` : `${within_hours} h`;
}

/** `20 to 25 kn (1-minute mean)`. */
export function formatWindRange(winds: StormArea["winds_kt"]): string {
  if (!winds) return "not stated";
  const { min, max } = winds;
  return `${min === max ? "" : `${min} to `}${max} kn (1-minute mean)`;
}

/** `towards 292° at 8 kn`. */
export function formatAlertMotion(heading: number | null, speedKmh: number | null): string {
  if (speedKmh === 0) return "stationary";
  if (heading === null || speedKmh === null) return "not stated";
  return `towards ${formatBearing(heading)} at ${Math.round(speedKmh / MILE_KM)} kn`;
}

const order: Readonly<Record<Likelihood, number>> = { high: 0, medium: 1, low: 2 };

/** The areas of all outlooks, the likeliest first. */
export function areasOfInterest(outlooks: readonly StormOutlook[]): AreaOfInterest[] {
  return outlooks
    .flatMap(({ agency, issued_at, valid_until, areas }) =>
      areas.map((area) => ({ ...area, agency, issued_at, valid_until })),
    )
    .sort(
      (one, other) =>
        order[one.likelihood] - order[other.likelihood] || (other.percent_7d ?? 0) - (one.percent_7d ?? 0),
    );
}

/** Hours before its issue from which an area is drawn: it was made from what was seen then. */
const BEFORE_S = 6 * 3600;

/** Whether what an agency expects covers an instant, Unix seconds. */
export function coversTime(
  { issued_at, within_hours }: Pick<AreaOfInterest, "issued_at" | "within_hours">,
  time: number,
): boolean {
  return time >= issued_at - BEFORE_S && time <= issued_at + within_hours * 3600;
}
