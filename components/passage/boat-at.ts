import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { between, type Place } from "#lib/geo/sphere.ts";
import { parseInstant } from "#lib/time.ts";

/**
 * Where the vessel is at a time: at its first place before the departure, at its last one after the end.
 *
 * @param time Unix seconds.
 * @returns `course` over ground, degrees, TO; undefined while it lies still. undefined for a plan without pieces.
 */
export function boatAt(
  { pieces, end }: Pick<PassagePlan, "pieces" | "end">,
  time: number,
): (Place & { course: number | undefined }) | undefined {
  const first = pieces?.[0];
  if (!pieces || !first) return undefined;
  const { latitude, longitude } = first.start;
  if (time < parseInstant(first.start.timestamp)) return { latitude, longitude, course: undefined };
  for (const [index, { start, course_deg, mode }] of pieces.entries()) {
    const next = pieces[index + 1]?.start ?? end;
    const [from, to] = [parseInstant(start.timestamp), parseInstant(next.timestamp)];
    if (time >= to) continue;
    const share = to > from ? (time - from) / (to - from) : 0;
    return { ...between(start, next, share), course: mode === "held" ? undefined : course_deg };
  }
  return { latitude: end.latitude, longitude: end.longitude, course: undefined };
}
