import { queryOptions } from "@tanstack/react-query";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { shortModelName } from "#lib/model-name.ts";
import { apiFetch, retryPolicy } from "./api-fetch.ts";
import type { NamedModel } from "./listed-models.ts";
import { readManifest } from "./parse-reply.ts";

/** The ensembles that forecast the wind, in the order of the service; none where the archive has none. */
export const ensemblesQuery = (apiKey: string) =>
  queryOptions({
    queryKey: ["ensembles", apiKey],
    queryFn: async ({ signal }) => {
      const reply = await apiFetch("/2DMetOcean/manifest?variable=wind", { key: apiKey, signal });
      return (await readManifest(reply)).ensembles ?? [];
    },
    staleTime: 30 * 60_000,
    ...retryPolicy,
  });

/** An ensemble whose members forecast the wind. */
export interface ListedEnsemble extends NamedModel {
  /** How many members there are. */
  members: number;
}

/** The ensembles of which members of the wind are kept, in the order of the service. */
export const listedEnsemblesQuery = (apiKey: string) =>
  queryOptions({ ...ensemblesQuery(apiKey), select: withMembers });

const withMembers = (ensembles: NonNullable<FieldManifest["ensembles"]>): ListedEnsemble[] =>
  ensembles
    .filter(({ keeps_members }) => keeps_members)
    .map(({ name, title, members }) => ({ name, members, title: shortModelName(title) }));
