import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { loadedSchemas, loadSchemas } from "#components/api-client/load-schemas.ts";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
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
      const reply = await apiFetch(`/2DMetOcean/manifest?variable=${variable}${around}`, { key, signal });
      const said = (await readJson(reply)) as FieldManifest;
      // The first field does not wait for the schemas: what leads to it comes from the server that has just sent this
      // page, if it looks like it at all. Whatever comes later may be from a newer one.
      const schemas = loadedSchemas() ?? (Array.isArray(said?.runs) ? undefined : await loadSchemas());
      return schemas ? parseReply(said, schemas.manifest) : said;
    },
    staleTime: 30_000,
    refetchInterval: 30_000,
    // Whatever failed while the network was gone is asked for again with it.
    refetchOnReconnect: "always",
    ...retryPolicy,
  });
