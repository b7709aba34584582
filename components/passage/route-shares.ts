import type { RouteShare } from "#components/view-state/plan.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";

/** Limits of the colour steps for the worst share of a limit: below 50, 80, 100 and 125 %, and above. */
const shareSteps = [0.5, 0.8, 1, 1.25] as const;

/** The least step of a part near the coast, that of a caution. */
const CAUTION_STEP = 2;

/** The step of a share, 0 for the lowest; the last one is for unknown shares. */
export function shareStep(ratio: number | null): number {
  if (ratio === null) return shareSteps.length + 1;
  const step = shareSteps.findIndex((most) => ratio <= most);
  return step < 0 ? shareSteps.length : step;
}

/** The way of a plan in consecutive parts of one step each; empty for a plan without pieces. */
export function sharesOf({ pieces = [], end }: Pick<PassagePlan, "pieces" | "end">): RouteShare[] {
  const parts: { places: { latitude: number; longitude: number }[]; step: number }[] = [];
  for (const [index, { start, nearest_limit: nearest, flags }] of pieces.entries()) {
    const share = shareStep(nearest?.ratio ?? null);
    const isCaution = flags.includes("near_coast") && (share < CAUTION_STEP || share > shareSteps.length);
    const step = isCaution ? CAUTION_STEP : share;
    const next = pieces[index + 1]?.start ?? end;
    const last = parts.at(-1);
    if (last?.step === step) last.places.push(next);
    else parts.push({ places: [start, next], step });
  }
  return parts;
}
