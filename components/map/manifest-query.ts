import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { loadedSchemas, loadSchemas } from "#components/api-client/load-schemas.ts";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import type { FieldManifest } from "#lib/contract/field-manifest.ts";
import { formatInstant } from "#lib/time.ts";

/**
 * What the map may draw of a variable. Requested again every half minute, so that new runs appear.
 *
 * @param at An instant that must be drawable however far back, Unix seconds.
 */
export const manifestQuery = (key: string, variable: string, at?: number) =>
  queryOptions({
    queryKey: ["manifest", key, variable, at],
    queryFn: async ({ signal }) => {
      const around = at === undefined ? "" : `&at=${formatInstant(at)}`;
      const reply = await apiFetch(`/2DMetOcean/manifest?variable=${variable}${around}`, { key, signal });
      const manifest = (await readJson(reply)) as FieldManifest;
      // The first field does not wait for the schemas: the first manifest comes from the server that has just sent this
      // page. Later ones may come from a newer server and are parsed.
      const schemas = loadedSchemas() ?? (Array.isArray(manifest?.runs) ? undefined : await loadSchemas());
      return schemas ? parseReply(manifest, schemas.manifest) : manifest;
    },
    staleTime: 30_000,
    refetchInterval: 30_000,
    // What failed without a network is requested again when it is back.
    refetchOnReconnect: "always",
    ...retryPolicy,
  });
