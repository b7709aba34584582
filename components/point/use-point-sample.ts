import { useApiKey } from "#components/api-client/api-key.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { PointSample } from "./point-queries.ts";

/** The sample that the panel shows; undefined where none was chosen, or until key and time of the map are known. */
export function usePointSample(): PointSample | undefined {
  const apiKey = useApiKey();
  const { p: place } = useView().view;
  const { time } = useClock();
  return apiKey && place && time !== undefined ? { apiKey, place, time } : undefined;
}
