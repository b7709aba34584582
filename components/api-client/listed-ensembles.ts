import { queryOptions } from "@tanstack/react-query";
import { shortModelName } from "#lib/model-name.ts";
import { apiFetch, retryPolicy } from "./api-fetch.ts";
import type { NamedModel } from "./listed-models.ts";
import { readManifest } from "./parse-reply.ts";

/** An ensemble whose members forecast the wind. */
export interface ListedEnsemble extends NamedModel {
  /** How many members there are. */
  members: number;
}

/** The ensembles of which members of the wind are kept, in the order of the service. */
export const listedEnsemblesQuery = (apiKey: string) =>
  queryOptions({
    queryKey: ["ensembles", apiKey],
    queryFn: async ({ signal }): Promise<ListedEnsemble[]> => {
      const path = "/2DMetOcean/manifest?variable=wind";
      const { ensembles = [] } = await readManifest(await apiFetch(path, { key: apiKey, signal }));
      return ensembles
        .filter(({ keeps_members }) => keeps_members)
        .map(({ name, title, members }) => ({ name, members, title: shortModelName(title) }));
    },
    staleTime: 30 * 60_000,
    ...retryPolicy,
  });
