import type { Place } from "#components/view-state/view-url.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { formatInstant } from "#lib/time.ts";

/** Body of a request for conditions. */
export interface PointsBody {
  points: readonly { latitude: number; longitude: number; timestamp: string }[];
  variables: readonly VariableName[];
  include_meta: boolean;
}

/** @param times Unix seconds. */
export function pointsBody(
  { latitude, longitude }: Place,
  times: readonly number[],
  variables: readonly VariableName[],
): PointsBody {
  const points = times.map((time) => ({ latitude, longitude, timestamp: formatInstant(time) }));
  return { points, variables, include_meta: true };
}
