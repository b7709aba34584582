import { queryOptions } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import type { ListedModel } from "#components/api-client/listed-models.ts";
import type { Place } from "#components/view-state/view-url.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import { parseInstant } from "#lib/time.ts";
import { pointsBody } from "./conditions-at.ts";
import { type PointReply, postPoints, renewal, type SeriesRow, seriesTimes } from "./point-queries.ts";

/** The values of a model at a place. */
export interface ModelSeries extends ListedModel {
  rows: readonly SeriesRow[];
  /** Its part of the reply, as if it had been requested alone. */
  reply: PointReply;
}

/** The quantities that models are compared by. */
export const comparedVariables = [
  "wind",
  "gust",
  "wave",
  "pressure",
  "rain",
] as const satisfies readonly VariableName[];

/**
 * Asks all models about a place at the hours of the coming series, in one request.
 *
 * @param now Weather clock, Unix seconds.
 */
export function modelsQuery(apiKey: string, place: Place, models: readonly ListedModel[], now: number) {
  const { latitude, longitude } = place;
  const body = {
    ...pointsBody({ latitude, longitude }, seriesTimes(now, now), comparedVariables),
    models: models.map(({ name }) => name),
  };
  return queryOptions({
    queryKey: ["point-models", apiKey, body] as const,
    queryFn: async ({ signal }) => modelSeries(await postPoints(apiKey, body, signal), models),
    staleTime: 10 * 60_000,
    refetchInterval: ({ state }) => renewal(state.data?.[0]?.reply),
    ...retryPolicy,
  });
}

/** The answer of each model, from the reply to a request that names them in this order. */
export function modelSeries(reply: PointReply, models: readonly ListedModel[]): ModelSeries[] {
  const length = reply.results.length / models.length;
  return models.map((model, index) => {
    const [from, to] = [index * length, (index + 1) * length];
    const results = reply.results.slice(from, to);
    const meta = reply.meta && {
      provenance: reply.meta.provenance.filter(({ answer }) => answer === model.name),
      nulls: reply.meta.nulls.flatMap((entry) => {
        const points = entry.points.filter((at) => at >= from && at < to).map((at) => at - from);
        return points.length > 0 ? [{ ...entry, points }] : [];
      }),
    };
    return {
      ...model,
      reply: { ...reply, results, ...(meta && { meta }) },
      rows: results.map(({ coordinates, conditions }) => ({
        time: parseInstant(coordinates.timestamp),
        conditions,
      })),
    };
  });
}
