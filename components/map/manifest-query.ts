import { queryOptions } from "@tanstack/react-query";
import { call, retryPolicy } from "#components/view/service.ts";
import { fieldManifest } from "#lib/contract/field-manifest.ts";
import { formatInstant } from "#lib/time.ts";

/**
 * What the map may draw of a variable. Asked again every half minute: a new run appears by itself.
 *
 * @param at An instant that shall be drawable however far back, Unix seconds.
 */
export const manifestQuery = (key: string, variable: string, at?: number) =>
  queryOptions({
    queryKey: ["manifest", key, variable, at],
    queryFn: async ({ signal }) => {
      const around = at === undefined ? "" : `&at=${formatInstant(at)}`;
      const reply = await call(`/2DMetOcean/manifest?variable=${variable}${around}`, { key, signal });
      return fieldManifest.parse(await reply.json());
    },
    staleTime: 30_000,
    refetchInterval: 30_000,
    ...retryPolicy,
  });
