import type { Likelihood } from "#lib/contract/likelihoods.ts";
import type { StormArea, StormDevelopment, StormOutlook } from "#lib/contract/storm-outlook.ts";
import type { Words } from "#lib/messages/words.ts";
import { averagingMinutes } from "#lib/storms/provenance.ts";
import { formatMotion } from "./format-storm.ts";

/** An area with what its outlook says of all areas. */
export type AreaOfInterest = StormArea & Pick<StormOutlook, "agency" | "issued_at" | "valid_until">;

type Chance = Omit<StormDevelopment, "issued_at">;

export const agencyNames = { jtwc: "JTWC", nhc: "NHC", cphc: "CPHC" } as const;

/** `Central Tropical Atlantic (Invest 95L)`, `Invest 92W`, `Disturbance without a number`. */
export function areaName(
  { name, designation }: Pick<StormArea, "name" | "designation">,
  { storms }: Words,
): string {
  const invest = designation === null ? null : `Invest ${designation}`;
  if (name === null) return invest ?? storms.areas.nameless;
  return invest === null ? name : storms.areas.name({ name, invest });
}

/** `High likelihood: 50 % in 48 h, 80 % in 7 days`, `Medium likelihood within 24 h`. */
export function formatChance(chance: Chance, words: Words): string {
  const { likelihood, percent_48h: in48Hours, percent_7d: in7Days } = chance;
  const { areas } = words.storms;
  const stated = [
    ...(in48Hours === null ? [] : [areas.in48Hours({ percent: in48Hours })]),
    ...(in7Days === null ? [] : [areas.in7Days({ percent: in7Days })]),
  ];
  return stated.length > 0
    ? areas.chance({ likelihood, stated: stated.join(words.ui.joins.clauses) })
    : areas.chanceWithin({ likelihood, within: span(chance, words) });
}

/** The same in one line of a map: `High: 80 % in 7 days`, `Medium within 24 h`. */
export function formatChanceLabel(chance: Chance, words: Words): string {
  const { likelihood, percent_7d: in7Days } = chance;
  return words.storms.areas.chanceLabel({ likelihood, in7Days, within: span(chance, words) });
}

function span({ within_hours }: Chance, { dates, storms }: Words): string {
  return within_hours > 48
    ? storms.days({ count: Math.round(within_hours / 24) })
    : dates.hours({ count: within_hours });
}

/** `20 to 25 kn (1-minute mean)`. */
export function formatWindRange(winds: StormArea["winds_kt"], { storms }: Words): string {
  if (!winds) return storms.notStated;
  const { min, max } = winds;
  const minutes = averagingMinutes.jtwc;
  return min === max ? storms.wind({ knots: max, minutes }) : storms.windRange({ min, max, minutes });
}

/** `towards 292° at 8 kn`. */
export function formatAlertMotion(heading: number | null, speedKmh: number | null, words: Words): string {
  if (speedKmh === 0) return words.storms.motion.stationary;
  if (heading === null || speedKmh === null) return words.storms.notStated;
  return formatMotion({ heading_deg: heading, speed_kmh: speedKmh }, words);
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
