import { useApiKey } from "#components/api-client/api-key.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { PointSample } from "./point-queries.ts";

/** The sample that the panel shows; undefined where none was chosen, or until it may be requested. */
export function usePointSample(enabled: boolean): PointSample | undefined {
  const key = useApiKey();
  const { p: place } = useView().view;
  const { time } = useClock();
  return enabled && key && place && time !== undefined ? { key, place, time } : undefined;
}
