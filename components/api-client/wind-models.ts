import { queryOptions } from "@tanstack/react-query";
import { MAX_MODELS } from "#lib/catalog/source-order.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { shortModelName } from "#lib/model-name.ts";
import { apiFetch, retryPolicy } from "./api-fetch.ts";
import { checkReply, readJson } from "./parse-reply.ts";

/** A model that forecasts the wind. */
export interface WindModel {
  /** Name in requests and answers. */
  name: string;
  /** Name for people. */
  title: string;
}

/** The models that forecast the wind, in order of preference; empty if there is only one. */
export const windModelsQuery = (apiKey: string) =>
  queryOptions({
    queryKey: ["wind-models", apiKey] as const,
    queryFn: async ({ signal }): Promise<WindModel[]> => {
      const reply = await apiFetch("/2DMetOcean/manifest?variable=wind", { key: apiKey, signal });
      const { models = [] } = await checkReply<FieldManifest>(
        await readJson(reply),
        ({ runs }) => Array.isArray(runs),
        (schemas) => schemas.manifest,
      );
      return models.slice(0, MAX_MODELS).map(({ name, title }) => ({ name, title: shortModelName(title) }));
    },
    staleTime: 30 * 60_000,
    ...retryPolicy,
  });
