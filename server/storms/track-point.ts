import type { StormType, TrackPoint, WindRadii } from "#lib/contract/storm-form.ts";
import { roundedBearing } from "#lib/field/round.ts";
import { boxToWire, tenths, toWire } from "#lib/storms/wire.ts";
import { affectance, givenRadii } from "./affectance.ts";
import type { Bulletin, Fix, Provider, QuadrantRadii, RadiiThreshold } from "./bulletin.ts";
import type { Motion } from "./motion.ts";

/** A fix in the form of the API. */
export function trackPoint(bulletin: Bulletin, fix: Fix, motion: Motion | null): TrackPoint {
  const { provider } = bulletin;
  const type = stormType(bulletin, fix);
  const { box, estimated } = affectance(fix, provider);
  const seas = givenRadii(fix.seas12ftKm);
  return {
    time: fix.time,
    ...toWire(fix),
    vmax_kt: fix.vmaxKt,
    mslp_hpa: fix.mslpHpa,
    type,
    category: stormCategory(type, fix.vmaxKt),
    heading_deg: motion && roundedBearing(motion.heading),
    speed_kmh: motion && tenths(motion.speed),
    wind_radii_km: windRadii(fix.radiiKm, provider),
    ...(seas ? { sea_radii_km: { "12ft": inTenths(seas) } } : {}),
    affectance_bbox: boxToWire(box),
    affectance_bbox_estimated: estimated,
  };
}

/** Null if the bulletin gives none; else all thresholds of the provider, with null for those not given. */
function windRadii(given: Fix["radiiKm"], provider: Provider): WindRadii | null {
  const at = (threshold: RadiiThreshold) => {
    const radii = givenRadii(given[threshold]);
    return radii ? (provider === "jma" ? asCircle(radii) : inTenths(radii)) : null;
  };
  if (provider === "jma") {
    const [gale, storm] = [at(30), at(50)];
    return gale || storm ? { "30kn": gale, "50kn": storm, "64kn": null } : null;
  }
  const [gale, storm, hurricane] = [at(34), at(50), at(64)];
  return gale || storm || hurricane ? { "34kn": gale, "50kn": storm, "64kn": hurricane } : null;
}

function inTenths({ ne, se, sw, nw }: QuadrantRadii): QuadrantRadii {
  return { ne: ne && tenths(ne), se: se && tenths(se), sw: sw && tenths(sw), nw: nw && tenths(nw) };
}

/** JMA's areas are circles: the longest radius in all quadrants, so that nothing is left out. */
function asCircle({ ne, se, sw, nw }: QuadrantRadii): QuadrantRadii {
  const radius = tenths(Math.max(ne ?? 0, se ?? 0, sw ?? 0, nw ?? 0));
  return { ne: radius, se: radius, sw: radius, nw: radius };
}

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

/**
 * Whether a text calls a storm a tropical or subtropical cyclone at a fix. A wind alone does not say so: an extratropical
 * low has it too.
 */
export function isTropicalCyclone({ stage }: Pick<Fix, "stage">): boolean {
  if (stage === null) return false;
  const type = stages[stage];
  return stage === "TC" || type === "TD" || type === "TS" || type === "HU";
}

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
