import type { StormType } from "#lib/contract/storm-form.ts";
import type { Bulletin } from "./bulletin.ts";

/** Stages of both feeds in the words of the API (ATCF column 11; JMA's categories). */
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

/** Words that only say that it is a cyclone: the wind says which. */
const unspecific = new Set(["TC", "IN", "XX", ""]);

/** Lowest 1-minute winds of categories 1 to 5, kt (Saffir-Simpson). */
const categoryEdges = [64, 83, 96, 113, 137];

const STORM_KT = 34;

interface Stated {
  vmaxKt: number | null;
  stage: string | null;
}

/** What kind of storm a fix is of; null where nothing says it, and on every fix of a JMA invest. */
export function stormType({ provider, isInvest }: Pick<Bulletin, "provider" | "isInvest">, fix: Stated) {
  if (provider === "jma") {
    if (isInvest || fix.stage === null) return null;
    // JMA writes LOW for a low of the middle latitudes.
    return fix.stage === "LOW" ? "PT" : (stages[fix.stage] ?? null);
  }
  const stage = fix.stage ?? "";
  return unspecific.has(stage) ? typeOfWind(fix.vmaxKt) : (stages[stage] ?? null);
}

function typeOfWind(vmaxKt: number | null): StormType | null {
  if (vmaxKt === null) return null;
  if (vmaxKt >= categoryEdges[0]!) return "HU";
  return vmaxKt >= STORM_KT ? "TS" : "TD";
}

/**
 * 1 to 5 for storms of hurricane force, else 0; null without a wind. JMA's 10-minute winds are put on the same edges
 * unconverted.
 */
export function stormCategory(type: StormType | null, vmaxKt: number | null): number | null {
  if (vmaxKt === null) return null;
  if (type !== null && type !== "HU") return 0;
  const category = categoryEdges.filter((edge) => vmaxKt >= edge).length;
  return type === "HU" ? Math.max(1, category) : category;
}
