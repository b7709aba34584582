import type { TrackPoint, WindRadii } from "#lib/contract/storm-form.ts";
import { roundedBearing } from "#lib/field/round.ts";
import { boxToWire, tenths, toWire } from "#lib/storms/wire.ts";
import { affectance, givenRadii } from "./affectance.ts";
import type { Bulletin, Fix, Provider, QuadrantRadii, RadiiThreshold } from "./bulletin.ts";
import type { Motion } from "./motion.ts";
import { stormCategory, stormType } from "./stage.ts";

/** A fix in the form of the API. */
export function trackPoint(bulletin: Bulletin, fix: Fix, motion: Motion | null): TrackPoint {
  const { provider } = bulletin;
  const type = stormType(bulletin, fix);
  const { box, estimated } = affectance(fix, provider);
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
