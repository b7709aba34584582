import { type Limits, limitTitles } from "./limits.ts";
import type { LandOnLeg } from "./optimise/crosses-land.ts";
import type { Cause, Deciding } from "./verdict.ts";

const causeTexts: Readonly<Record<Exclude<Cause, "no_sea_data" | "crosses_land">, string>> = {
  too_slow: "The passage takes too many pieces at the speed that is made",
  held: "The vessel waits for a day",
  current_too_strong: "The vessel cannot make way against the current",
  no_headway: "The vessel cannot make way in this sea: the motor table has no speed there",
  becalmed: "There is not enough wind to sail, and no motor",
  no_forecast: "The forecast ends on the way",
  roll: "The sea may make the ship roll",
  storm_without_forecast: "A storm that is near has no forecast",
};

/** What decided a verdict, as a sentence in English. */
export function decidingText({ by, measured, share, land }: Deciding, limits: Limits): string {
  if (measured) {
    const value = Math.round(measured.value * 100) / 100;
    const limit = limits[measured.limit];
    return `${limitTitles[measured.limit]}: ${value}; limit ${limit}`;
  }
  if (land) return landText(land);
  if (by === "no_sea_data")
    return `Waves or currents are unknown for ${Math.ceil(100 * (share ?? 1))} % of the time`;
  return causeTexts[by as keyof typeof causeTexts];
}

/** `Leg 2 crosses land, 12.3 n mi of it`. */
export function landText({ leg, miles }: LandOnLeg): string {
  const length = Math.round(10 * miles) / 10;
  return `Leg ${leg + 1} ${length > 0 ? `crosses land, ${length} n mi of it` : "touches land"}`;
}
