import type { StormEntry, StormOutlook } from "@open-metocean/storms/schema";
import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { checkReply, loadSchemas, parseReply, readJson } from "#components/api-client/parse-reply.ts";
import { secondsSaved } from "#components/api-client/saved-replies.ts";
import { stormService } from "#components/api-client/service.ts";

/** The storms of a provider, and the age of its feed. */
export interface StormList {
  entries: StormEntry[];
  /** Age of the newest text of the provider's feed, seconds. */
  ageSeconds: number;
}

const REFRESH_MS = 5 * 60_000;

/** All storms of a provider including invests, which the client hides if the view asks for it. */
export const stormsQuery = (key: string, provider: StormEntry["provider"]) =>
  queryOptions({
    queryKey: ["storms", key, provider],
    queryFn: async ({ signal }): Promise<StormList> => {
      const reply = await apiFetch(`/storms?provider=${provider}`, { key, signal });
      const { results } = await checkReply<{ results: StormEntry[] }>(
        await readJson(reply),
        (body) => Array.isArray(body.results),
        ({ storms }) => storms,
      );
      return {
        entries: results,
        ageSeconds: Number(reply.headers.get("x-data-age") ?? 0) + secondsSaved(reply, Date.now() / 1000),
      };
    },
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    ...retryPolicy,
  });

/** The newest outlooks, which only one provider has. */
export const outlooksQuery = (key: string) =>
  queryOptions({
    queryKey: ["storm-outlooks", key],
    queryFn: async ({ signal }): Promise<StormOutlook[]> => {
      const { results } = await checkReply<{ results: StormOutlook[] }>(
        await stormService(key).outlooks({ provider: "jtwc" }, { signal }),
        (body) => Array.isArray(body.results),
        ({ stormOutlooks }) => stormOutlooks,
      );
      return results;
    },
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    ...retryPolicy,
  });

/** The past bulletins of a storm, oldest first, and what an invest has become. */
export const stormHistoryQuery = (key: string, provider: StormEntry["provider"], id: string) =>
  queryOptions({
    queryKey: ["storm-history", key, provider, id],
    queryFn: async ({ signal }) => {
      const [reply, { stormHistory }] = await Promise.all([
        stormService(key).history(id, { provider }, { signal }),
        loadSchemas(),
      ]);
      return parseReply(reply, stormHistory);
    },
    staleTime: REFRESH_MS,
    ...retryPolicy,
  });
