import { queryOptions } from "@tanstack/react-query";
import { MAX_MODELS } from "#lib/catalog/source-order.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { shortModelName } from "#lib/model-name.ts";
import { apiFetch, retryPolicy } from "./api-fetch.ts";
import { readManifest } from "./parse-reply.ts";

/** A model with its name for people. */
export interface NamedModel {
  /** Name in requests, answers and links. */
  name: string;
  title: string;
}

/** A model of the archive. */
export interface ListedModel extends NamedModel {
  /** It forecasts the wind. Others forecast only waves. */
  hasWind: boolean;
}

/** The models that forecast wind or waves, in order of preference; fewer than two if there is nothing to compare. */
export const listedModelsQuery = (apiKey: string) =>
  queryOptions({
    queryKey: ["models", apiKey],
    queryFn: async ({ signal }) => {
      const [wind, wave] = await Promise.all(
        ["wind", "wave"].map(async (variable) =>
          readManifest(await apiFetch(`/2DMetOcean/manifest?variable=${variable}`, { key: apiKey, signal })),
        ),
      );
      return listedModels(wind!, wave!);
    },
    staleTime: 30 * 60_000,
    ...retryPolicy,
  });

/** The same for questions that need the wind, such as those about passages. */
export const windModelsQuery = (apiKey: string) => ({
  ...listedModelsQuery(apiKey),
  select: (models: readonly ListedModel[]) => models.filter(({ hasWind }) => hasWind),
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

/** The name for people of a model that an answer names. */
export const modelTitle = (models: readonly NamedModel[], model: string): string =>
  models.find(({ name }) => name === model)?.title ?? model;
