import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { checkReply, readJson } from "#components/api-client/parse-reply.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { MAX_MODELS } from "#lib/catalog/source-order.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { shortModelName } from "#lib/model-name.ts";
import { parseInstant } from "#lib/time.ts";
import { pointsBody } from "./conditions-at.ts";
import { type PointReply, postPoints, renewal, type SeriesRow, seriesTimes } from "./point-queries.ts";

/** A model of the archive. */
export interface ListedModel {
  /** Name in requests and links. */
  name: string;
  /** Name for people. */
  title: string;
  /** It forecasts the wind. Others forecast only waves. */
  hasWind: boolean;
}

/** What a model says about a place. */
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

/** The models that forecast wind or waves, in order of preference; fewer than two if there is nothing to compare. */
export const listedModelsQuery = (apiKey: string) =>
  queryOptions({
    queryKey: ["models", apiKey],
    queryFn: async ({ signal }) => {
      const [wind, wave] = await Promise.all(
        ["wind", "wave"].map(async (variable) =>
          checkReply<FieldManifest>(
            await readJson(
              await apiFetch(`/2DMetOcean/manifest?variable=${variable}`, { key: apiKey, signal }),
            ),
            ({ runs }) => Array.isArray(runs),
            (schemas) => schemas.manifest,
          ),
        ),
      );
      return listedModels(wind!, wave!);
    },
    staleTime: 30 * 60_000,
    ...retryPolicy,
  });

/** The models that two manifests name, those of the wind first. */
export function listedModels(
  wind: Pick<FieldManifest, "models" | "runs">,
  wave: Pick<FieldManifest, "models">,
): ListedModel[] {
  // A manifest with one model does not name it; a source of wind has the name of its model.
  const alone = wind.runs.find(({ dataset }) => dataset === "Forecast");
  const ofWind = wind.models ?? (alone ? [{ name: alone.source, title: alone.model }] : []);
  const others = (wave.models ?? []).filter(({ name }) => !ofWind.some((one) => one.name === name));
  return [
    ...ofWind.map((one) => ({ ...one, hasWind: true })),
    ...others.map((one) => ({ ...one, hasWind: false })),
  ]
    .slice(0, MAX_MODELS)
    .map((one) => ({ ...one, title: shortModelName(one.title) }));
}

/**
 * What each model says about a place at the hours of the coming series, in one request.
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
