import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "./api-fetch.ts";
import { readManifest } from "./parse-reply.ts";

/** Those of some statistics of ensembles that the map can draw. @param names Names of statistics of the catalog. */
export const hasMembersQuery = (apiKey: string, names: readonly string[]) =>
  queryOptions({
    queryKey: ["members", apiKey, names],
    queryFn: async ({ signal }) => {
      const manifests = await Promise.all(
        names.map(async (name) =>
          readManifest(await apiFetch(`/2DMetOcean/manifest?variable=${name}`, { key: apiKey, signal })),
        ),
      );
      return names.filter((_, index) => manifests[index]!.runs.length > 0);
    },
    staleTime: 30 * 60_000,
    ...retryPolicy,
  });
