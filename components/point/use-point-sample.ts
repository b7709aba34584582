import { useApiKey } from "#components/api-client/api-key.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { PointSample } from "./point-queries.ts";

/** The sample that the panel shows; undefined where none was chosen, or until it may be requested. */
export function usePointSample(enabled: boolean): PointSample | undefined {
  const apiKey = useApiKey();
  const { p: place } = useView().view;
  const { time } = useClock();
  return enabled && apiKey && place && time !== undefined ? { apiKey, place, time } : undefined;
}
