import { queryOptions } from "@tanstack/react-query";
import { call, retryPolicy } from "#components/view/service.ts";
import { fieldManifest } from "#lib/contract/field-manifest.ts";

/** What the map may draw of a variable. Asked again every half minute: a new run appears by itself. */
export const manifestQuery = (key: string, variable: string) =>
  queryOptions({
    queryKey: ["manifest", key, variable],
    queryFn: async ({ signal }) => {
      const reply = await call(`/2DMetOcean/manifest?variable=${variable}`, { key, signal });
      return fieldManifest.parse(await reply.json());
    },
    staleTime: 30_000,
    refetchInterval: 30_000,
    ...retryPolicy,
  });
