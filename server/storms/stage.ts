import type { StormType } from "#lib/contract/storm-form.ts";
import type { Bulletin } from "./bulletin.ts";

/** Stages of both feeds (ATCF column 11; JMA's categories) as types of the API. */
const stages: Record<string, StormType> = {
  DB: "DB",
  WV: "DB",
  MD: "DB",
  TD: "TD",
  SD: "TD",
  TS: "TS",
  SS: "TS",
  STS: "TS",
  HU: "HU",
  TY: "HU",
  ST: "HU",
  EX: "PT",
  PT: "PT",
  ET: "PT",
  LO: "LO",
  DS: "LO",
};

/** Stages that only say that it is a cyclone: its type follows from the wind. */
const unspecific = new Set(["TC", "IN", "XX", ""]);

/** Lowest 1-minute winds of categories 1 to 5, kt (Saffir-Simpson). */
const categoryThresholds = [64, 83, 96, 113, 137];

const STORM_KT = 34;

interface StageAndWind {
  vmaxKt: number | null;
  stage: string | null;
}

/** Type of a storm at a fix; null if unknown, and at every fix of a JMA invest. */
export function stormType(
  { provider, isInvest }: Pick<Bulletin, "provider" | "isInvest">,
  fix: StageAndWind,
) {
  if (provider === "jma") {
    if (isInvest || fix.stage === null) return null;
    // JMA writes LOW for an extratropical low.
    return fix.stage === "LOW" ? "PT" : (stages[fix.stage] ?? null);
  }
  const stage = fix.stage ?? "";
  return unspecific.has(stage) ? typeOfWind(fix.vmaxKt) : (stages[stage] ?? null);
}

function typeOfWind(vmaxKt: number | null): StormType | null {
  if (vmaxKt === null) return null;
  if (vmaxKt >= categoryThresholds[0]!) return "HU";
  return vmaxKt >= STORM_KT ? "TS" : "TD";
}

/**
 * 1 to 5 for storms of hurricane force, else 0; null without a wind. JMA's 10-minute winds are compared with the same
 * thresholds, unconverted.
 */
export function stormCategory(type: StormType | null, vmaxKt: number | null): number | null {
  if (vmaxKt === null) return null;
  if (type !== null && type !== "HU") return 0;
  const category = categoryThresholds.filter((threshold) => vmaxKt >= threshold).length;
  return type === "HU" ? Math.max(1, category) : category;
}
