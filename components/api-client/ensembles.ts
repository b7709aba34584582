import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "./api-fetch.ts";
import { readManifest } from "./parse-reply.ts";

/** The ensembles that forecast the wind; none where the archive has none. */
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
