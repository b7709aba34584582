import { useQuery } from "@tanstack/react-query";
import { listedModelsQuery } from "#components/api-client/listed-models.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { modelsQuery } from "./model-queries.ts";
import type { PointSample } from "./point-queries.ts";

/**
 * The values of each model at the sampled place.
 *
 * @param isWanted Whether the values are requested.
 * @param isListed Whether the list of models is.
 */
export function useModels(
  { apiKey, place }: Pick<PointSample, "apiKey" | "place">,
  isWanted: boolean,
  isListed = isWanted,
) {
  const { now, answered = now } = useClock("now", "answered");
  const listed = useQuery({ ...listedModelsQuery(apiKey), enabled: isListed }).data;
  const models = useQuery({
    // Without the service, the saved hours are those of its last answer.
    ...modelsQuery(apiKey, place, listed ?? [], answered),
    enabled: isWanted && now > 0 && listed !== undefined && listed.length > 1,
  });
  return {
    /** The models of the archive; empty until they are known. */
    listed: listed ?? [],
    /** undefined until they are read, and where they are not wanted. */
    models: isWanted ? models.data : undefined,
    /** The first answer for the place is on its way. */
    isReading: models.isLoading,
    error: models.data ? null : models.error,
    retry: () => void models.refetch(),
  };
}
